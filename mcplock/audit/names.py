"""Lints over the names of servers, tools and prompts."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from mcplock.audit.characters import audit_text
from mcplock.audit.findings import Finding, Severity
from mcplock.audit.lookalikes import skeleton
from mcplock.audit.scripts import mixed
from mcplock.lazy import pattern
from mcplock.text import visible

_RECOMMENDED = pattern(r"[A-Za-z0-9_.-]{1,128}")
"""The MCP specification, revision 2025-11-25: what the names of tools should be made of."""

Skeletons = Mapping[str, Collection[str]]
"""The names that share a skeleton, by skeleton."""


def skeletons(names: Iterable[str]) -> Skeletons:
    """`names` by what they read as."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in names:
        found[skeleton(name)].add(name)
    return found


def audit_name(
    name: str, at: str, neighbours: Skeletons, *, is_tool: bool = False
) -> Iterator[Finding]:
    """What is odd about `name`, among the names of the lock. `at`: the finding's pointer."""
    found = list(_deceptive(name, at, neighbours))
    yield from found
    if is_tool and not found and not _RECOMMENDED.fullmatch(name):
        message = f'the name "{visible(name)}" is not of 1 to 128 letters, digits and `_-.`'
        yield Finding("tool-name", Severity.LOW, at, message)


def _deceptive(name: str, at: str, neighbours: Skeletons) -> Iterator[Finding]:
    yield from audit_text(at, name)
    scripts = mixed(name)
    if scripts:
        letters = ", ".join(f"`{visible(first)}` ({kind})" for kind, first in scripts.items())
        message = f"the name {visible(name)} mixes scripts: {letters}"
        yield Finding("mixed-script", Severity.HIGH, at, message)
    others = sorted(set(neighbours.get(skeleton(name), ())) - {name})
    # Where only the other one is odd, the finding is the other's.
    suspects = [other for other in others if other.isascii() or not name.isascii()]
    if suspects:
        message = f"the name {visible(name)} looks like {visible(suspects[0])}"
        yield Finding("look-alike", Severity.HIGH, at, message)
