"""The line of a syntax fault, with a caret, and without what may be a secret."""

import re
from bisect import bisect_right

from mcplock.errors import Fault
from mcplock.lazy import pattern
from mcplock.manifest.secrets import shaped, without_shapes
from mcplock.text import HIDDEN

_WIDTH = 72
_LONGEST = 1_000_000
_PIECE = pattern(r"""(?P<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?P<open>["'])|(?P<word>[\w.-]+)|\s|.""")
_MARKS = "{}[],:=#/ "


class Lines:
    """Line numbers and columns of positions in one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(hit.end() for hit in re.finditer("\n", text))]

    def line(self, position: int) -> int:
        """The line, from 1, that `position` is on."""
        return bisect_right(self._starts, position)

    def position(self, line: int, column: int) -> int:
        """The position of a line and a column, both from 1."""
        return self._starts[min(line, len(self._starts)) - 1] + column - 1

    def fault(self, file: str, position: int, message: str) -> Fault:
        """A fault of the syntax, with its column and the line it is on."""
        line = self.line(position)
        column = position - self._starts[line - 1]
        content = self._text[self._starts[line - 1] :].partition("\n")[0]
        excerpt = ""
        if len(content) <= _LONGEST:
            inside = self._inside_string(self._starts[line - 1])
            excerpt = _pointed(masked(content, inside_string=inside), column)
        return Fault(file, line, "", without_shapes(message), column + 1, excerpt)

    def _inside_string(self, position: int) -> bool:
        """Whether `position` is inside a string of several lines, as TOML has them."""
        return any(self._text.count(quotes, 0, position) % 2 for quotes in ('"""', "'''"))


def masked(line: str, *, inside_string: bool = False) -> str:
    """`line` with its keys and punctuation; each character of a value is a dot.

    A configuration holds passwords, and what does not parse cannot be told from one.
    """
    shown: list[str] = []
    before = ","  # a line may begin with a key, as what follows a brace or a comma may
    for hit in _PIECE.finditer(line):
        piece = hit[0]
        inside_string = inside_string or hit.lastgroup == "open"  # one that does not end here
        key = before in "{," and _is_key(piece, line[hit.end() : hit.end() + 8])
        if inside_string or not (piece in _MARKS or (key and hit.lastgroup)):
            shown.append(_dots(piece))
        else:
            shown.append(HIDDEN.sub("·", piece) if piece != " " else piece)
        before = before if piece.isspace() else piece
    return "".join(shown)


def _dots(piece: str) -> str:
    if len(piece) > 1 and piece[0] in "\"'":
        return f"{piece[0]}{'·' * (len(piece) - 2)}{piece[-1]}"
    return piece if piece in "\"' " else "·" * len(piece)


def _is_key(piece: str, rest: str) -> bool:
    rest = rest.lstrip()
    assigned = rest.startswith("=") and rest[1:].strip(" =") != ""  # not the end of a base64 line
    return len(piece) <= 48 and not shaped(piece) and (rest.startswith(":") or assigned)


def _pointed(line: str, column: int) -> str:
    start = max(0, min(column - _WIDTH // 2, len(line) - _WIDTH))
    cut = line[start : start + _WIDTH]
    left, right = ("…" if start else " "), ("…" if start + _WIDTH < len(line) else "")
    return f"  {left}{cut}{right}\n   {' ' * (column - start)}^"
