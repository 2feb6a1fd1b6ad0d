"""In what the clients differ although they write the same keys."""

import re
from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True, slots=True)
class Dialect:
    """What cannot be told from a file's keys, only from its name.

    timeouts: keys that hold a time, with the unit in seconds; url_alone: the transport that
    a URL without type means; env_braces: whether `{env:NAME}` is a variable.
    """

    timeouts: tuple[tuple[str, float], ...] = ()
    url_alone: str = "http"
    env_braces: bool = False


_SECONDS = (("timeout", 1),)
_MILLISECONDS = (("timeout", 0.001),)
_STARTUP = (("startup_timeout_sec", 1), ("startup_timeout_ms", 0.001))
_BY_NAME = (
    (r"cline_mcp_settings\.json|\.cline/[^/]+", Dialect(_SECONDS, url_alone="sse")),
    (r"\.roo/mcp\.json|mcp_settings\.json", Dialect(_SECONDS)),
    (r"\.?crush\.json|\.?zed/settings\.json", Dialect(_SECONDS)),
    (r"\.mcp\.json|\.claude\.json|mcp-config\.json", Dialect(_MILLISECONDS)),
    (r"\.gemini/settings\.json|\.amazonq/.+", Dialect(_MILLISECONDS)),
    (r"opencode\.jsonc?", Dialect(_MILLISECONDS, env_braces=True)),
    (r".*\.toml", Dialect(_STARTUP)),
    (r"goose/(?:config/)?config\.yaml", Dialect(_SECONDS)),
    (r"\.continue/.+", Dialect((("connectionTimeout", 0.001),))),
)


def dialect_of(path: PurePath) -> Dialect:
    """The dialect of the file at `path`."""
    for pattern, dialect in _BY_NAME:
        if re.search(f"(?:^|/)(?:{pattern})$", path.as_posix()):
            return dialect
    return Dialect()
