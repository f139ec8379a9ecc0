"""Many runs on all cores: configs, records that survive interruptions, workers, summaries."""
