"""What a word may be that no tool has."""

from collections.abc import Set

from mcplock.search.words import stem

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LONGEST = 30
_SLIP = 0.6
_BEGINNING = 0.4
_HALF = 0.5


def likely(word: str, known: Set[str]) -> dict[str, float]:
    """Stems of `known` words that `word` may stand for, and how near they are, below 1.

    It has one slip in it; or it is the beginning of them; or two of them as one.

    >>> likely("retreive", {"retrieve", "delete"})
    {'retriev': 0.6}
    >>> likely("auth", {"authorize", "author", "delete"})
    {'auth': 0.4, 'authoriz': 0.4}
    >>> likely("taskboard", {"task", "board", "tasks"})
    {'task': 0.5, 'board': 0.5}
    """
    if not (word.isascii() and word.isalpha() and 4 <= len(word) <= _LONGEST):
        return {}
    found = sorted(_slips(word) & known)
    if found:
        return {stem(other): _SLIP for other in found}
    found = sorted(other for other in known if other.startswith(word))
    if found:
        return {stem(other): _BEGINNING for other in found}
    for at in range(3, len(word) - 2):
        halves = (word[:at], word[at:])
        if all(half in known or half + "s" in known for half in halves):
            return {stem(half): _HALF for half in halves}
    return {}


def _slips(word: str) -> set[str]:
    """What `word` is without one slip; the first letter is right.

    Short words have many like them, so that theirs is a letter left out.
    """
    cuts = [(word[:at], word[at:]) for at in range(1, len(word) + 1)]
    missing = {left + letter + right for left, right in cuts for letter in _LETTERS}
    if len(word) < 6:
        return missing if len(word) == 5 else set()
    twisted = {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    extra = {left + right[1:] for left, right in cuts if right}
    wrong = {left + letter + right[1:] for left, right in cuts if right for letter in _LETTERS}
    return missing | twisted | extra | wrong
