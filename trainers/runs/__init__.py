"""What a command leaves behind: the folders of runs and of learned architectures, predictions."""
