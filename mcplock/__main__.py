"""`python -m mcplock`."""

from mcplock.cli import main

main()
