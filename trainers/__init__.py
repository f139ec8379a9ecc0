"""Command lines over `datasets` and `mixhop_tf`; nothing here is imported by either."""
