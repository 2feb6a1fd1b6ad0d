"""Lints over the names of servers, tools and prompts."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from mcplock.audit.characters import audit_text
from mcplock.audit.findings import Finding, Severity
from mcplock.audit.lookalikes import skeleton
from mcplock.audit.scripts import mixed
from mcplock.text import visible

Skeletons = Mapping[str, Collection[str]]
"""The names that share a skeleton, by skeleton."""


def skeletons(names: Iterable[str]) -> Skeletons:
    """`names` by what they read as."""
    found: dict[str, set[str]] = defaultdict(set)
    for name in names:
        found[skeleton(name)].add(name)
    return found


def audit_name(name: str, at: str, neighbours: Skeletons) -> Iterator[Finding]:
    """What is odd about `name`, among the names of the lock. `at`: the finding's pointer."""
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
