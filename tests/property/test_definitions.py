"""Entries of listings in any order, with anything in them."""

import json

from hypothesis import given
from hypothesis import strategies as st

from mcplock.audit.findings import strings
from mcplock.definitions import listing
from mcplock.model import SECTIONS
from tests.property.strategies import OBJECTS, VALUES

SECRET = 'k"\\é😀12345'
NAMED = st.builds(lambda name, rest: rest | {"name": name}, st.sampled_from("abc"), OBJECTS)
ITEMS = st.lists(
    NAMED.map(json.dumps) | VALUES.map(json.dumps) | st.just('{"name":"a","x":NaN}'), max_size=6
)


def read(*pages, secrets=None):
    texts = ['{"result":{"tools":[' + ",".join(page) + "]}}" for page in pages]
    return listing("s", SECTIONS[0], texts, secrets or {})


@given(ITEMS, st.randoms(), st.integers(0, 6))
def test_neither_order_nor_pages_count(items, chance, cut):
    again = list(items)
    chance.shuffle(again)
    assert read(again[:cut], again[cut:]).entries == read(items).entries


@given(ITEMS)
def test_names_stand_in_order_and_every_entry_has_content_or_a_code(items):
    entries = read(items).entries
    assert list(entries) == sorted(entries)
    for entry in entries.values():
        assert (entry.content is None) <= (entry.invalid is not None)


@given(ITEMS, st.booleans(), st.integers(0, 20))
def test_no_secret_is_kept(items, ascii_only, place):
    spelt = json.dumps(SECRET, ensure_ascii=ascii_only)[1:-1]
    texts = [text[:place] + text[place:].replace("a", spelt) for text in items]
    texts = [text for text in texts if readable(text)]
    found = read(texts, secrets={SECRET: "${S}"})
    kept = [[*found.entries], *(entry.content for entry in found.entries.values())]
    kept += [[issue.name, issue.message] for issue in found.issues]
    assert not [text for _, text in strings(kept) if SECRET in text]


def readable(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
