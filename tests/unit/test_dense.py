"""Definitions of very many values: never built, seen to change, and no others affected."""

import pytest

from mcplock.changes import compare_entries
from mcplock.definitions import TooMany, listing
from mcplock.jsontext import MAX_VALUES, JsonFault, array_items, has_too_many, spans
from mcplock.model import SECTIONS, Invalid, Kind, State
from mcplock.render.diff import render_changes
from mcplock.render.limits import MOST_LINES
from mcplock.render.spans import to_plain
from tests.locks import entry, tool

TOOLS = SECTIONS[0]
UNITS = ["{},", "[],", '{"a":0},', '"a\\n",', '{ "a" : [ 0 ] } ,', "[" * 20 + "]" * 20 + ","]
OK = '{"name":"ok","inputSchema":{"type":"object"}}'


def page(*definitions: str) -> str:
    return f'{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{",".join(definitions)}]}}}}'


def wide(unit: str, units: int, last: str = "0") -> str:
    return f'{{"name":"wide","x":[{unit * units}{last}]}}'


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("marks", [150_000, 1_100_000])
def test_too_many_values_make_one_definition_invalid_and_no_other(unit: str, marks: int) -> None:
    units = marks // sum(map(unit.count, ",[{"))
    found = listing("s", TOOLS, [page(OK, wide(unit, units), OK.replace("ok", "after"))], {})
    assert {name: held.invalid for name, held in found.entries.items()} == {
        "after": None,
        "ok": None,
        "wide": Invalid.DEPTH,
    }
    assert found.entries["wide"].content is None
    other = listing("s", TOOLS, [page(OK, wide(unit, units, "1"))], {})
    assert other.entries["wide"].hash != found.entries["wide"].hash
    assert other.entries["ok"] == found.entries["ok"]


def test_the_limit_is_a_hundred_thousand_commas_and_brackets_outside_of_strings() -> None:
    brackets = 2
    most = wide('"a,[{",', MAX_VALUES - brackets - 1)
    assert not has_too_many(most)
    assert has_too_many(most.replace("0]", "0,1]"))
    assert listing("s", TOOLS, [page(most)], {}).entries["wide"].state is State.NEW


def test_white_space_alone_is_no_change() -> None:
    text = wide('{"a":0},', MAX_VALUES)
    spaced = text.replace(",", " ,\n").replace('"x"', '"\\u0078"')
    one, other = (listing("s", TOOLS, [page(sent)], {}).entries["wide"] for sent in (text, spaced))
    assert one.hash == other.hash


def test_a_list_as_a_whole_has_a_limit_too() -> None:
    each = [wide("0,", MAX_VALUES - 10).replace("wide", f"t{at}") for at in range(21)]
    assert len(listing("s", TOOLS, [page(*each[:19])], {}).entries) == 19
    with pytest.raises(TooMany):
        listing("s", TOOLS, [page(*each)], {})


def test_a_dense_text_is_cut_where_its_values_end() -> None:
    inside = ["{}", '{"]":[1,{"}":"\\\\\\""}]}', "[[[[[[[[[[]]]]]]]]]]", "7", '"[,{"', "[]"]
    filler = "[" + "{}," * 600_000 + "0]"
    text = "[" + ",\n".join([*inside, filler, *inside]) + "]"
    assert array_items(text, ()) == [*inside, filler, *inside]
    assert spans(text)[-1] == ((), 0, len(text))


@pytest.mark.parametrize("end", ["", "]", '"', '"a]'])
def test_a_dense_text_that_breaks_off_is_a_fault(end: str) -> None:
    with pytest.raises(JsonFault):
        array_items("[[" + "{}," * 600_000 + "0" + end, ())


def change(old: object, new: object) -> list[str]:
    changed = compare_entries(
        "s", Kind.TOOL, "t", tool("t", old, approve=True), tool("t", new, approve=True)
    )
    return to_plain(render_changes([changed], 80)).splitlines()


def test_a_difference_is_printed_up_to_a_limit_and_the_rest_is_told() -> None:
    items = [f"a{at}" for at in range(5_000)]
    old, new = entry({"name": "t", "x": items}), entry({"name": "t", "x": [*items[:9], "b"]})
    lines = render_changes([compare_entries("s", Kind.TOOL, "t", old, new)], 80)
    assert len(lines) < MOST_LINES + 5
    assert "more lines; `mcplock show s/t --json` has all of it" in to_plain(lines)


def test_of_a_long_text_what_differs_is_shown_and_how_long_it_is() -> None:
    same = "The same words. " * 40_000
    lines = change(same + "Good.", same + "Evil.")
    text = "\n".join(lines)
    assert "- " in text and "Evil." in text and "Good." in text
    assert "⟨640,005 and 640,005 characters: what follows character 639,800⟩" in text
    assert len(lines) < 30


def test_a_long_text_that_is_new_is_printed_to_a_limit() -> None:
    content = {"name": "t", "description": "word " * 100_000}
    change = compare_entries("s", Kind.TOOL, "t", None, entry(content))
    assert "⟨300,000 more characters⟩" in to_plain(render_changes([change], 80, whole=True))
