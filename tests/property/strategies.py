"""JSON values, and texts that are or nearly are JSON."""

import json

from hypothesis import strategies as st

DOUBLES = st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
# Letters that sort otherwise by UTF-16 unit, that are escaped, hidden, or alike.
TELLING = st.text('aàa\u0301\ue000\ufb01😀\U0010ffff\u2028\u200b\n"\\/\x7f⟨{[,:', max_size=5)
KEYS = TELLING | TEXT

SCALARS = st.none() | st.booleans() | st.integers() | DOUBLES | TELLING | TEXT


def containers(children: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(children, max_size=4) | st.dictionaries(KEYS, children, max_size=4)


VALUES = st.recursive(SCALARS, containers, max_leaves=12)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=5)
TEXTS = VALUES.map(json.dumps)

_MARKS = [*list("{}[],: \n\"\\-'/0"), '"a"', '"\\u0041"', "\\u00", "1.5", "e5", "01", "nul"]
_WORDS = ["true", "null", "NaN", "-Infinity", "\ud800", "é", "\x00"]
_PIECES = st.sampled_from(_MARKS + _WORDS)
BROKEN = st.lists(_PIECES, max_size=12).map("".join)


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """JSON with one piece put in, taken out or exchanged."""
    text = draw(TEXTS)
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(_PIECES | st.just("")) + text[at + draw(st.integers(0, 2)) :]
