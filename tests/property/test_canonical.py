"""What a hash sees, and what it does not."""

import copy
import json
from collections.abc import Iterator

from hypothesis import assume, example, given
from hypothesis import strategies as st

from mcplock.canonical import canonical, hash_value, number
from mcplock.definitions import definition_entry
from mcplock.jsontext import parse
from mcplock.model import SECTIONS
from tests.property.strategies import DOUBLES, KEYS, OBJECTS, SCALARS, TEXTS, VALUES
from tests.unit import independent_hash


def hash_text(text: str) -> str:
    return hash_value(parse(text))


@given(VALUES)
def test_the_canonical_form_is_a_fixed_point(value):
    text = canonical(parse(json.dumps(value)))
    assert canonical(parse(text)) == text
    assert json.loads(text) == value


@given(TEXTS)
def test_another_implementation_finds_the_same(text):
    assert canonical(parse(text)) == independent_hash.result(text).form


@given(st.lists(st.tuples(KEYS, TEXTS), max_size=4))
def test_another_implementation_agrees_on_duplicate_keys_too(members):
    text = "{" + ",".join(f"{json.dumps(key)}: {value}" for key, value in members) + "}"
    _, entry = definition_entry(SECTIONS[1], text, {})
    other = independent_hash.result(text)
    assert (entry.hash, entry.invalid) == (other.hash, other.invalid)


@given(VALUES, st.randoms())
def test_the_order_of_keys_does_not_count(value, chance):
    assert hash_text(json.dumps(shuffled(value, chance))) == hash_text(json.dumps(value))


def shuffled(value, chance):
    match value:
        case dict():
            pairs = [(key, shuffled(item, chance)) for key, item in value.items()]
            chance.shuffle(pairs)
            return dict(pairs)
        case list():
            return [shuffled(item, chance) for item in value]
        case _:
            return value


@given(st.integers(-(2**53), 2**53))
def test_the_spelling_of_an_integer_does_not_count(value):
    texts = [f"{value}.0", f"{value}.000", f"{value}e0", f"{value * 10}e-1", f"{value}E+00"]
    assert {canonical(parse(text)) for text in texts} == {str(value)}


@given(DOUBLES)
@example(5e-324)
@example(1e-7)
@example(-0.0)
@example(1e21)
def test_the_spelling_of_a_double_does_not_count(value):
    texts = [repr(value), f"{value:.17e}", f"{value:.25E}", json.dumps(value)]
    assert len({canonical(parse(text)) for text in texts}) == 1
    assert float(number(value)) == value


@given(st.integers())
def test_every_integer_has_a_hash_of_its_own(value):
    assert hash_text(str(value)) != hash_text(str(value + 1))


@given(OBJECTS, st.data())
def test_a_change_at_any_pointer_is_seen(value, data):
    places = list(pointers(value))
    assume(places)
    container, step = data.draw(st.sampled_from(places))
    before = hash_value(parse(json.dumps(value)))
    changed = copy.deepcopy(value)
    target = at(changed, container)
    match data.draw(st.sampled_from(["replace", "delete", "add"])):
        case "replace":
            new = data.draw(SCALARS)
            assume(canonical(parse(json.dumps(new))) != canonical(parse(json.dumps(target[step]))))
            target[step] = new
        case "delete":
            del target[step]
        case "add" if isinstance(target, list):
            target.insert(step, None)
        case _:
            assume(f"{step}+" not in target)
            target[f"{step}+"] = None
    assert hash_value(parse(json.dumps(changed))) != before


def pointers(value, path=()) -> Iterator[tuple[tuple, str | int]]:
    """(path of the container, key or position) of every value in `value`."""
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, item in steps:
        yield path, step
        if isinstance(item, (dict, list)):
            yield from pointers(item, (*path, step))


def at(value, path):
    for step in path:
        value = value[step]
    return value
