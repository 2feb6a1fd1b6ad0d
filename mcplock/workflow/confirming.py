"""Which approved tools an agent may call without asking a person: preselected, then decided.

Only what a person approves is ever written; no policy and no hint of a server decides
anything when a tool is called. There an absent decision means "ask".
"""

from collections.abc import Callable

from mcplock.jsontext import Json
from mcplock.manifest import Manifest
from mcplock.model import Kind
from mcplock.naming import Named

NEVER = "never"

Preselect = Callable[[Named], str | None]
"""An entry that is about to be approved -> the `confirm` that it gets if nobody says otherwise."""


def always_ask(named: Named) -> None:
    """The preselection where no manifest says anything."""
    del named


def preselection(manifest: Manifest | None) -> Preselect:
    """What the policy of `manifest` preselects, with the servers whose hints it trusts."""
    if manifest is None:
        return always_ask

    def preselect(named: Named) -> str | None:
        server = manifest.servers.get(named.server)
        is_trusted = server is not None and server.trust_annotations
        return preselected(manifest.confirm, named, is_trusted=is_trusted)

    return preselect


def preselected(policy: str, named: Named, *, is_trusted: bool) -> str | None:
    """The `confirm` for one entry under `policy`: "never", or None for "ask".

    is_trusted: whether a person declared in the manifest that what this server says of its
    tools may be believed. Without that its `readOnlyHint` is hearsay.
    """
    if named.kind is not Kind.TOOL:
        return None
    match policy:
        case "none":
            return NEVER
        case "writes" if is_trusted and only_reads(named.entry.content):
            return NEVER
        case _:
            return None


def only_reads(definition: Json) -> bool:
    """Whether a tool says of itself that it changes nothing, and nothing that contradicts it."""
    annotations = definition.get("annotations") if isinstance(definition, dict) else None
    if not isinstance(annotations, dict):
        return False
    is_harmless = annotations.get("destructiveHint") in (None, False)
    return annotations.get("readOnlyHint") is True and is_harmless
