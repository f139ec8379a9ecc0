"""The paper's experiments: presets, cells of tables, published figures, the whole plan."""
