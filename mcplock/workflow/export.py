"""`export`: the approved tools for agents, from the lock alone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mcplock.catalog import Catalog, LeftOut, catalog
from mcplock.errors import MissingFile, UsageError
from mcplock.exporters import FORMATS, Exported, exported_names
from mcplock.jsontext import Json
from mcplock.lockfile import load
from mcplock.manifest import Manifest, find
from mcplock.manifest import load as load_manifest
from mcplock.model import Kind, Lock
from mcplock.naming import select
from mcplock.text import visible
from mcplock.workflow.servers import lacks


@dataclass(frozen=True, slots=True)
class Wishes:
    """How to export.

    format: one of `FORMATS`; raw_names: keep the names that the servers gave; only, but:
    words that name what to take, and what not to.
    """

    format: str
    raw_names: bool = False
    only: Sequence[str] = ()
    but: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Export:
    """What was made: the document, each tool in it, and what is not in it."""

    document: Json
    tools: Sequence[Exported]
    left_out: Sequence[LeftOut]


def export(lock_path: Path, manifest: Manifest | None, wishes: Wishes) -> Export:
    """The catalog of the lock, less the servers that the manifest does not let agents have."""
    lock = load(lock_path).lock
    found = _wished(catalog(lock, closed_servers(manifest, lock)), lock, wishes)
    exporter = FORMATS[wishes.format]
    names = _raw_names(found) if wishes.raw_names else _names(found)
    tools = [
        exporter.exported(tool, names[tool.server, tool.name])
        for tool in found.tools
        if (tool.server, tool.name) in names
    ]
    nameless = [
        LeftOut(tool.server, tool.name, "another tool would bear the same name")
        for tool in found.tools
        if (tool.server, tool.name) not in names
    ]
    return Export(exporter.document(tools), tools, [*found.left_out, *nameless])


def closed_servers(manifest: Manifest | None, lock: Lock) -> dict[str, str]:
    """The servers of the lock that the manifest does not let agents have, and why."""
    if manifest is None:
        return {}
    closed = {}
    for name, locked in lock.servers.items():
        server = manifest.servers.get(name)
        if server is None:
            closed[name] = "the manifest has no such server"
        elif server.disabled:
            closed[name] = "its server is disabled"
        elif server.refused:
            closed[name] = "its server is refused"
        elif lacks(locked, server):
            closed[name] = "the manifest has another source for its server"
    return closed


def manifest_beside(start: Path, explicit: Path | None) -> Manifest | None:
    """The manifest; None where there is none and none was asked for."""
    try:
        return load_manifest(find(start, explicit))
    except MissingFile:
        if explicit is not None:
            raise
        return None


def _wished(found: Catalog, lock: Lock, wishes: Wishes) -> Catalog:
    wanted, unwanted = _tools(lock, wishes.only), _tools(lock, wishes.but)

    def is_wished(server: str, tool: str) -> bool:
        return (not wishes.only or (server, tool) in wanted) and (server, tool) not in unwanted

    return replace(
        found,
        tools=[tool for tool in found.tools if is_wished(tool.server, tool.name)],
        left_out=[left for left in found.left_out if is_wished(left.server, left.tool)],
    )


def _tools(lock: Lock, words: Sequence[str]) -> set[tuple[str, str]]:
    chosen = select(lock, words).entries
    return {(named.server, named.name) for named in chosen if named.kind is Kind.TOOL}


def _names(found: Catalog) -> dict[tuple[str, str], str]:
    return exported_names((tool.server, tool.name) for tool in found.tools)


def _raw_names(found: Catalog) -> dict[tuple[str, str], str]:
    """The servers' own names; `UsageError` where two servers have the same one."""
    times = Counter(tool.name for tool in found.tools)
    twice = [tool for tool in found.tools if times[tool.name] > 1]
    if twice:
        names = ", ".join(visible(f"{tool.server}/{tool.name}") for tool in twice)
        message = f"`--raw-names` would give several tools one name: {names}"
        raise UsageError(message, hint="`mcplock export --raw-names --only SERVER`")
    return {(tool.server, tool.name): tool.name for tool in found.tools}
