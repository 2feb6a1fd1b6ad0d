"""A source and the environment -> what is really started or connected to."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from mcplock.jsontext import Path as Keys
from mcplock.manifest.document import dotted
from mcplock.manifest.expand import Reference, expand, references
from mcplock.manifest.model import Launch, Server, Unresolved
from mcplock.model import Issue, Source, Stage

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def variables(source: Source) -> list[str]:
    """The names of the variables that `source` reads, in the order they stand in it."""
    found = (ref.name for _, text in texts(source) for ref in references(text) if ref.name)
    return list(dict.fromkeys(found))


def texts(source: Source) -> Iterator[tuple[Keys, str]]:
    """Each text of `source` in which variables are expanded, with its place."""
    yield ("command",), source.command
    for index, argument in enumerate(source.args):
        yield ("args", index), argument
    for name, value in source.env.items():
        yield ("env", name), value
    yield ("cwd",), source.cwd
    yield ("url",), source.url
    for name, value in source.headers.items():
        yield ("headers", name), value


def resolve(server: Server, directory: Path, environ: Mapping[str, str]) -> Launch:
    """What `server` is in `environ`; `directory` is the manifest's.

    Raises Unresolved where the server is refused or a variable is missing; all of them are
    named, with their places.
    """
    if server.refused:
        raise Unresolved(server.refused)
    run = _Run(server, environ)
    source = server.source
    command = run.text(source.command, "command")
    cwd = run.text(source.cwd, "cwd")
    launch = Launch(
        source.type,
        command=str(_below(directory, command, environ)) if "/" in command else command,
        args=tuple(run.text(value, "args", index) for index, value in enumerate(source.args)),
        cwd=_below(directory, cwd, environ),
        env={name: run.text(value, "env", name) for name, value in source.env.items()},
        url=run.text(source.url, "url"),
        headers={name: run.text(value, "headers", name) for name, value in source.headers.items()},
        capabilities=source.capabilities,
    )
    run.finish()
    return launch


def _below(directory: Path, written: str, environ: Mapping[str, str]) -> Path:
    if written == "~" or written.startswith("~/"):
        written = environ.get("HOME", "~") + written[1:]
    return Path(written) if _DRIVE.match(written) else directory / written


class _Run:
    """One expansion of a source, with what was missing in it."""

    def __init__(self, server: Server, environ: Mapping[str, str]) -> None:
        self._server = server
        self._environ = environ
        self._missing: dict[str, list[str]] = {}

    def text(self, text: str, *place: str | int) -> str:
        """`text` with its variables expanded."""
        where = dotted(("servers", self._server.name, *place))

        def value_of(reference: Reference) -> str | None:
            value = self._environ.get(reference.name) if reference.name else None
            if value is None and reference.default is None:
                self._missing.setdefault(reference.name or reference.written, []).append(where)
            return value

        return expand(text, value_of)

    def finish(self) -> None:
        """Raise Unresolved where something was missing."""
        if self._missing:
            names = [f"`{name}` ({', '.join(where)})" for name, where in self._missing.items()]
            message = f"not set: {', '.join(names)}"
            raise Unresolved(Issue(self._server.name, Stage.RESOLVE, message))
