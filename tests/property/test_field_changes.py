"""No difference is lost: what the fields say, done to the old value, makes the new one."""

import copy

from deepdiff import DeepDiff
from hypothesis import given
from hypothesis import strategies as st

from mcplock.canonical import canonical, hash_value
from mcplock.changes.deep import deep_changes
from mcplock.changes.fields import field_changes
from mcplock.changes.model import Missing
from mcplock.changes.walk import walk
from mcplock.pointers import step, steps, value_at

KEYS = st.sampled_from(
    ["", "a", "b", "0", "1", "a/b", "~", "~1", "it's", "[0]", ".", "type", "__a"]
)
SCALARS = st.sampled_from([None, True, False, 0, 1, -1, 0.5, "", "0", "a", "true", 10**400])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=25,
)


def replay(old, fields):
    """Take out from the end on, by the old pointers; then put in and change, from the front."""
    value = [copy.deepcopy(old)]
    gone = [field for field in fields if field.new is Missing.ABSENT]
    for field in reversed(gone):
        *path, last = [0, *steps(field.pointer)]
        del (parent := value_at(value, path))[int(last) if isinstance(parent, list) else last]
    for field in fields:
        if field.new is Missing.ABSENT:
            continue
        *path, last = ["0", *steps(field.pointer)]
        parent = value_at(value, path)
        if field.old is Missing.ABSENT and isinstance(parent, list):
            parent.insert(int(last), field.new)
        else:
            parent[int(last) if isinstance(parent, list) else last] = field.new
    return value[0]


def check(old, new):
    for changes in (field_changes, walk):
        check_fields(old, new, changes(old, new))


def check_fields(old, new, fields):
    assert (fields == []) == (hash_value(old) == hash_value(new))
    assert canonical(replay(old, fields)) == canonical(new)
    for field in fields:
        if field.old is not Missing.ABSENT and field.new is Missing.ABSENT:
            assert value_at(old, steps(field.pointer)) is field.old
        if field.new is not Missing.ABSENT:
            assert value_at(new, steps(field.pointer)) is field.new


@given(VALUES, VALUES)
def test_any_two_values(old, new):
    check(old, new)


@st.composite
def edited(draw):
    """A value and the same with one place in it replaced, removed or added to."""
    old = draw(VALUES)
    new = copy.deepcopy(old)
    at = new
    while isinstance(at, dict | list) and at:
        key = draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if not isinstance(at[key], dict | list) or not at[key] or draw(st.booleans()):
            match draw(st.sampled_from(["replace", "remove", "add"])):
                case "replace":
                    at[key] = draw(SCALARS)
                case "remove":
                    del at[key]
                case "add" if isinstance(at, list):
                    at.insert(key, draw(VALUES))
                case "add":
                    at["new"] = draw(VALUES)
            break
        at = at[key]
    return old, new


@given(edited())
def test_a_value_and_an_edit_of_it(pair):
    check(*pair)


@given(st.lists(st.sampled_from("ab"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_lists_of_words(old, new):
    check(old, new)


OBJECTS = st.recursive(
    SCALARS, lambda inner: st.dictionaries(KEYS, inner, max_size=4), max_leaves=25
)


@given(OBJECTS, OBJECTS)
def test_of_values_without_lists_another_program_finds_the_same(old, new):
    """`deepdiff` as it is; in lists it takes `True` for `1`."""
    tree = DeepDiff(
        old, new, view="tree", threshold_to_diff_deeper=0, ignore_private_variables=False
    )
    found = {
        "".join(map(step, level.path(output_format="list")))
        for levels in tree.values()
        for level in levels
    }
    assert {field.pointer for field in walk(old, new)} == found


@given(edited())
def test_of_one_edit_deepdiff_says_the_same(pair):
    assert deep_changes(*pair) == walk(*pair)


ARGUMENTS = st.lists(
    st.fixed_dictionaries({"name": st.sampled_from("abcdefg")}, optional={"v": SCALARS}),
    max_size=7,
    unique_by=lambda item: item["name"],
)


@given(ARGUMENTS, ARGUMENTS)
def test_lists_of_named_objects(old, new):
    check({"arguments": old}, {"arguments": new})


@given(ARGUMENTS, st.data())
def test_of_named_objects_in_order_deepdiff_says_the_same(old, data):
    """Some went, some were edited, some came; none changed places."""
    new = [
        item | {"v": data.draw(SCALARS)} if data.draw(st.booleans()) else item
        for item in old
        if data.draw(st.booleans())
    ]
    for name in data.draw(st.lists(st.sampled_from("xyz"), unique=True)):
        new.insert(data.draw(st.integers(0, len(new))), {"name": name})
    assert deep_changes(old, new) == walk(old, new)
