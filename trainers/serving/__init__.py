"""A server that keeps a graph in memory, changes it, and answers questions about its nodes."""
