import doctest

import pytest

import mcplock.arguments
from mcplock.arguments import check_arguments, coerce, input_schema, read_json
from mcplock.errors import UsageError

SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "deep": {"type": "boolean"},
        "none": {"type": "null"},
        "either": {"type": ["integer", "string"]},
        "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "level": {"enum": [1, 2, 3]},
        "word": {"enum": ["1", "2"]},
        "flag": {"const": True},
        "tags": {"type": "array", "items": {"type": "string"}},
        "ids": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
        "filter": {"type": "object"},
        "named": {"$ref": "#/$defs/Number"},
        "narrow": {"allOf": [{"type": ["string", "integer"]}, {"type": "integer"}]},
        "any": {},
        "a=b": {"type": "integer"},
        "loop": {"$ref": "#/properties/loop"},
        "lost": {"$ref": "#/nowhere"},
    },
    "patternProperties": {"^x_": {"type": "integer"}},
    "additionalProperties": {"type": "boolean"},
    "$defs": {"Number": {"type": "number"}},
}


@pytest.mark.parametrize(
    ("pair", "value"),
    [
        ("text=42", "42"),
        ("text=true", "true"),
        ("text=", ""),
        ("text=a=b", "a=b"),
        ("count=7", 7),
        ("count=-0", 0),
        ("count=7.0", 7),
        ("count=12345678901234567890123", 12345678901234567890123),
        ("count=007", "007"),
        ("count=7.5", "7.5"),
        ("count=seven", "seven"),
        ("count=true", "true"),
        ("ratio=0.1", 0.1),
        ("ratio=3", 3),
        ("ratio=1e400", "1e400"),
        ("ratio=NaN", "NaN"),
        ("deep=true", True),
        ("deep=yes", "yes"),
        ("deep=1", "1"),
        ("none=null", None),
        ("either=5", "5"),
        ("maybe=5", 5),
        ("maybe=null", None),
        ("level=2", 2),
        ("word=2", "2"),
        ("flag=true", True),
        ("tags=a", ["a"]),
        ('tags=["a","1"]', ["a", "1"]),
        ("tags=[a", ["[a"]),
        ("ids=5", [5]),
        ("ids=[1,2]", [1, 2]),
        ("ids=null", None),
        ('filter={"a": 1}', {"a": 1}),
        ("filter=a", "a"),
        ("named=2", 2),
        ("narrow=2", 2),
        ("any=2", "2"),
        ("a=b=5", 5),
        ("loop=5", "5"),
        ("lost=5", "5"),
        ("x_1=5", 5),
        ("other=true", True),
    ],
)
def test_a_text_becomes_a_value_of_the_declared_type_only(pair, value):
    (made,) = coerce(SCHEMA, [pair]).values()
    assert (type(made), made) == (type(value), value)


def test_a_list_may_be_given_an_item_at_a_time():
    given = ["tags=a", 'tags=["b"]', "ids=1", "ids=2"]
    assert coerce(SCHEMA, given) == {"tags": ["a", '["b"]'], "ids": [1, 2]}


def test_all_pairs_that_are_none_are_told_at_once():
    with pytest.raises(UsageError) as caught:
        coerce(SCHEMA, ["text", "count=1", "count=2", "\u200bx"])
    assert caught.value.message.splitlines() == [
        "text: write it as NAME=VALUE",
        "⟨U+200B⟩x: write it as NAME=VALUE",
        "count is given 2 times",
    ]


def test_types_are_found_through_combinations_at_the_root():
    schema = {
        "allOf": [{"properties": {"a": {"type": "integer"}}}, {"$ref": "#/$defs/B"}],
        "oneOf": [
            {"properties": {"c": {"type": "integer"}}},
            {"properties": {"c": {"type": "boolean"}}},
        ],
        "$defs": {"B": {"properties": {"b": {"type": "boolean"}}}},
    }
    assert coerce(schema, ["a=1", "b=true", "c=true"]) == {"a": 1, "b": True, "c": True}


def test_an_alternative_that_is_silent_about_an_argument_does_not_widen_it():
    integer = {"type": "integer"}
    schema = {
        "properties": {"x": {"type": "string"}},
        "anyOf": [{"required": ["x"]}, {"properties": {"y": integer}, "required": ["y"]}, True],
        "if": {"required": ["x"]},
        "then": {"properties": {"z": {"type": "boolean"}}},
        "dependentSchemas": {"x": {"properties": {"d": integer}}},
    }
    assert coerce(schema, ["y=3", "z=true", "d=4"]) == {"y": 3, "z": True, "d": 4}
    open_one = {"anyOf": [{"properties": {"y": integer}}, {"properties": {"y": {}}}]}
    assert coerce(open_one, ["y=3"]) == {"y": "3"}


def test_a_constant_that_is_given_tells_which_alternative_is_meant():
    def branch(constant: object, kind: str) -> dict:
        return {"properties": {"kind": constant, "v": {"type": kind}}}

    schema = {
        "oneOf": [
            branch({"const": "text"}, "string"),
            {"$ref": "#/$defs/Count"},
            branch({"enum": [1, 2]}, "boolean"),
        ],
        "$defs": {"Count": branch({"const": "count"}, "integer")},
    }
    assert coerce(schema, ["kind=count", "v=3"]) == {"kind": "count", "v": 3}
    assert coerce(schema, ["v=3", "kind=text"]) == {"kind": "text", "v": "3"}
    assert coerce(schema, ["kind=2", "v=true"])["v"] is True
    assert coerce(schema, ["kind=none", "v=3"]) == {"kind": "none", "v": "3"}


