"""Tables of named columns, from files and from data frames."""
