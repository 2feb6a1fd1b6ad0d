"""The lock, whatever is in it: read and written without loss, in one form, nothing hidden."""

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from mcplock.errors import FaultyFile
from mcplock.lockfile import format_lock, read_lock
from mcplock.model import SECTIONS, Lock
from mcplock.naming import entries_of
from mcplock.text import HIDDEN
from tests.property.locks import LOCKS

SOME = settings(max_examples=60)


@SOME
@given(LOCKS)
def test_what_is_written_reads_as_it_was(lock):
    text = format_lock(lock)
    again, canonical = read_lock(text.encode(), "mcp.lock")
    assert again == lock
    assert canonical
    assert format_lock(again) == text


def shuffled(lock, chance):
    def mixed(items):
        pairs = list(items.items())
        chance.shuffle(pairs)
        return dict(pairs)

    return Lock(
        {
            name: server._replace(
                definitions=mixed({kind: mixed(held) for kind, held in server.definitions.items()}),
                reserved=mixed(server.reserved),
                source=server.source._replace(content=mixed(server.source.content)),
            )
            for name, server in mixed(lock.servers).items()
        }
    )


@SOME
@given(LOCKS, st.randoms())
def test_one_lock_has_one_text(lock, chance):
    assert format_lock(shuffled(lock, chance)) == format_lock(lock)


@SOME
@given(LOCKS, st.randoms())
def test_neither_white_space_nor_escapes_nor_the_order_of_names_change_what_is_read(lock, chance):
    document = json.loads(format_lock(shuffled(lock, chance)))
    text = json.dumps(document, indent=chance.choice([None, 0, 1, 8]), ensure_ascii=True)
    again, _ = read_lock(text.encode(), "mcp.lock")
    assert format_lock(again) == format_lock(lock)


@SOME
@given(LOCKS)
def test_no_character_is_hidden(lock):
    text = format_lock(lock)
    assert text.endswith("}\n")
    for line in text[:-1].split("\n"):
        assert not HIDDEN.search(line)
        assert not re.search("[\u0300-\u036f\U00010000-\U0010ffff]", line)


@SOME
@given(LOCKS)
def test_the_keys_of_a_definition_keep_their_order(lock):
    document = json.loads(format_lock(lock))
    for named in entries_of(lock):
        section = next((s for s in SECTIONS if s.kind is named.kind), None)
        if section and named.entry.content is not None:
            held = document["servers"][named.server][section.key][named.name]
            beside = {section.identity, *(held.keys() & {"description"})}
            sent = [key for key in named.entry.content if key not in beside]
            assert list(held["definition"]) == sent


class Number(str):
    """A number as it is written."""

    __slots__ = ()


def one_line(value):
    """A second opinion on how a value stands on one line."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        written = json.dumps(value)
        return re.sub(r"(?<!\\)((?:\\\\)*)\\u([0-9a-f]{4})", bared, written)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{one_line(k)}: {one_line(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(one_line, value)) + "]"
    return json.dumps(value)


def bared(hit):
    character = chr(int(hit[2], 16))
    combining = "\u0300" <= character <= "\u036f"
    return hit[0] if HIDDEN.match(character) or combining else hit[1] + character


def rows(value, start, end, indent):
    """The lines of a value that stands after `start` and before `end`."""
    whole = f"{indent}{start}{one_line(value)}{end}"
    nested = isinstance(value, (dict, list)) and value and "{" in strip(value)
    if not isinstance(value, (dict, list)) or not value or (not nested and len(whole) <= 100):
        return [whole]
    if isinstance(value, dict):
        items = [(f"{one_line(key)}: ", item) for key, item in value.items()]
    else:
        items = [("", item) for item in value]
    lines = [f"{indent}{start}{'{' if isinstance(value, dict) else '['}"]
    for number, (key, item) in enumerate(items, start=1):
        lines += rows(item, key, "," * (number < len(items)), indent + "  ")
    return [*lines, f"{indent}{'}' if isinstance(value, dict) else ']'}{end}"]


def strip(container):
    """The brackets of what is inside a container."""
    inner = container.values() if isinstance(container, dict) else container
    return re.sub(r'"(?:[^"\\]|\\.)*"', "", "".join(map(json.dumps, inner)))


@SOME
@given(LOCKS)
def test_the_layout_is_as_a_second_writer_lays_it_out(lock):
    text = format_lock(lock)
    value = json.loads(text, parse_int=Number, parse_float=Number)
    assert text == "\n".join(rows(value, "", "", "")) + "\n"


def state(entry):
    """A second opinion on what the JSON of an entry says."""
    if "denied" in entry:
        return "denied"
    if "invalid" in entry:
        return "invalid"
    if "approved" not in entry:
        return "new"
    return "approved" if entry["approved"] == entry["hash"] else "changed"


@SOME
@given(LOCKS)
def test_the_state_follows_from_what_is_written(lock):
    document = json.loads(format_lock(lock))["servers"]
    keys = {section.kind: section.key for section in SECTIONS}
    for named in entries_of(lock):
        held = document[named.server]
        held = held[keys[named.kind]][named.name] if named.kind in keys else held[named.kind.value]
        assert named.entry.state == state(held)


MARKS = ['"', "\\", "{", "}", "[", "]", ",", ":", "\n", " ", "0", "1", "e5", "null", "-", "NaN"]
WORDS = ['"hash"', '"approved"', '"denied": "x",', '"absent": true,', '"confirm": "never",']
ODD = ["sha256:", "<<<<<<< a\n", "\u202e", "\ufeff", "\ud800", "\x00", "\udcff"]
PIECES = st.sampled_from([*MARKS, *WORDS, *ODD])


@settings(max_examples=200)
@given(LOCKS, st.data())
def test_an_edited_text_is_a_lock_or_a_fault(lock, data):
    text = format_lock(lock).encode()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        piece = data.draw(PIECES).encode("utf-8", "surrogatepass")
        text = text[:at] + piece + text[at + data.draw(st.integers(0, 30)) :]
    try:
        again, canonical = read_lock(text, "mcp.lock")
    except FaultyFile as error:
        assert error.faults
        return
    written = format_lock(again).encode()
    assert canonical == (written == text)
    assert read_lock(written, "mcp.lock") == (again, True)
