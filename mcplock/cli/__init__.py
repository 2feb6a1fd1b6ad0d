"""The command line: one module per command."""


def main() -> None:
    """Run the program."""
