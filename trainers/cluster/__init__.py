"""Starts the workers that train one model together, and joins them."""
