"""Numbers and tables as text."""
