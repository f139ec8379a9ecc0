"""Benchmarks; each compares its contenders side by side in one run."""
