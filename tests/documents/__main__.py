"""Write the documents that the program itself writes.

    python -m tests.documents
"""

from pathlib import Path

from .example import example_lock

ROOT = Path(__file__).parents[2]


def main() -> None:
    (ROOT / "mcp.lock.example").write_bytes(example_lock())


if __name__ == "__main__":
    main()
