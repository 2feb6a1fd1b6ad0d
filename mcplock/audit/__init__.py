"""Lints: content -> findings."""
