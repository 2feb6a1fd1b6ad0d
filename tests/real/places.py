"""Where the rig's servers are installed, and whether what lies there fits the lock files."""

import hashlib
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1] / ".real"


@dataclass(frozen=True)
class Place:
    """One installation: a directory below `.real/`, made from files that pin every version."""

    name: str
    pins: tuple[Path, ...]

    @property
    def directory(self) -> Path:
        return ROOT / self.name

    @property
    def stamp(self) -> Path:
        return self.directory / ".installed"

    def wanted(self) -> str:
        """What the stamp of a finished installation says: it fits this Python, here."""
        digest = hashlib.sha256(f"{sys.version}\n{self.directory}\n".encode())
        for path in self.pins:
            digest.update(path.read_bytes())
        return digest.hexdigest()

    def ready(self) -> bool:
        return self.stamp.is_file() and self.stamp.read_text(encoding="utf-8") == self.wanted()


NPM = Place("npm", (HERE / "npm" / "package.json", HERE / "npm" / "package-lock.json"))
NEWER = Place("newer", (HERE / "pypi" / "newer.txt",))
OLDER = Place("older", (HERE / "pypi" / "older.txt",))
FRAMEWORKS = [
    Place(name, (HERE / "frameworks" / f"{name}.txt",))
    for name in ("langchain", "openai-agents", "pydantic-ai", "google-adk", "providers")
]
"""Of agents, and the SDKs of providers, for the tests that only `make test-all` runs."""


def node_is_absent() -> str:
    """Why the npm servers cannot be had here; "" where they can."""
    missing = [name for name in ("node", "npm") if shutil.which(name) is None]
    return f"Node.js is not installed: no `{'`, no `'.join(missing)}` on PATH" if missing else ""


def why_not_ready(place: Place) -> str:
    """Why the servers of `place` cannot be asked; "" where they can."""
    if place.ready():
        return ""
    absent = node_is_absent() if place is NPM else ""
    option = " --frameworks" if place in FRAMEWORKS else ""
    return absent or f".real/{place.name} is not set up: run `python -m tests.real.setup{option}`"
