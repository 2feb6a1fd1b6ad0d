"""Fuzzing of everything that reads bytes from elsewhere: `python -m tests.fuzz --help`."""
