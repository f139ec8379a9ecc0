"""The output of commands: the folders of runs and learned architectures, and predictions."""
