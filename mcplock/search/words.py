"""Words of a query, and which words of a text are the same ones.

A stem is always the beginning of the words that share it, so that they can be found in a
text by searching for the stem: nothing has to be cut into words beforehand.
"""

from functools import lru_cache

from mcplock.lazy import pattern

_COMMON = """
a an and any are as at be been by can could do does for from give have help how i if in into is it
its let like me my need of on onto or our out over please should so some tell than that the their
them there these they this to up us use using want was we what when where which who will with
would you your
"""
_STOP = frozenset(_COMMON.split())
# The scripts that put no space between words; then what mixes letters and digits; then words.
_UNSPACED = "\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_UNSPACED_RUN = pattern(f"[{_UNSPACED}]+")
_TOKEN = pattern(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    r"|(?P<mixed>(?:[A-Za-z]+[0-9]|[0-9]+[A-Za-z])[A-Za-z0-9]*)"
    rf"|(?P<word>[0-9]+|(?:(?![{_UNSPACED}])[^\W\d_])+)"
)
_PART = pattern(r"[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+")
_VOWELS = frozenset("aeiouy")
_SIBILANT = ("ches", "shes", "sses", "xes", "zes")
_KEEPS_S = ("ss", "us", "is", "news")


def query_terms(query: str) -> dict[str, float]:
    """The terms of a query and how much each counts: stems, and pairs of unspaced characters.

    A word in camelCase counts as a whole, which may be a name, and its parts half. Common
    words are left out, unless there is nothing else.

    >>> query_terms("Please list all open queries on GitHub")
    {'list': 1.0, 'all': 1.0, 'open': 1.0, 'quer': 1.0, 'github': 1.0, 'git': 0.5, 'hub': 0.5}
    >>> query_terms("搜索文件")
    {'搜索': 1.0, '索文': 1.0, '文件': 1.0}
    """
    terms: dict[str, float] = {}
    common: dict[str, float] = {}
    for hit in _TOKEN.finditer(query):
        token = hit[0].lower()
        if hit["unspaced"]:
            pairs = (token[at : at + 2] for at in range(max(1, len(token) - 1)))
            terms |= dict.fromkeys(pairs, 1.0)
        elif hit["mixed"]:
            terms[token] = 1.0
        elif token in _STOP:
            common[token] = 1.0
        else:
            terms[stem(token)] = 1.0
            parts = _PART.findall(hit[0])
            if len(parts) > 1:
                terms |= {stem(part.lower()): 0.5 for part in parts if part.lower() not in _STOP}
    return terms or common


def is_unspaced(term: str) -> bool:
    """Whether `term` is of a script without spaces, so that it counts inside a word too."""
    return _UNSPACED_RUN.match(term) is not None


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The beginning that the forms of an English word share.

    >>> [stem(word) for word in ("files", "file", "queries", "query", "running", "creation")]
    ['fil', 'fil', 'quer', 'quer', 'run', 'creat']
    """
    if not (word.isascii() and word.isalpha()):
        return word
    word = _singular(word)
    if word.endswith("ion") and len(word) >= 8 and word[-4] in "ts":
        return word[:-3]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and not _VOWELS.isdisjoint(rest):
            word = _undoubled(rest)
            break
    return word[:-1] if len(word) >= 4 and word[-1] in "ey" else word


def _singular(word: str) -> str:
    if len(word) < 3 or not word.endswith("s") or word.endswith(_KEEPS_S):
        return word
    if word.endswith("ies") and len(word) >= 5:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_SIBILANT) else word[:-1]


def _undoubled(word: str) -> str:
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsze" else word
