"""Approved tools in the shape of agent frameworks: `mcplock.adapters.langchain` and others.

Each module has one function, `tools`, and imports its framework when that is called.
"""
