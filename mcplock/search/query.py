"""What a query asks for: its terms, and how much each of them counts."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from mcplock.lazy import pattern
from mcplock.records import NamedTuple
from mcplock.search.phrases import commands, phrases
from mcplock.search.words import UNSPACED, stem

_TOKEN = pattern(
    rf"(?P<unspaced>[{UNSPACED}]+)"
    r"|(?P<mixed>(?:[A-Za-z]+[0-9]|[0-9]+[A-Za-z])[A-Za-z0-9]*)"
    rf"|(?P<word>[0-9]+|(?:(?![{UNSPACED}])[^\W\d_])+)"
)
_SHORTENED = pattern(r"\b[a-z]+n['\u2019]t\b|['\u2019](?:s|m|d|re|ve|ll)\b", re.IGNORECASE)
"""What an apostrophe stands in: "don't", and the end of "what's"."""
_DOTTED = pattern(r"\b[^\W_]+(?:\.[^\W_]+)+")
"""The name of a file, a host, or the like."""
_CAMEL = pattern(r"[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+")
_COMMON = """
a about across after again along also although am among an and any are as at be because been
before being but by can could despite did do does during either else even ever for from give had
has have he help her him his how i if in into is it its just let like may me might must my need
neither nor of on onto or our out over per please shall she should since so some someone
something still such tell than that the their them then there these they this those though to
too towards unless until up upon us use using very via want was we were what when where whether
which while who whose why will with within would yet you your
"""
_STOP = frozenset(_COMMON.split())
_PART = 0.5
"""How much a word counts that is a part of a name or phrase, a number, or made of two."""
_MEANT = 0.7
"""How much a word counts that a phrase could be said with; several count less each."""
_LONGEST = 3


class Term(NamedTuple):
    """A stem, or two characters of a script without spaces.

    weight: how much it counts, 1 at most; spelt: the word as it was written, in lower case,
    where it may be one with a slip in it.
    """

    stem: str
    weight: float
    spelt: str = ""


def terms(query: str) -> list[Term]:
    """The terms of `query`, no two with one stem.

    A word in camelCase counts as a whole, which may be a name, and its parts half. Common
    words are left out, unless there is nothing else. What a phrase means, or a command of
    the shell, is added; and two words as one, which is how a name may have them.

    >>> [(term.stem, term.weight) for term in terms("the queries on GitHub")]
    [('quer', 1.0), ('github', 1.0), ('git', 0.5), ('hub', 0.5)]
    >>> [term.stem for term in terms("搜索文件")]
    ['搜索', '索文', '文件']
    >>> {term.stem: term.weight for term in terms("get rid of mail")}
    {'get': 0.5, 'rid': 0.5, 'mail': 1.0, 'delet': 0.7, 'getrid': 0.5}
    """
    query = _SHORTENED.sub("", query)
    words = [hit[0].lower() for hit in _TOKEN.finditer(query)]
    spoken, meant = _phrases_in(words)
    for name in _DOTTED.findall(query):
        spoken.update(name.lower().split("."))
    found: dict[str, Term] = {}
    for term in (*_own(query, spoken), *meant, *_joined(words)):
        known = found.get(term.stem)
        if known is None or known.weight < term.weight:
            found[term.stem] = term
    return list(found.values()) or [Term(word, 1.0) for word in dict.fromkeys(words)]


def _own(query: str, spoken: set[str]) -> Iterator[Term]:
    """The terms that are written in `query`; `spoken` are its words that are part of a phrase."""
    for hit in _TOKEN.finditer(query):
        word = hit[0].lower()
        if hit["unspaced"]:
            for at in range(max(1, len(word) - 1)):
                yield Term(word[at : at + 2], 1.0)
        elif hit["mixed"]:
            yield Term(word, 1.0)
        elif word.isdecimal():
            yield Term(word, _PART)
        elif word not in _STOP:
            yield Term(stem(word), _PART if word in spoken else 1.0, word)
            parts = [part.lower() for part in _CAMEL.findall(hit[0])]
            for part in parts if len(parts) > 1 else ():
                if part not in _STOP:
                    yield Term(stem(part), _PART)


def _phrases_in(words: Sequence[str]) -> tuple[set[str], list[Term]]:
    """(the words of `words` that are part of a phrase, the terms that its phrases stand for)."""
    spoken: set[str] = set()
    meant = [commands().get(tuple(words[:1]), ())]
    for at in range(len(words)):
        for size in range(2, _LONGEST + 1):
            phrase = tuple(words[at : at + size])
            if phrase in phrases():
                spoken.update(phrase)
                meant.append(phrases()[phrase])
    weights = {said: _MEANT / len(said) ** 0.5 for said in meant if said}
    return spoken, [Term(stem(word), weights[said]) for said in weights for word in said]


def _joined(words: Sequence[str]) -> Iterator[Term]:
    for word, other in pairwise(words):
        if word.isalpha() and other.isalpha() and not _STOP.intersection((word, other)):
            yield Term(stem(word + other), _PART)
