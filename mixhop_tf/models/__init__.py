"""Node classifiers: the models of MixHop and the baselines, on one base class."""
