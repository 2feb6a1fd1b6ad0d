"""A line that is typed key by key: what each key makes of it, and how much of it a row shows."""

from mcplock.render.cells import cells, clusters

ESCAPE = "\x1b"
_BACKSPACE = ("\x7f", "\b")
_WORD_BACK = ("\x17", ESCAPE + "\x7f")
_LINE_BACK = "\x15"
_END = "\x04"


def edited(text: str, key: str) -> str | None:
    """`text` after a key, which is a character or a name; None where the key leaves the line.

    Keys that move or control and are none of an editor's leave `text` as it is.
    """
    match key:
        case _ if key in _BACKSPACE:
            return "".join([*clusters(text)][:-1])
        case _ if key in _WORD_BACK:
            return text[: text.rstrip().rfind(" ") + 1]
        case _ if key == _LINE_BACK:
            return ""
        case _ if _leaves(text, key):
            return None
        case _:
            return text + key if len(key) == 1 and not _controls(key) else text


def row_end(text: str, width: int) -> str:
    """As much of the end of `text` as `width` cells hold."""
    kept = ""
    for cluster in reversed([*clusters(text)]):
        if cells(cluster + kept) > width:
            break
        kept = cluster + kept
    return kept


def _leaves(text: str, key: str) -> bool:
    """Escape, also where another control key came at once with it; Ctrl-D on an empty line."""
    if key == _END:
        return not text
    return key[:1] == ESCAPE and len(key) <= 2 and all(map(_controls, key))


def _controls(character: str) -> bool:
    return character < " " or "\x7f" <= character <= "\x9f"
