"""Input schemas as the providers take them."""

from collections.abc import Sequence

from mcplock.exporters.limits import arrays_with_items, bounds_below, portable_patterns
from mcplock.exporters.model import Loss
from mcplock.exporters.references import keep_references
from mcplock.exporters.roots import COMBINATORS, object_root, plain_root
from mcplock.exporters.subset import subset, without_references
from mcplock.exporters.tidy import drop_lost_references, tidy
from mcplock.exporters.working import Node, Rule, Working
from mcplock.jsontext import Json

POINTER = "/inputSchema"
OPEN: Node = {"type": "object"}

_LARGEST = 2**63 - 1
_LARGEST_OF_BEDROCK = 2**31 - 1
_OPENAI_ROOT = COMBINATORS | {"not", "enum", "const"}

Schema = tuple[Node, Sequence[Loss]]
"""The schema as it is exported, and what was changed."""


def openai_schema(schema: Json) -> Schema:
    """Root without combinators, arrays with `items`, patterns that all engines take."""
    work = _begun(schema)
    _root(work, _OPENAI_ROOT)
    if "properties" not in work.root:
        place = POINTER if schema is None else f"{POINTER}/properties"
        work.lose_at(place, "`properties` added as {}: an object has to say it", wider=False)
        work.root["properties"] = {}
    return _ended(work, portable_patterns, bounds_below(_LARGEST), arrays_with_items)


def anthropic_schema(schema: Json) -> Schema:
    """Root without combinators, patterns that all engines take."""
    work = _begun(schema)
    _root(work, COMBINATORS)
    return _ended(work, portable_patterns, bounds_below(_LARGEST))


def bedrock_schema(schema: Json) -> Schema:
    """As Anthropic's, with bounds of 32 bits."""
    work = _begun(schema)
    _root(work, COMBINATORS)
    return _ended(work, portable_patterns, bounds_below(_LARGEST_OF_BEDROCK))


def gemini_schema(schema: Json) -> Schema:
    """The documented subset; references written out."""
    work = _begun(schema)
    without_references(work)
    plain_root(work, COMBINATORS)
    object_root(work)
    return _ended(work, bounds_below(_LARGEST), subset)


def _begun(schema: Json) -> Working:
    given = schema if isinstance(schema, dict) else {}
    work = Working(given or dict(OPEN), POINTER)
    if not given:
        said = "was absent" if schema is None else "was empty"
        work.lose_at(POINTER, f'{said}, written as {{"type": "object"}}', wider=False)
    tidy(work)
    return work


def _root(work: Working, refused: frozenset[str]) -> None:
    plain_root(work, refused)
    object_root(work)
    keep_references(work)


def _ended(work: Working, *rules: Rule) -> Schema:
    work.rewrite(rules)
    drop_lost_references(work)
    return work.root, tuple(work.losses)
