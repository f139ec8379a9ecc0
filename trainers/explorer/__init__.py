"""A page to explore a model and its graph: what it holds, and the file that holds it."""