@pytest.mark.parametrize("schema", [True, False, {}, {"properties": 3}, {"allOf": 3, "type": 5}])
def test_a_schema_that_declares_nothing_leaves_texts(schema):
    assert coerce(schema, ["a=1"]) == {"a": "1"}


def test_a_schema_without_end_declares_nothing():
    nodes = {f"n{at}": {"anyOf": [{"$ref": f"#/$defs/n{at + 1}"}] * 2} for at in range(60)}
    schema = {"properties": {"a": {"$ref": "#/$defs/n0"}}, "$defs": {**nodes, "n60": {}}}
    assert coerce(schema, ["a=1"]) == {"a": "1"}


def test_a_list_that_refers_to_itself_is_read_as_a_list():
    schema = {"properties": {"a": {"type": "array", "$ref": "#/properties/a"}}}
    assert coerce(schema, ["a=[1]", "b=1"]) == {"a": [1], "b": "1"}
    assert coerce(schema, ["a=x"]) == {"a": ["x"]}


def test_json_arguments_are_read_exactly():
    assert read_json('{"id": 12345678901234567890123, "x": 1.0}') == {
        "id": 12345678901234567890123,
        "x": 1,
    }


@pytest.mark.parametrize("text", ["null", "[]", '"x"', "", "{", '{"a": 1, "a": 2}', '{"a": NaN}'])
def test_json_that_is_no_plain_object_is_refused(text):
    with pytest.raises(UsageError, match="the arguments"):
        read_json(text)


@pytest.mark.parametrize(
    "definition", [{}, {"inputSchema": {}}, {"inputSchema": {"type": "object"}}]
)
def test_a_tool_without_schema_takes_any_object(definition):
    assert input_schema(definition) == {"type": "object"}
    assert check_arguments(input_schema(definition), {"extra": 1}).violations == ()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (None, "must be an object"),
        ([], "must be an object"),
        ("x", "must be an object"),
        ({"a": float("nan")}, "/a: must be a finite number"),
        ({"a": [float("inf")]}, "/a/0: must be a finite number"),
        ({"a": "\ud800"}, "/a: must not hold a lone surrogate"),
        ({"a": {1: 2}}, "/a: must have strings as its keys, without lone surrogates"),
        ({"a": (1,)}, "/a: must be a JSON value, not a Python tuple"),
        ({"a": {"b": object}}, "/a/b: must be a JSON value, not a Python type"),
    ],
)
def test_what_cannot_be_sent_is_refused(arguments, said):
    judgement = check_arguments({"type": "object"}, arguments)
    assert [str(violation) for violation in judgement.violations] == [said]


def test_arguments_that_nest_too_deep_are_refused():
    arguments = {}
    for _ in range(250):
        arguments = {"a": arguments}
    (violation,) = check_arguments({"type": "object"}, arguments).violations
    assert "200 levels" in violation.message


def test_the_examples_in_the_documentation_run():
    assert doctest.testmod(mcplock.arguments).failed == 0
    assert doctest.testmod(mcplock.arguments).attempted > 0


NESTED = {
    "type": "object",
    "properties": {
        "range": {"$ref": "#/$defs/Range"},
        "maybe": {"anyOf": [{"type": "object"}, {"type": "null"}]},
        "text": {"type": "string"},
        "any": {},
        "a.b": {"type": "integer"},
        "a": {"type": "object", "properties": {"b": {"type": "string"}}},
    },
    "$defs": {
        "Range": {
            "type": "object",
            "properties": {
                "from": {"type": "integer"},
                "tags": {"type": "array", "items": {"type": "integer"}},
                "inner": {"$ref": "#/$defs/Range"},
            },
        }
    },
}


@pytest.mark.parametrize(
    ("pairs", "value"),
    [
        (["range.from=5"], {"range": {"from": 5}}),
        (["range.tags=1", "range.tags=2"], {"range": {"tags": [1, 2]}}),
        (
            ["range.inner.from=5", "range.from=6"],
            {"range": {"inner": {"from": 5}, "from": 6}},
        ),
        (["range.to=5"], {"range": {"to": "5"}}),
        (["maybe.x=1"], {"maybe": {"x": "1"}}),
        (["a.b=1"], {"a.b": 1}),
        (["a.c=1"], {"a": {"c": "1"}}),
        (["text.x=1"], {"text.x": "1"}),
        (["any.x=1"], {"any.x": "1"}),
        (["new.x=1"], {"new.x": "1"}),
        (['range={"from": 5}'], {"range": {"from": 5}}),
    ],
)
def test_a_name_with_dots_sets_what_is_inside_an_object(
    pairs: list[str], value: dict[str, object]
) -> None:
    assert coerce(NESTED, pairs) == value


def test_an_object_is_given_as_a_whole_or_in_parts() -> None:
    with pytest.raises(UsageError) as caught:
        coerce(NESTED, ["range={}", "range.from=5", "range.inner.from=1", "range.inner.from=2"])
    assert caught.value.message.splitlines() == [
        "range is given as a whole and in parts",
        "range.inner.from is given 2 times",
    ]
