"""Two entries, or two locks, -> changes, classified."""
