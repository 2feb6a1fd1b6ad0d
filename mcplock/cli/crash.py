"""A bug -> a report file that can be sent to somebody."""

import platform
import re
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path

from mcplock import __version__

_PLAIN = frozenset(
    [
        "PATH",
        "HOME",
        "PWD",
        "OLDPWD",
        "USER",
        "LOGNAME",
        "SHELL",
        "TERM",
        "LANG",
        "VIRTUAL_ENV",
        "PYTHONPATH",
        "TMPDIR",
    ]
)
"""Variables whose values are no secrets, and stand in every path of a traceback."""
_SHORTEST = 6
_CREDENTIALS = re.compile(r"\b(Bearer|Basic|DPoP) +[^'\"\n]+", re.IGNORECASE)


def write_report(
    error: Exception, arguments: Sequence[str], environ: Mapping[str, str]
) -> Path | None:
    """Write what is needed to find the bug; None where no file can be written.

    Values of environment variables, and whatever looks like a secret, are left out of it.
    Only this user can read it.
    """
    lines = [
        f"mcplock {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"command: mcplock {' '.join(arguments)}",
        "",
        *traceback.format_exception(error),
    ]
    try:
        with tempfile.NamedTemporaryFile(
            "w",
            prefix="mcplock-crash-",
            suffix=".txt",
            delete=False,
            encoding="utf-8",
            errors="backslashreplace",
        ) as file:
            file.write(_scrubbed("\n".join(lines), environ))
    except OSError:
        return None
    return Path(file.name)


def _scrubbed(text: str, environ: Mapping[str, str]) -> str:
    from mcplock.manifest.secrets import MASK, without_secrets

    values = [
        (value, name)
        for name, value in environ.items()
        if len(value) >= _SHORTEST and name not in _PLAIN
    ]
    for value, name in sorted(values, key=lambda pair: -len(pair[0])):
        text = text.replace(value, f"${{{name}}}")
    text = _CREDENTIALS.sub(rf"\1 {MASK}", text)  # to its end: it may hold what no token has
    return without_secrets(text)
