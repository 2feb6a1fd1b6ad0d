"""The literal secrets of one source: taken out of it, and what to write instead."""

import hashlib
import re
from collections.abc import Mapping

from mcplock.jsontext import Path
from mcplock.manifest.expand import Reference, literal, located
from mcplock.manifest.secrets import VEIL, Span, secret_name, secret_spans, shaped
from mcplock.model import Source
from mcplock.records import NamedTuple

PREFIX = "sha256:"


class Told(NamedTuple):
    """One text that holds a secret.

    path: below the server; instead: the text with a `${VAR}` in place of each secret.
    """

    path: Path
    instead: str


class Protected(NamedTuple):
    """A source without its literal secrets.

    source: `sha256:…` stands in their place; literals: from there to the secret.
    """

    source: Source
    literals: Mapping[str, str] = {}
    told: tuple[Told, ...] = ()

    def __repr__(self) -> str:
        """Without the literals."""
        return f"Protected({self.source!r})"


def protect(server: str, source: Source) -> Protected:
    """`source` of the server of that name, with its literal secrets taken out."""
    taking = _Taking(server)
    protected = source._replace(
        command=taking.text(("command",), source.command),
        args=tuple(
            taking.text(("args", index), value, flag_name(source.args[:index]))
            for index, value in enumerate(source.args)
        ),
        env={name: taking.text(("env", name), value, name) for name, value in source.env.items()},
        cwd=taking.text(("cwd",), source.cwd),
        url=taking.text(("url",), source.url),
        headers={
            name: taking.text(("headers", name), value, name)
            for name, value in source.headers.items()
        },
        oauth={
            name: taking.text(("oauth", name), value, name) for name, value in source.oauth.items()
        },
    )
    return Protected(protected, taking.literals, tuple(taking.told))


def restored(text: str, literals: Mapping[str, str]) -> str:
    """`text` with the secrets back in their places."""
    for digest, secret in literals.items():
        text = text.replace(digest, secret)
    return text


def flag_name(before: tuple[str, ...]) -> str:
    """The flag that an argument is the value of, "" where it is none's."""
    if not before or not before[-1].startswith("-"):
        return ""
    hit = re.fullmatch(r"--?([A-Za-z][\w.-]*)", before[-1])
    return hit[1] if hit else ""


class _Edit(NamedTuple):
    """What stands at `start` to `end` of a text, as it is to be written, and as it is kept."""

    start: int
    end: int
    instead: str
    kept: str


class _Taking:
    def __init__(self, server: str) -> None:
        self.literals: dict[str, str] = {}
        self.told: list[Told] = []
        self._server = server
        self._variables: dict[str, str] = {}  # those to write, with the digest they stand for

    def text(self, path: Path, text: str, name: str = "") -> str:
        """`text`, which stands at `path` under `name`, without its secrets."""
        edits = self._edits(path, text, name)
        if not edits:
            return text
        self.told.append(Told(path, _applied(text, [edit.instead for edit in edits], edits)))
        return _applied(text, [edit.kept for edit in edits], edits)

    def _edits(self, path: Path, text: str, name: str) -> list[_Edit]:
        edits: list[_Edit] = []
        veiled = text
        for start, reference in located(text):
            end = start + len(reference.written)
            if reference.known:
                veiled = veiled[:start] + VEIL * (end - start) + veiled[end:]
            if shaped(reference.name):
                edits.append(self._edit(path, Span(start, end, name), reference.name))
            elif edit := self._default(path, start, reference, name):
                edits.append(edit)
        spans = secret_spans(veiled, name, is_url=path == ("url",))
        edits += [self._edit(path, span, literal(text[span.start : span.end])) for span in spans]
        return sorted(edits)

    def _edit(self, path: Path, span: Span, secret: str) -> _Edit:
        digest = PREFIX + hashlib.sha256(secret.encode()).hexdigest()
        self.literals[digest] = secret
        variable = self._variable(path, span, digest)
        return _Edit(span.start, span.end, f"${{{variable}}}", digest)

    def _default(self, path: Path, start: int, reference: Reference, name: str) -> _Edit | None:
        """What becomes of a reference with a secret in its default."""
        if not reference.default:
            return None
        under = reference.name if secret_name(reference.name) else name
        edits = self._edits(path, reference.default, under)
        if not edits:
            return None
        default = _applied(reference.default, [edit.kept for edit in edits], edits)
        opening = reference.written.removesuffix(reference.default + "}")
        end = start + len(reference.written)
        return _Edit(start, end, f"${{{reference.name}}}", f"{opening}{default}}}")

    def _variable(self, path: Path, span: Span, digest: str) -> str:
        """A name for the variable that is to hold the secret, one for each secret."""
        if path[0] == "env" and span.name == path[1]:
            wanted = _upper(span.name)
        else:
            wanted = _upper(_SHORT.get(span.name.lower(), span.name)) or "SECRET"
            server = _upper(self._server) or "MCP"
            wanted = wanted if wanted.startswith(server) else f"{server}_{wanted}"
        name, count = wanted, 1
        while self._variables.setdefault(name, digest) != digest:
            count += 1
            name = f"{wanted}_{count}"
        return name


_SHORT = {"authorization": "token", "proxy-authorization": "proxy_token", "x-api-key": "api_key"}


def _upper(name: str) -> str:
    """`name` as variables are named."""
    words = re.sub("([a-z0-9])([A-Z])", r"\1_\2", name)
    upper = re.sub("[^A-Z0-9]+", "_", words.upper()).strip("_")
    return f"MCP_{upper}" if upper[:1].isdigit() else upper


def _applied(text: str, replacements: list[str], edits: list[_Edit]) -> str:
    at = 0
    pieces: list[str] = []
    for edit, replacement in zip(edits, replacements, strict=True):
        pieces += [text[at : edit.start], replacement]
        at = edit.end
    return "".join([*pieces, text[at:]])
