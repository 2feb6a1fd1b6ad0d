"""Which sources this machine may start."""
