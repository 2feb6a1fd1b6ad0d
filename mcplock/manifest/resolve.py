"""A source and the environment -> what is really started or connected to."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit

from mcplock.jsontext import Path as Keys
from mcplock.lazy import pattern
from mcplock.manifest.addresses import header_value_fault, url_fault
from mcplock.manifest.document import dotted
from mcplock.manifest.expand import Reference, expand, references
from mcplock.manifest.literals import flag_name, restored
from mcplock.manifest.model import Launch, Server, Unresolved
from mcplock.manifest.secrets import secret_name, secret_spans, secret_value
from mcplock.model import Issue, Source, Stage, Transport
from mcplock.text import visible

MIN_SECRET = 8
"""Shorter values are not looked for in what servers send: they stand in every text."""
MIN_VALUE = 4
"""Shorter values of variables, such as `1` or `en`, are printed: they stand in every text."""
_NOTHING_SECRET = ("true", "false", "none", "null")

_CLIENT_VARIABLES = frozenset(
    ["workspaceFolder", "workspaceFolderBasename", "workspaceRoot", "userHome", "pathSeparator"]
)
_ASSIGNED = pattern(
    r"([A-Za-z][\w.-]*)[\"']?\s*[=:]\s*[\"']?(?:(?:bearer|basic)\s+)?$", re.IGNORECASE
)
_URL_MARKS = "/:?#[]@!$&'()*+,;=%~"
_DRIVE = pattern(r"[A-Za-z]:[\\/]")


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
    for name, value in source.oauth.items():
        yield ("oauth", name), value


def resolve(server: Server, directory: Path, environ: Mapping[str, str]) -> Launch:
    """What `server` is in `environ`; `directory` is the manifest's.

    Raises Unresolved where the server is refused, or with all that is missing or cannot be
    used, each with its place.
    """
    if server.refused:
        raise Unresolved(server.refused)
    run = _Run(server, directory, environ)
    launch = run.launch()
    run.finish()
    return launch


class _Run:
    """One expansion of a source: what was missing in it, and which values are secret."""

    def __init__(self, server: Server, directory: Path, environ: Mapping[str, str]) -> None:
        self._server = server
        self._directory = directory
        self._environ = environ
        self._missing: dict[str, list[str]] = {}
        self._problems: list[str] = []
        self._used: dict[Keys, list[Reference]] = {}  # what had a value, by its place

    def launch(self) -> Launch:
        """The expanded source; of no use where `finish` raises."""
        source = self._server.source
        made = {place: self._text(place, text) for place, text in texts(source)}
        launch = Launch(
            source.type,
            command=self._command(made["command",]),
            args=tuple(made["args", index] for index in range(len(source.args))),
            cwd=self._cwd(made["cwd",]),
            env={name: made["env", name] for name in source.env},
            url=made["url",],
            headers={name: made["headers", name].strip() for name in source.headers},
            oauth={name: made["oauth", name] for name in source.oauth},
            capabilities=source.capabilities,
        )
        self._check(launch)
        if self._missing or self._problems:
            return launch
        secrets = self._secrets(launch)
        return launch._replace(secrets=secrets, values=self._values() | secrets)

    def finish(self) -> None:
        """Raise Unresolved where something was missing or cannot be used."""
        if not self._missing and not self._problems:
            return
        names = [f"{name} ({', '.join(places)})" for name, places in self._missing.items()]
        told = [f"not set: {', '.join(names)}"] if names else []
        hint = "set it where mcplock runs, or write a default: `${NAME:-default}`" if names else ""
        message = "; ".join([*told, *self._problems])
        raise Unresolved(Issue(self._server.name, Stage.RESOLVE, message, hint=hint))

    def _text(self, place: Keys, text: str) -> str:
        def value_of(reference: Reference) -> str | None:
            value = self._environ.get(reference.name) if reference.name else None
            if value:
                self._used.setdefault(place, []).append(reference)
            elif value is None and reference.default is None:
                self._miss(place, reference)
            return value

        return restored(expand(text, value_of), self._server.literals)

    def _miss(self, place: Keys, reference: Reference) -> None:
        if reference.name and reference.name not in _CLIENT_VARIABLES:
            self._missing.setdefault(f"`{reference.name}`", []).append(self._shown(place))
            return
        why = "cannot be resolved in this run" if reference.known else "is no form of `${NAME}`"
        self._problems.append(f"{self._shown(place)}: `{visible(reference.shown)}` {why}")

    def _from(self, place: Keys) -> str:
        """The variables whose values stand at `place`."""
        names = dict.fromkeys(f"`${{{used.name}}}`" for used in self._used.get(place, ()))
        return f" (from {', '.join(names)})" if names else ""

    def _shown(self, place: Keys) -> str:
        return dotted(("servers", self._server.name, *place))

    def _command(self, command: str) -> str:
        """A path is below the manifest's directory, a bare name is looked for on PATH."""
        if not {os.sep, "/"}.intersection(command) or _DRIVE.match(command):
            return command
        return str(self._directory / self._at_home(command))

    def _cwd(self, cwd: str) -> Path:
        directory = self._directory / self._at_home(cwd)
        if cwd and not self._missing and not directory.is_dir():
            written = visible(self._server.source.cwd)
            self._problems.append(f"{self._shown(('cwd',))}: no such directory: {written}")
        return directory

    def _at_home(self, path: str) -> str:
        home = self._environ.get("HOME") or self._environ.get("USERPROFILE")
        if home and (path == "~" or path.startswith(("~/", "~\\"))):
            return home + path[1:]
        return path

    def _check(self, launch: Launch) -> None:
        if self._missing or self._problems:
            return
        problems: list[tuple[Keys, str]] = []
        if launch.type is Transport.STDIO:
            problems.append((("command",), "" if launch.command else "is empty"))
        else:
            problems.append((("url",), url_fault(launch.url)))
            for name, value in launch.headers.items():
                problems.append((("headers", name), header_value_fault(value)))
            if launch.oauth:
                from mcplock.manifest.oauth import value_faults

                problems += [(("oauth", name), told) for name, told in value_faults(launch.oauth)]
        for place, told in problems:
            if told:
                self._problems.append(f"{self._shown(place)}: {told}{self._from(place)}")

    def _secrets(self, launch: Launch) -> dict[str, str]:
        """Each secret value, and what stands in its place; the longest first."""
        found: dict[str, str] = {}
        for place, used in self._used.items():
            for reference in used:
                value = self._environ[reference.name]
                for secret in self._secret_parts(place, reference.name, value, launch):
                    for form in (secret, _quoted(secret)):
                        found.setdefault(form, f"${{{reference.name}}}")
        found |= {secret: digest for digest, secret in self._server.literals.items()}
        long = sorted(found, key=lambda value: (-len(value), value))
        return {value: found[value] for value in long if len(value) >= MIN_SECRET}

    def _values(self) -> dict[str, str]:
        """Each form of each value that is not to be printed, and what stands in its place."""
        found: dict[str, str] = {}
        for place, used in self._used.items():
            for reference in used:
                for form in _forms(self._environ[reference.name], in_url=place == ("url",)):
                    if form.lower() not in _NOTHING_SECRET:
                        found.setdefault(form, f"${{{reference.name}}}")
        found |= {secret: digest for digest, secret in self._server.literals.items()}
        return {form: name for form, name in found.items() if len(form) >= MIN_VALUE}

    def _secret_parts(
        self, place: Keys, variable: str, value: str, launch: Launch
    ) -> Iterator[str]:
        """What of a variable's value is secret: all of it under a telling name."""
        under = self._names_of(place, variable)
        if place[0] == "headers" or any(
            secret_name(name) or secret_value(name, value) for name in under
        ):
            yield value
        for span in secret_spans(value, variable, is_url=True):
            yield value[span.start : span.end]
        if place == ("url",):
            yield from _secret_in_url(launch.url, value)

    def _names_of(self, place: Keys, variable: str) -> list[str]:
        """The names that a variable's value stands under."""
        match place:
            case ("args", int() as index):
                source = self._server.source
                before, _, _ = source.args[index].partition(f"${{{variable}")
                hit = _ASSIGNED.search(before)
                return [variable, flag_name(source.args[:index]), hit[1] if hit else ""]
            case _:
                return [variable, str(place[-1])]


def _forms(value: str, *, in_url: bool) -> Iterator[str]:
    """`value` as messages may have it: a server prints long ones line by line."""
    yield value
    yield from (line.strip() for line in value.splitlines() if len(line.strip()) >= MIN_SECRET)
    if in_url:  # which what speaks HTTP writes in its own way, hosts in lower case
        yield from (value.lower(), value.strip("/"))
        yield from (_quoted(value, safe) for safe in ("", "/", _URL_MARKS))


def _quoted(value: str, safe: str = "") -> str:
    return quote(value, safe=safe, errors="replace")  # a byte that is no UTF-8 is in no URL


def _secret_in_url(url: str, value: str) -> Iterator[str]:
    """What of `value` is in the userinfo or the query of `url`."""
    parts = urlsplit(url)
    userinfo, _, _ = parts.netloc.rpartition("@")
    if value in userinfo or value in parts.query or value in parts.fragment:
        yield value
    query = [item.partition("=")[2] for item in parts.query.split("&")]
    yield from (piece for piece in (*userinfo.split(":", 1), *query) if piece and piece in value)
