"""The texts of tools that a search looks through, field by field."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from mcplock.approved import Tool
from mcplock.jsontext import Json
from mcplock.lazy import pattern
from mcplock.search.words import is_unspaced, stem

_CAMEL = pattern(r"([a-z0-9])([A-Z])")
_END = pattern(r"[.!?]\s|[。！？\n]")
_WORD = pattern("[a-z]{3,}")
_DEEP = 3
"""Parameters inside of parameters are looked at down to here."""


class Field:
    """One field of all tools: their texts in one, so that a term is found in all at once.

    weight: how much a hit counts; leniency: how little it matters that a text is long, from
    0 (a hit in a text twice as long counts half) to 1.
    """

    def __init__(self, texts: Sequence[str], weight: float, leniency: float) -> None:
        lowered = [text.lower() for text in texts]
        lengths = [len(text) + 1 for text in lowered]
        average = sum(lengths) / len(lengths) if lengths else 1.0
        self._text = "\n" + "\n".join(lowered)  # so that a character stands before each word
        self._starts = list(accumulate(lengths, initial=1))[1:]
        self._factors = [
            weight / (leniency + (1 - leniency) * length / average) for length in lengths
        ]
        self._known: dict[str, list[tuple[int, float]]] = {}

    def words(self) -> set[str]:
        """The words of its texts, of three letters and more, as far as they are ASCII."""
        return set(_WORD.findall(" ".join(set(self._text.split()))))

    def hits(self, term: str) -> list[tuple[int, float]]:
        """(position of the tool, weighted frequency) for each tool that has `term`."""
        if term not in self._known:
            counted = Counter(bisect_right(self._starts, at) for at in self._places(term))
            self._known[term] = [
                (tool, times * self._factors[tool]) for tool, times in counted.items()
            ]
        return self._known[term]

    def _places(self, term: str) -> list[int]:
        text = self._text
        if term not in text:  # for most terms and fields; much quicker than what follows
            return []
        escaped = re.escape(term)
        if is_unspaced(term):
            return [hit.start() for hit in re.finditer(escaped, text)]
        if term.isalpha():
            words = re.finditer(rf"{escaped}[^\W\d_]*", text)
            found = [hit.start() for hit in words if stem(hit[0]) == term]
            return [at for at in found if not text[at - 1].isalpha()]
        exact = re.finditer(rf"{escaped}(?![a-z0-9])", text)
        return [at for hit in exact if not text[(at := hit.start()) - 1].isalnum()]


def fields(tools: Sequence[Tool]) -> list[Field]:
    """The fields of `tools`, in a fixed order."""
    parameters = [_parameters(tool.content.get("inputSchema")) for tool in tools]
    told = [_first_sentence(tool.description) for tool in tools]
    return [
        Field([_split(tool.name) for tool in tools], 5.0, 0.4),
        Field([_split(tool.server) for tool in tools], 1.2, 0.8),
        Field([tool.title or "" for tool in tools], 2.0, 0.6),
        Field([first for first, _ in told], 1.6, 0.3),
        Field([rest for _, rest in told], 0.6, 0.4),
        Field([_split(" ".join(names)) for names, _ in parameters], 0.8, 0.6),
        Field(["\n".join(texts) for _, texts in parameters], 0.4, 0.6),
    ]


def _first_sentence(text: str) -> tuple[str, str]:
    """(what a description says first, the rest of it)."""
    text = text.lstrip()
    end = _END.search(text)
    return (text[: end.end()], text[end.end() :]) if end else (text, "")


def _split(name: str) -> str:
    """`name` with a space where camelCase breaks."""
    return name if name.islower() else _CAMEL.sub(r"\1 \2", name)


def _parameters(schema: Json) -> tuple[list[str], list[str]]:
    """(names, descriptions) of the parameters, outer ones first."""
    names: list[str] = []
    described: list[str] = []
    layer = [schema]
    for _ in range(_DEEP):
        inner: list[Json] = []
        for part in layer:
            properties = part.get("properties") if isinstance(part, dict) else None
            for name, item in properties.items() if isinstance(properties, dict) else ():
                names.append(name)
                if isinstance(item, dict):
                    text = item.get("description")
                    if isinstance(text, str):
                        described.append(text)
                    inner.append(item.get("items", item) if "properties" not in item else item)
        layer = inner
    return names, described
