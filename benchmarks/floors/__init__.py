"""The least that each command has to do, as bare scripts: what its time is held against."""
