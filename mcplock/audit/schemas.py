"""Lints over the form of a definition."""

from collections.abc import Iterator

from mcplock.audit.defects import audit_schema
from mcplock.audit.findings import Finding, Severity
from mcplock.jsontext import Json
from mcplock.model import Kind

# Any of these at a schema's root says what it accepts without a `type`.
_TELLING = ("type", "$ref", "$dynamicRef", "enum", "const", "anyOf", "oneOf", "allOf")


def audit_form(kind: Kind, content: Json) -> Iterator[Finding]:
    """An empty description, a schema without type, or with something wrong inside."""
    if not isinstance(content, dict):
        return
    description = content.get("description")
    if description is None or (isinstance(description, str) and not description.strip()):
        at = "/description" if "description" in content else ""
        yield Finding("empty-description", Severity.LOW, at, "it has no description")
    if kind is not Kind.TOOL:
        return
    given = content.get("inputSchema")
    if not isinstance(given, dict) or "type" not in given:
        at = "/inputSchema" if "inputSchema" in content else ""
        message = "the input schema does not say `type: object`"
        yield Finding("schema-type", Severity.LOW, at, message)
    yield from audit_schema(given, "/inputSchema")
    yield from audit_schema(content.get("outputSchema"), "/outputSchema")
    answered = content.get("outputSchema", {"type": "object"})
    if not isinstance(answered, dict) or not any(key in answered for key in _TELLING):
        message = "the output schema says no type"
        yield Finding("schema-type", Severity.LOW, "/outputSchema", message)
