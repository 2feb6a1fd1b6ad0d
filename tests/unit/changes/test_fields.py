"""Who answers: `deepdiff` what is ordinary, our own walk what is large or not in its reach."""

import copy

import pytest

from mcplock.changes import FieldChange, Missing, fields
from mcplock.changes.deep import deep_changes
from mcplock.changes.fields import field_changes
from mcplock.changes.replay import replay
from mcplock.changes.walk import walk

TOOL = {
    "name": "search",
    "description": "Search the handbook.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 0},
            "order": {"enum": ["fit", "date", "title"]},
        },
        "required": ["query"],
    },
}
PROMPT = {"name": "ask", "arguments": [{"name": name, "required": False} for name in "abcd"]}
INPUT = TOOL["inputSchema"]
EDITS = {
    "a word": (TOOL, TOOL | {"description": "Search the web."}),
    "a key more": (TOOL, TOOL | {"title": None}),
    "a key less": (TOOL, {"name": "search", "inputSchema": INPUT}),
    "a private key": (TOOL, TOOL | {"__doc__": "x"}),
    "false for 0": ({"default": [{"name": "a", "n": 0}]}, {"default": [{"name": "a", "n": False}]}),
    "false for 0 in a list": ([0], [False]),
    "most keys": (PROMPT, {"name": "ask", "title": "Ask", "_meta": {}, "icons": []}),
    "text for an object": (TOOL, "Search."),
    "a word put in front": (["fit", "date", "title"], ["new", "fit", "date", "title"]),
    "a schema put in front": (INPUT["properties"]["limit"]["anyOf"], [{}, {"type": "integer"}]),
}


def prompt(*arguments: dict) -> dict:
    return PROMPT | {"arguments": list(arguments)}


A, B, C, D = PROMPT["arguments"]
ARGUMENTS = {
    "one in front": prompt({"name": "z"}, A, B, C, D),
    "one gone": prompt(A, C, D),
    "one behind one gone": prompt(A, {"name": "z"}, C, D),
    "an edit behind one that came": prompt({"name": "z"}, A, B, C, D | {"required": True}),
    "an edit behind one gone": prompt(B, C | {"title": "C"}, {"name": "d"}),
    "one gone behind two that came": prompt({"name": "y"}, {"name": "z"}, A, {"name": "c"}, D),
    "others": prompt({"name": "x"}, {"name": "y"}),
}
EDITS |= {f"of arguments, {name}": (PROMPT, new) for name, new in ARGUMENTS.items()}


@pytest.fixture
def no_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is there to answer in place of `deepdiff`."""
    monkeypatch.delattr(fields, "walk")


@pytest.mark.usefixtures("no_walk")
@pytest.mark.parametrize(("old", "new"), EDITS.values(), ids=EDITS)
def test_deepdiff_answers_as_the_walk_would(old, new):
    assert field_changes(old, new) == walk(old, new) != []
    assert field_changes(new, old) == walk(new, old)


NAMED = [{"name": name} for name in "abc"]
DEEP = {"a": {}}
for _ in range(18):
    DEEP = {"a": DEEP}
BEYOND = {
    "names in another order": (NAMED, NAMED[::-1]),
    "more text": ("a" * 16_000, "b"),
    "more levels": ({"a": DEEP}, 0),
}


@pytest.mark.parametrize(("old", "new"), BEYOND.values(), ids=BEYOND)
def test_the_walk_answers_the_rest(old, new, monkeypatch):
    answer = [FieldChange("/walked", 0, 1)]
    monkeypatch.setattr(fields, "walk", lambda _old, _new: answer)
    assert field_changes(old, new) is field_changes(new, old) is answer


@pytest.mark.usefixtures("no_walk")
def test_what_is_just_within_the_bounds_is_ordinary():
    assert field_changes("a" * 15_998, "b")
    assert field_changes(DEEP, DEEP | {"b": 0})


def test_a_word_put_in_front_moves_no_other():
    (change,) = deep_changes({"enum": ["fit", "date"]}, {"enum": ["new", "fit", "date"]})
    assert change == FieldChange("/enum/0", Missing.ABSENT, "new")


ORDERS = {
    "words": ["a", "b", "c"],
    "twice the same": ["a", "b", "a"],
    "objects": [{"const": 1}, {"const": 2}],
    "names": NAMED,
    "true and one": [True, 1],
    "lists": [[1], [2]],
}


@pytest.mark.parametrize("items", ORDERS.values(), ids=ORDERS)
def test_another_order_of_the_same_items_is_one_difference_with_both_orders(items):
    other = [*items[1:], items[0]]
    old, new = {"x": items, "y": 0}, {"x": other, "y": 0}
    assert field_changes(old, new) == walk(old, new) == [FieldChange("/x", items, other)]


@pytest.mark.parametrize("ask", [deep_changes, walk])
def test_what_stands_in_a_list_is_told_from_what_has_a_key(ask):
    old = {"0": 1, "x": ["a"], "args": [{"name": "a"}, {"name": "b"}]}
    new = {"1": 1, "x": ["b", "c"], "args": [{"name": "a", "n": 1}]}
    told = {field.pointer: field.item for field in ask(old, new)}
    keys, items = {"/0", "/1", "/args/0/n"}, {"/x/0", "/x/1", "/args/1"}
    assert told == dict.fromkeys(keys, False) | dict.fromkeys(items, True)


def test_a_replay_changes_neither_side():
    old, new = {"a": [{"b": 1}], "c": 0}, {"a": [{}, {"b": 2}]}
    before = copy.deepcopy((old, new))
    made = replay(old, walk(old, new))
    made["a"][0]["x"] = 1
    assert (old, new) == before


def test_a_replay_edits_one_place_of_a_value_that_stands_in_two():
    twice = {"a": [1]}
    fields = [FieldChange("/0/a/0", 1, 2)]
    assert replay([twice, twice], fields) == [{"a": [2]}, {"a": [1]}]


@pytest.mark.parametrize("pointer", ["/b/c", "/a/7", "/a/x", "/c/d"])
def test_a_replay_refuses_what_does_not_fit(pointer):
    with pytest.raises((LookupError, TypeError, ValueError)):
        replay({"a": [1], "c": 0}, [FieldChange(pointer, 0, Missing.ABSENT)])
