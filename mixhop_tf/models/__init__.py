"""Node classifiers: MixHop's model and the baselines', on one base class."""
