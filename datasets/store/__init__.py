"""A graph in a folder of arrays that are mapped into memory, for graphs larger than it."""
