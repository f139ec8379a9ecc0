"""The report: tables, text, pages."""
