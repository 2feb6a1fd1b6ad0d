"""The typed reading of one table; whatever has the wrong type is a fault of its document."""

import math
from collections.abc import Mapping, Sequence

from mcplock.jsontext import Json, Path
from mcplock.lazy import pattern
from mcplock.manifest.document import Document, dotted
from mcplock.manifest.secrets import shaped, without_shapes
from mcplock.records import NamedTuple

MAX_TEXT = 100_000
"""Code points of one text; a process takes no argument that is much longer."""

_SECRET_NAME = "a name that looks like a secret; a secret is a value, written `${NAME}`"
_CONTROL = pattern("[\x00-\x1f\x7f-\x9f]")
_SURROGATE = pattern("[\ud800-\udfff]")


def kind_of(value: Json) -> str:
    """The type of `value` in words, such as `a string`."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"


class Value(NamedTuple):
    """A value and its place; `first` is the index there of a list's first item."""

    path: Path
    json: Json
    first: int = 0


class Table:
    """The values of one table by the key that mcplock uses, each with its place.

    A reader answers the type's empty value where the key is absent or its value a fault.
    foreign: the file is another program's: what mcplock cannot do is no fault of the file;
    limits: what that was, where foreign.
    """

    def __init__(
        self, document: Document, path: Path, values: Mapping[str, Value], *, foreign: bool = False
    ) -> None:
        self.document = document
        self.path = path
        self.values = values
        self.foreign = foreign
        self.limits: list[str] = []

    @classmethod
    def of(cls, document: Document, path: Path, value: Mapping[str, Json]) -> "Table":
        """A table whose keys are written as mcplock writes them."""
        return cls(document, path, {key: Value((*path, key), item) for key, item in value.items()})

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def where(self, key: str, *below: str | int) -> Path:
        """The place of `key`, or of what is below it; of the table where it is absent."""
        if key not in self.values:
            return self.path
        path, _, first = self.values[key]
        return (*path, *(first + step if isinstance(step, int) else step for step in below))

    def fault(self, key: str, message: str, *below: str | int) -> None:
        """Note what is wrong with the value of `key`, or with what is below it."""
        self.document.fault(self.where(key, *below), message)

    def warn(self, key: str, message: str, *below: str | int) -> None:
        """Note what is odd about the value of `key`, or about what is below it."""
        self.document.warn(self.where(key, *below), message)

    def limit(self, key: str, message: str, *below: str | int) -> None:
        """Note what cannot be done: a fault in our own file, else the server's limit."""
        if self.foreign:
            self.limits.append(f"{dotted(self.where(key, *below))}: {without_shapes(message)}")
        else:
            self.fault(key, message, *below)

    def text(self, key: str) -> str:
        """A string on one line, without control characters."""
        path, value, _ = self.values.get(key, Value(self.path, ""))
        return checked_text(self.document, path, value, one_line=True)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings."""
        path, value, first = self.values.get(key, Value(self.path, []))
        if not isinstance(value, list):
            self.document.fault(path, f"must be a list of strings, not {kind_of(value)}")
            return ()
        return tuple(
            checked_text(self.document, (*path, index), item)
            for index, item in enumerate(value, start=first)
        )

    def text_map(self, key: str, *, one_line: bool = False) -> dict[str, str]:
        """A table of strings; what stands under a name that looks like a secret is left out."""
        path, value, _ = self.values.get(key, Value(self.path, {}))
        if not isinstance(value, dict):
            self.document.fault(path, f"must be a table of strings, not {kind_of(value)}")
            return {}
        for name in filter(shaped, value):
            self.limit(key, _SECRET_NAME, name)
        return {
            name: checked_text(self.document, (*path, name), item, one_line=one_line)
            for name, item in value.items()
            if not shaped(name)
        }

    def flag(self, key: str) -> bool:
        """`true` or `false`."""
        path, value, _ = self.values.get(key, Value(self.path, False))
        if isinstance(value, bool):
            return value
        self.document.fault(path, f"must be true or false, not {kind_of(value)}")
        return False

    def seconds(self, key: str, default: float) -> float:
        """A number above zero."""
        path, value, _ = self.values.get(key, Value(self.path, default))
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.document.fault(path, f"must be a number of seconds, not {kind_of(value)}")
        elif not (math.isfinite(value) and value > 0):
            self.document.fault(path, "must be a number of seconds above zero")
        else:
            return float(value)
        return default

    def choice(self, key: str, known: Sequence[str], default: str) -> str:
        """One of the words in `known`."""
        path, value, _ = self.values.get(key, Value(self.path, default))
        if isinstance(value, str) and value in known:
            return value
        self.document.fault(path, f"must be {one_of(known)}")
        return default

    def choices(self, key: str, known: Sequence[str]) -> tuple[str, ...]:
        """A list of words in `known`, once each, in the order of `known`."""
        chosen = self.texts(key)
        path = self.where(key)
        for index, word in enumerate(chosen):
            if word and word not in known:
                self.document.fault((*path, index), f"must be {one_of(known)}")
        return tuple(word for word in known if word in chosen)


def checked_text(document: Document, path: Path, value: Json, *, one_line: bool = False) -> str:
    """`value` as a string that a process or an HTTP request can carry; "" where it is none."""
    if not isinstance(value, str):
        advice = "" if value is None or isinstance(value, dict | list) else document.quoting
        document.fault(path, f"must be a string, not {kind_of(value)}{advice}")
    elif not value.isascii() and _SURROGATE.search(value):
        document.fault(path, "holds a lone surrogate")
    elif len(value) > MAX_TEXT:
        document.fault(path, f"has {len(value):,} characters; {MAX_TEXT:,} are the most")
    elif "\x00" in value:
        document.fault(path, "holds a NUL character")
    elif one_line and (control := _CONTROL.search(value)):
        document.fault(path, f"holds a control character, U+{ord(control[0]):04X}")
    else:
        return value
    return ""


def one_of(words: Sequence[str]) -> str:
    """`"a", "b" or "c"`."""
    quoted = [f'"{word}"' for word in words]
    return " or ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))


def unknown_key(key: str, known: Sequence[str]) -> str:
    """What to say of a key that is not in `known`: with the nearest one that is."""
    near = nearest_key(key, known)
    return f"unknown key; did you mean `{near}`?" if near else "unknown key"


def nearest_key(key: str, known: Sequence[str]) -> str:
    """The one of `known` that `key` was probably meant to be; "" where there is none."""
    from difflib import get_close_matches

    near = get_close_matches(key.lower().replace("-", "_"), known, n=1, cutoff=0.6)
    return near[0] if near else ""
