"""`requires`: which versions of mcplock can read this manifest."""

import re

from mcplock import __version__
from mcplock.errors import McplockError
from mcplock.lazy import pattern
from mcplock.manifest.document import Document
from mcplock.manifest.secrets import without_shapes

_CLAUSE = pattern(r"\s*(>=|<=|==|!=|~=|>|<)\s*([0-9]+(?:\.[0-9]+)*)\s*")


def check_version(document: Document, version: str = __version__) -> None:
    """Raise McplockError where `requires` does not admit this `version` of mcplock."""
    wanted = document.value.get("requires")
    if wanted is None:
        return
    clauses = wanted.split(",") if isinstance(wanted, str) else [""]
    for clause in clauses:
        hit = _CLAUSE.fullmatch(clause)
        if hit is None:
            document.fault(("requires",), 'must be versions such as ">=0.2" or ">=0.2,<1"')
            return
        named, ours = _release(hit[2]), _release(version)
        if not _admits(hit[1], named, ours):
            place = document.place(("requires",))
            told = f"{without_shapes(wanted)}, and this is {version}"
            message = f"{place}: this manifest requires mcplock {told}"
            raise McplockError(message, hint=_way_out(hit[1], named, ours))


def _way_out(operator: str, named: tuple[int, ...], ours: tuple[int, ...]) -> str:
    """What to install where the clause of `operator` and `named` does not admit `ours`."""
    if operator in (">", ">=") or (operator in ("==", "~=") and named > ours):
        return "upgrade `mcplock-cli`"
    which = "another" if operator == "!=" else "an older"
    return f"install {which} `mcplock-cli`, or change `requires` if it is too narrow"


def _release(version: str) -> tuple[int, ...]:
    hit = re.match(r"[0-9]+(?:\.[0-9]+)*", version)
    return tuple(map(int, hit[0].split("."))) if hit else (0,)


def _admits(operator: str, wanted: tuple[int, ...], have: tuple[int, ...]) -> bool:
    width = max(len(wanted), len(have))
    wide, own = (release + (0,) * (width - len(release)) for release in (wanted, have))
    match operator:
        case ">=":
            return own >= wide
        case ">":
            return own > wide
        case "<=":
            return own <= wide
        case "<":
            return own < wide
        case "==":
            return own == wide
        case "!=":
            return own != wide
        case _:  # ~= 1.4: at least 1.4, and still 1
            return own >= wide and own[: len(wanted) - 1] == wanted[:-1]
