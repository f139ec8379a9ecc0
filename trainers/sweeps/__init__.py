"""Many runs on all cores: configs, records that survive a kill, workers, summaries."""
