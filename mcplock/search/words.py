"""Which words are forms of the same one.

A stem is always the beginning of the words that share it, so that they can be found in a
text by searching for the stem: nothing has to be cut into words beforehand.
"""

from functools import lru_cache

from mcplock.lazy import pattern

# The scripts that put no space between words.
UNSPACED = "\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_UNSPACED_RUN = pattern(f"[{UNSPACED}]+")
_VOWELS = frozenset("aeiouy")
_SIBILANT = ("ches", "shes", "sses", "xes", "zes")
_KEEPS_S = ("ss", "us", "is", "news")
# What makes another form of a word, and how much of the word must be left of it.
_ENDINGS = (
    ("ship", 5),
    ("ion", 5),
    ("ing", 3),
    ("ied", 3),
    ("ed", 3),
    ("er", 4),
    ("or", 4),
    ("ly", 5),
)
_APART = frozenset(["documentat"])
"""Not the noun of the verb that its ending would make it."""


def is_unspaced(term: str) -> bool:
    """Whether `term` is of a script without spaces, so that it counts inside a word too."""
    return _UNSPACED_RUN.match(term) is not None


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The beginning that the forms of an English word share.

    >>> [stem(word) for word in ("files", "file", "queries", "query", "running", "creator")]
    ['fil', 'fil', 'quer', 'quer', 'run', 'creat']
    """
    if not (word.isascii() and word.isalpha()):
        return word
    word = _singular(word)
    for ending, least in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= least and not _VOWELS.isdisjoint(rest):
            word = _undoubled(rest)
            break
    if word.endswith("at") and len(word) >= 7 and word not in _APART:
        word = word[:-2]
    return word[:-1] if len(word) >= 4 and word[-1] in "eyi" else word


def _singular(word: str) -> str:
    if len(word) < 3 or not word.endswith("s") or word.endswith(_KEEPS_S):
        return word
    if word.endswith("ies") and len(word) >= 5:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_SIBILANT) else word[:-1]


def _undoubled(word: str) -> str:
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsze" else word
