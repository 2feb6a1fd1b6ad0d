"""A bug -> a report file that can be sent to somebody."""

import platform
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path

from mcplock import __version__


def write_report(
    error: Exception, arguments: Sequence[str], environ: Mapping[str, str]
) -> Path | None:
    """Write what is needed to find the bug; None where no file can be written.

    Values of the environment of eight or more characters are left out of it.
    """
    lines = [
        f"mcplock {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"command: mcplock {' '.join(arguments)}",
        "",
        *traceback.format_exception(error),
    ]
    text = _scrubbed("\n".join(lines), environ)
    try:
        with tempfile.NamedTemporaryFile(
            "w",
            prefix="mcplock-crash-",
            suffix=".txt",
            delete=False,
            encoding="utf-8",
            errors="backslashreplace",
        ) as file:
            file.write(text)
    except OSError:
        return None
    return Path(file.name)


_PLAIN = (
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
)


def _scrubbed(text: str, environ: Mapping[str, str]) -> str:
    values = [(value, name) for name, value in environ.items() if len(value) >= 8]
    for value, name in sorted(values, key=lambda pair: -len(pair[0])):
        if name not in _PLAIN:
            text = text.replace(value, f"${{{name}}}")
    return text
