"""Explains answers: what each node, feature and path of powers contributed to a logit."""
