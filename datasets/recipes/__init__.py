"""How the columns of a table become features, so that a new table becomes the same features."""
