"""The one environment that servers are started in, so that every machine sees the same tools."""

import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from urllib.parse import unquote

from mcplock.lazy import pattern
from mcplock.manifest.resolve import MIN_SECRET
from mcplock.manifest.secrets import secret_name, secret_value

_POSIX = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
_WINDOWS = (
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
)
_LAUNCHERS = (
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "TMPDIR",
    "DOCKER_HOST",
)
_LAUNCHERS_OWN = ("UV_", "PIP_", "XDG_")
_USERINFO = pattern(r"://([^\s/?#]*)@")
FIXED = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}


def server_environment(
    environ: Mapping[str, str], declared: Mapping[str, str], *, platform: str = sys.platform
) -> dict[str, str]:
    """What a server is started with.

    The few variables that a program cannot do without and those that launchers need (proxies,
    certificates, caches) come from `environ`; time zone, locale and encoding are fixed; what
    the manifest names, `declared`, wins over both.
    """
    windows = platform == "win32"
    merged = _kept(environ, windows=windows) | FIXED
    if windows:  # there a name is the same in either case, and the manifest's must win
        names = {name.upper() for name in declared}
        merged = {name: value for name, value in merged.items() if name.upper() not in names}
    return merged | dict(declared)


def inherited_secrets(
    environ: Mapping[str, str], declared: Mapping[str, str], *, platform: str = sys.platform
) -> dict[str, str]:
    """The secrets in what comes from `environ`: value -> `${NAME}`.

    Those are the values under a telling name, and what lets into the proxy or index of a URL.
    """
    return {
        secret: f"${{{name}}}"
        for name, value in _kept(environ, windows=platform == "win32").items()
        if name not in declared and name not in _POSIX
        for secret in _secrets(name, value)
        if len(secret) >= MIN_SECRET
    }


@lru_cache(maxsize=256)  # every server of a run is asked about the same variables
def _secrets(name: str, value: str) -> tuple[str, ...]:
    return tuple(_found_secrets(name, value))


def _found_secrets(name: str, value: str) -> Iterator[str]:
    if len(value) >= MIN_SECRET and (secret_name(name) or secret_value(name, value)):
        yield value
    for userinfo in _USERINFO.findall(value):
        user, found, password = userinfo.partition(":")
        secret = password if found else user  # beside a password, the user is a mere name
        yield from (userinfo, unquote(userinfo), secret, unquote(secret))


def _kept(environ: Mapping[str, str], *, windows: bool) -> dict[str, str]:
    return {
        name.upper() if windows else name: value
        for name, value in environ.items()
        # a value that begins so is an exported shell function, which is code
        if _inherited(name, windows=windows) and not value.startswith("()")
    }


@lru_cache(maxsize=1024)
def _inherited(name: str, *, windows: bool) -> bool:
    system = name.upper() in _WINDOWS if windows else name in _POSIX
    return system or name in _LAUNCHERS or _is_launchers_own(name)


def _is_launchers_own(name: str) -> bool:
    if name.startswith("UV_PUBLISH_"):  # what publishing needs is no server's affair
        return False
    return name.startswith(_LAUNCHERS_OWN) or name.lower().startswith("npm_config_")
