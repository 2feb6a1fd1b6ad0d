"""Rules for what a provider refuses inside a schema: patterns, large bounds, bare arrays."""

from mcplock.exporters.tidy import drop_with_what_relies
from mcplock.exporters.working import Node, Rule, Working
from mcplock.patterns import Feature, Unsupported, read
from mcplock.text import visible
from mcplock.validation.forms import is_number

_BOUNDS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
    *("minContains", "maxContains"),
)
_PORTABLE = frozenset({Feature.UNICODE_ESCAPE})


def portable_patterns(work: Working, node: Node) -> None:
    """Drop a pattern that not all engines take, such as one with a lookaround."""
    if "pattern" in node:
        reason = _not_portable(node["pattern"])
        if reason:
            work.drop(node, "pattern", f"left out: {reason}")
    for source in node.get("patternProperties", ()):
        reason = _not_portable(source)
        if reason:
            message = f"left out: {visible(source)}: {reason}"
            drop_with_what_relies(work, node, "patternProperties", message)
            return


def _not_portable(source: str) -> str:
    """What of a pattern some engine refuses; "" where all take it."""
    try:
        features = read(source).features
    except Unsupported as reason:
        return str(reason)
    return next((feature.value for feature in features if feature not in _PORTABLE), "")


def bounds_below(limit: int) -> Rule:
    """A rule that drops bounds whose number is larger than `limit`."""

    def rule(work: Working, node: Node) -> None:
        for key in _BOUNDS:
            value = node.get(key)
            if value is not None and is_number(value) and abs(value) > limit:
                work.drop(node, key, f"left out: its number is larger than {limit}")

    return rule


def arrays_with_items(work: Working, node: Node) -> None:
    """Let every array say what its items are, if only that they are anything."""
    kinds = node.get("type")
    is_array = kinds == "array" or (isinstance(kinds, list) and "array" in kinds)
    if is_array and "items" not in node:
        work.lose(node, "items", "`items` added as {}: an array has to say it", wider=False)
        node["items"] = {}
