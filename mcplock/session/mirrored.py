"""What of a call is said again in headers of HTTP, as revisions since 2026-07-28 want it.

https://modelcontextprotocol.io/specification: transports, Streamable HTTP, standard headers.
"""

import base64
import re
from collections.abc import Mapping

from mcplock.jsontext import Json
from mcplock.lazy import pattern

KEYWORD = "x-mcp-header"
"""Marks the properties of an input schema whose values are said again."""

_PLAIN = pattern(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_ENCODED = pattern(r"=\?base64\?.*\?=", re.DOTALL)


def header_value(text: str) -> str:
    """`text` as the value of a header: as it is, or in Base64 where it would not arrive so."""
    if not text or (_PLAIN.fullmatch(text) and not _ENCODED.fullmatch(text)):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def argument_headers(schema: Json, arguments: Mapping[str, Json]) -> dict[str, str]:
    """The headers for the arguments of a call whose properties `schema` marks."""
    from mcp.shared.inbound import mcp_param_headers, x_mcp_header_map

    return mcp_param_headers(x_mcp_header_map(schema), arguments)
