"""What an HTTP request can carry: a server's URL, its headers."""

import re
from urllib.parse import urlsplit

from mcplock.lazy import pattern

_NAME = pattern(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def url_fault(url: str) -> str:
    """What is wrong with `url`, whose variables are expanded; "" where nothing is.

    The answer quotes no more than a short scheme: the rest may hold a secret.
    """
    if re.search("[\ud800-\udfff]", url):
        return "holds a byte that is no UTF-8"
    if re.search(r"[\s\x00-\x20\x7f\\]", url):
        return "holds white space, a control character or a backslash"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "is no URL: its host or port cannot be read"
    if parts.scheme.lower() not in ("http", "https"):
        return f"begins with {_told(parts.scheme)}; it must be http or https"
    if not parts.hostname or port == 0:
        return "names no host" if not parts.hostname else "is no URL: its port cannot be 0"
    return ""


def _told(scheme: str) -> str:
    if re.fullmatch("[a-z]{1,9}", scheme):
        return f"`{scheme}`"
    return "another scheme" if scheme else "no scheme"


def is_header_name(name: str) -> bool:
    """Whether HTTP allows a header of this name."""
    return _NAME.fullmatch(name) is not None


def header_value_fault(value: str) -> str:
    """What is wrong with the value of a header, its variables expanded; "" where nothing is."""
    if hit := re.search(r"[^\t\x20-\x7e]", value):
        odd = f"U+{ord(hit[0]):04X}"
        no_text = re.fullmatch("[\ud800-\udfff]", hit[0])
        return f"holds what no header can carry, {'a byte that is no UTF-8' if no_text else odd}"
    return ""
