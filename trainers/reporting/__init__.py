"""The report: verdicts, tables, text and pages."""
