"""Write the documents that the program itself writes.

    python -m tests.documents [example]

All of them, or only `mcp.lock.example`.
"""

import sys
import tempfile
from pathlib import Path

from tests.real.places import why_not_ready

from .commands import page, with_table
from .example import example_lock
from .played import played
from .scenes import Scene

ROOT = Path(__file__).parents[2]


def unplayable(scene: Scene) -> str:
    """Why a scene cannot be played here; "" where it can."""
    return "; ".join(filter(None, map(why_not_ready, scene.places)))


def readme(text: str) -> str:
    """The README as it is to be."""

    def skip(scene: Scene) -> bool:
        reason = unplayable(scene)
        if reason:
            print(f"left as it is, for {reason}", file=sys.stderr)
        return bool(reason)

    with tempfile.TemporaryDirectory() as directory:

        def room(name: str) -> Path:
            path = Path(directory) / name
            path.mkdir()
            return path

        return played(with_table(text), room, skip)


def main(words: list[str]) -> None:
    (ROOT / "mcp.lock.example").write_bytes(example_lock())
    if words != ["example"]:
        (ROOT / "docs" / "commands.md").write_text(page(), encoding="utf-8")
        path = ROOT / "README.md"
        path.write_text(readme(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
