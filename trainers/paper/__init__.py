"""What the paper did and published: presets, cells of tables, figures, the whole plan."""
