"""One server's entry in a client's file -> a table of the keys that mcplock uses."""

import re
from collections.abc import Iterator, Mapping

from mcplock.jsontext import Json, Path
from mcplock.lazy import pattern
from mcplock.manifest.dialects import Dialect
from mcplock.manifest.document import Document, dotted
from mcplock.manifest.fields import Table, Value, kind_of
from mcplock.manifest.model import DEFAULT_TIMEOUT

SPELLINGS = {
    "type": ("type", "transport", "transportType"),
    "command": ("command", "cmd"),
    "args": ("args",),
    "env": ("env", "environment", "envs"),
    "cwd": ("cwd", "working_directory", "workingDirectory"),
    "url": ("url", "httpUrl", "serverUrl", "serverURL", "uri"),
    "headers": ("headers", "http_headers"),
    "disabled": ("disabled",),
    "allow_literal_secrets": ("allow_literal_secrets",),
}
_KEY = {spelling: key for key, spellings in SPELLINGS.items() for spelling in spellings}
_GROUPS = ("transport", "requestOptions")  # objects whose keys mean what they mean outside
_REACHED_BY = (*SPELLINGS["command"], *SPELLINGS["url"], "transport")
_NOT_READ = ("envFile", "headersHelper")
_VARIABLE = pattern("[A-Za-z_][A-Za-z0-9_]*")


def looks_like_server(entry: Mapping[str, Json]) -> bool:
    """Whether `entry` says how a server is reached."""
    return any(entry.get(key) is not None for key in _REACHED_BY)


def entry_table(
    document: Document, path: Path, entry: Mapping[str, Json], dialect: Dialect
) -> Table:
    """`entry`, which stands at `path`, under the keys that mcplock uses.

    What is null is absent. What contradicts itself is a fault.
    """
    return _Entry(document, path, entry, dialect).table()


class _Entry:
    def __init__(
        self, document: Document, path: Path, entry: Mapping[str, Json], dialect: Dialect
    ) -> None:
        self._document = document
        self._path = path
        self._entry = {key: json for key, json in entry.items() if json is not None}
        self._dialect = dialect
        self._values: dict[str, Value] = {}

    def table(self) -> Table:
        for path, spelling, json in self._written():
            if key := _KEY.get(spelling):
                self._take(key, Value(path, json))
        self._split_command()
        self._make_texts()
        self._imply_type()
        self._read_named_variables()
        self._switch()
        self._lengthen_timeout()
        for key in _NOT_READ:
            if key in self._entry:
                self._document.warn((*self._path, key), "is not read; name variables in `env`")
        return Table(self._document, self._path, self._values, foreign=True)

    def _written(self) -> Iterator[tuple[Path, str, Json]]:
        for key, json in self._entry.items():
            if key in _GROUPS and isinstance(json, dict):
                for inner, value in json.items():
                    if value is not None:
                        yield (*self._path, key, inner), inner, value
            else:
                yield (*self._path, key), key, json

    def _take(self, key: str, value: Value) -> None:
        first = self._values.setdefault(key, value)
        if first.json != value.json:
            self._document.fault(value.path, f"says otherwise than {dotted(first.path)}")

    def _split_command(self) -> None:
        """A list under `command` is the command and its first arguments."""
        command = self._values.get("command")
        if command is None or not isinstance(command.json, list):
            return
        path, words, _ = command
        args = self._values.get("args", Value(path, [])).json
        if not words or not isinstance(args, list):
            return  # the reader of the table says so
        self._values["command"] = Value((*path, 0), words[0])
        self._values["args"] = Value(path, [*words[1:], *args], first=1)

    def _make_texts(self) -> None:
        """Numbers and truth values in `env` as clients write them; variables in our form."""
        env = self._values.get("env")
        if env and isinstance(env.json, dict):
            plain = {name: _plain(json) for name, json in env.json.items() if json is not None}
            self._values["env"] = env._replace(json=plain)
        if self._dialect.env_braces:
            for key, value in self._values.items():
                self._values[key] = value._replace(json=_with_dollars(value.json))

    def _imply_type(self) -> None:
        url = self._values.get("url")
        if url and "type" not in self._values and "command" not in self._values:
            kind = "http" if url.path[-1] == "httpUrl" else self._dialect.url_alone
            self._values["type"] = Value(url.path, kind)

    def _read_named_variables(self) -> None:
        """What Codex and Goose read from variables that they name, Continue's key of a service."""
        if "bearer_token_env_var" in self._entry:
            name = self._variable(self._entry["bearer_token_env_var"], "bearer_token_env_var")
            self._add("headers", {"Authorization": f"Bearer {name}"})
        by_header = self._entry.get("env_http_headers", {})
        if isinstance(by_header, dict):
            self._add(
                "headers",
                {
                    header: self._variable(name, "env_http_headers", header)
                    for header, name in by_header.items()
                },
            )
        for key in ("env_vars", "env_keys"):
            passed = self._entry.get(key, [])
            for index, item in enumerate(passed if isinstance(passed, list) else []):
                passed_name = item.get("name") if isinstance(item, dict) else item
                self._add("env", {str(passed_name): self._variable(passed_name, key, index)})
        if isinstance(secret := self._entry.get("apiKey"), str):
            self._add("headers", {"Authorization": f"Bearer {secret}"})

    def _variable(self, name: Json, *place: str | int) -> str:
        if isinstance(name, str) and _VARIABLE.fullmatch(name):
            return f"${{{name}}}"
        self._document.fault((*self._path, *place), "must be the name of a variable")
        return ""

    def _add(self, key: str, texts: Mapping[str, str]) -> None:
        """Add to a table of strings what it does not have."""
        path, json, _ = self._values.get(key, Value(self._path, {}))
        if texts and isinstance(json, dict):
            self._values[key] = Value(
                path, {**json, **{name: text for name, text in texts.items() if name not in json}}
            )

    def _switch(self) -> None:
        enabled = self._entry.get("enabled", True)
        if not isinstance(enabled, bool):
            message = f"must be true or false, not {kind_of(enabled)}"
            self._document.fault((*self._path, "enabled"), message)
        elif not enabled:
            self._values["disabled"] = Value((*self._path, "enabled"), json=True)

    def _lengthen_timeout(self) -> None:
        """A client's limit is for one answer, ours for the whole start: it only lengthens."""
        for key, unit in self._dialect.timeouts:
            if key not in self._entry:
                continue
            limit = self._entry[key]
            if isinstance(limit, bool) or not isinstance(limit, int | float):
                message = f"must be a number, not {kind_of(limit)}"
                self._document.fault((*self._path, key), message)
            elif limit * unit > DEFAULT_TIMEOUT:
                self._values["timeout"] = Value((*self._path, key), limit * unit)


def _plain(json: Json) -> Json:
    match json:
        case bool():
            return "true" if json else "false"
        case int() | float():
            return str(json)
        case _:
            return json


def _with_dollars(json: Json) -> Json:
    """`json` with each `{env:NAME}` as `${NAME}`."""
    match json:
        case str():
            return re.sub(r"(?<!\$)\{env:([A-Za-z_][A-Za-z0-9_]*)\}", r"${\1}", json)
        case list():
            return [_with_dollars(item) for item in json]
        case dict():
            return {key: _with_dollars(item) for key, item in json.items()}
        case _:
            return json
