"""Agents of real frameworks with models that follow a script; each runs where it is installed."""
