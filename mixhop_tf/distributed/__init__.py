"""Many processes, on one machine or on many, that train one model together."""
