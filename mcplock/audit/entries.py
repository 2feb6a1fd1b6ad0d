"""The findings of one entry, or of a whole lock."""

from collections.abc import Container, Iterable, Mapping

from mcplock.audit.characters import audit_characters
from mcplock.audit.denied import Denied
from mcplock.audit.findings import Finding, Severity
from mcplock.audit.names import Skeletons, audit_name, skeletons
from mcplock.audit.schemas import audit_form
from mcplock.audit.sources import audit_source
from mcplock.jsontext import Json
from mcplock.model import SECTIONS, Kind, Lock

_IDENTITY = {section.kind: f"/{section.identity}" for section in SECTIONS}

Place = tuple[str, Kind, str]
"""(server, kind, name of the definition or "")"""


def audit_lock(lock: Lock, only: Container[Place] | None = None) -> dict[Place, list[Finding]]:
    """The findings of every entry in `lock` that has any; `only`: of these entries.

    Beside what stands in an entry, what waits is held against all that is denied in `lock`.
    """
    names, denied = skeletons_of(lock), Denied(lock)
    found: dict[Place, list[Finding]] = {}
    for server_name, server in lock.servers.items():
        for kind, name, entry in server.entries():
            place = (server_name, kind, name)
            if only is not None and place not in only:
                continue
            own = name if kind in _IDENTITY else server_name
            findings = denied.before(server_name, kind, name, entry)
            findings += audit_entry(kind, own, entry.content, names)
            if findings:
                found[place] = findings
    return found


def skeletons_of(lock: Lock, also: Iterable[str] = ()) -> Skeletons:
    """`skeletons` of all names of `lock` that are mistaken for another: servers, tools, `also`."""
    names = {*lock.servers, *also}
    for server in lock.servers.values():
        names |= server.of(Kind.TOOL).keys()
    return skeletons(names)


def audit_entry(kind: Kind, name: str, content: Json, names: Skeletons) -> list[Finding]:
    """The findings of one entry, worst first.

    name: of the definition; of the server for its source, package and instructions.
    content: None where it has no canonical form. names: `skeletons_of` the lock.
    """
    found = list(audit_characters(content))
    if kind in (Kind.TOOL, Kind.PROMPT, Kind.SOURCE):
        at = _IDENTITY.get(kind, "") if content is not None else ""
        neighbours = names if kind is not Kind.PROMPT else {}
        found += audit_name(name, at, neighbours, is_tool=kind is Kind.TOOL)
    if kind is Kind.SOURCE and content is not None:
        found += audit_source(content)
    elif kind in _IDENTITY:
        found += audit_form(kind, content)
    once = {(finding.rule, finding.pointer): finding for finding in found}
    return sorted(once.values(), key=lambda finding: _WEIGHT[finding.severity])


_WEIGHT: Mapping[Severity, int] = {severity: place for place, severity in enumerate(Severity)}
