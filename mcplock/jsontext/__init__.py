"""JSON text, read strictly: what Python's own reader would quietly repair is a fault here.

`parse` is quick and takes only text that is plain, unambiguous JSON. The other functions
work on any JSON text, however deep or odd, and keep what `parse` refuses: duplicate keys,
numbers as they were written, the place of each value. None of them recurses.
"""

from mcplock.jsontext.dense import has_too_many, is_dense, most_values
from mcplock.jsontext.exact import Number, exact, exact_text
from mcplock.jsontext.faults import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_VALUES,
    FaultCode,
    Json,
    JsonFault,
    line_at,
)
from mcplock.jsontext.scanner import (
    Path,
    Token,
    array_items,
    duplicate_keys,
    events,
    lines,
    member,
    placed,
    spans,
    string_value,
    tokens,
)
from mcplock.jsontext.strict import parse
from mcplock.jsontext.written import compact, quote, too_deep

__all__ = [
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MAX_VALUES",
    "FaultCode",
    "Json",
    "JsonFault",
    "Number",
    "Path",
    "Token",
    "array_items",
    "compact",
    "duplicate_keys",
    "events",
    "exact",
    "exact_text",
    "has_too_many",
    "is_dense",
    "line_at",
    "lines",
    "member",
    "most_values",
    "parse",
    "placed",
    "quote",
    "spans",
    "string_value",
    "tokens",
    "too_deep",
]
