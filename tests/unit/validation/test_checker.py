import pytest

from mcplock.validation import Checker, Unjudged
from mcplock.validation.dialects import Dialect

URI = "http://json-schema.org/draft-{}/schema#"


def violations(schema, value):
    return [str(violation) for violation in Checker(schema).check(value).violations]


def caveats(schema, value):
    return [str(caveat) for caveat in Checker(schema).check(value).caveats]


@pytest.mark.parametrize(
    ("uri", "dialect"),
    [
        (URI.format("04"), Dialect.DRAFT_4),
        ("https://json-schema.org/draft-04/schema", Dialect.DRAFT_4),
        (URI.format("06"), Dialect.DRAFT_6),
        (URI.format("07"), Dialect.DRAFT_7),
        ("http://json-schema.org/draft-07/schema", Dialect.DRAFT_7),
        ("https://json-schema.org/draft/2019-09/schema", Dialect.DRAFT_2019_09),
        ("http://json-schema.org/draft/2020-12/schema#", Dialect.DRAFT_2020_12),
        ("https://json-schema.org/schema", Dialect.DRAFT_2020_12),
    ],
)
def test_the_dialect_is_the_one_named(uri, dialect):
    checker = Checker({"$schema": uri})
    assert checker.dialect is dialect
    assert checker.check({}).caveats == ()


@pytest.mark.parametrize("uri", ["https://example.com/mine", URI.format("03"), 7, None, ["x"]])
def test_an_unknown_dialect_is_read_as_the_newest_with_a_caveat(uri):
    schema = {"$schema": uri, "properties": {"n": {"exclusiveMinimum": 5}}}
    assert violations(schema, {"n": 5}) == ["/n: must be greater than 5"]
    assert bool(caveats(schema, {})) is (uri is not None)


# (name, schema, a value that fits, one that does not)
BY_DIALECT = [
    ("04", {"minimum": 5, "exclusiveMinimum": True}, 6, 5),
    ("04", {"minimum": 5, "exclusiveMinimum": False}, 5, 4),
    ("04", {"maximum": 5, "exclusiveMaximum": True}, 4, 5),
    ("04", {"items": [{"type": "string"}], "additionalItems": False}, ["a"], ["a", 1]),
    ("04", {"const": 1, "minimum": 0}, 2, -1),  # `const` is no keyword of this dialect
    ("06", {"exclusiveMinimum": 5}, 6, 5),
    ("06", {"contains": {"type": "string"}}, ["a"], [1]),
    ("07", {"if": {"minimum": 5}, "then": {"multipleOf": 2}, "else": {"const": 1}}, 6, 7),
    ("07", {"items": [{"type": "string"}], "additionalItems": {"type": "null"}}, ["a", None], [1]),
    ("07", {"$ref": "#/definitions/a", "not": {}, "definitions": {"a": {"type": "null"}}}, None, 9),
    ("07", {"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}, {"a": 1, "b": 1}, {"c": 1}),
    ("07", {"contains": {"const": 1}, "minContains": 2}, [1], [2]),
]  # fmt: skip


@pytest.mark.parametrize(("draft", "schema", "good", "bad"), BY_DIALECT)
def test_keywords_mean_what_their_dialect_says(draft, schema, good, bad):
    checker = Checker({"$schema": URI.format(draft), **schema})
    assert checker.check(good).violations == ()
    assert checker.check(bad).violations != ()


INTEGER = {"type": "integer"}
CLOSED = {"unevaluatedProperties": False}
NAMED_A = {"properties": {"a": INTEGER}}


@pytest.mark.parametrize("draft", ["2019-09", "2020-12"])
@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"additionalProperties": INTEGER, **CLOSED}, {"n": 1}, {"n": "x"}),
        ({"allOf": [{"additionalProperties": INTEGER}], **CLOSED}, {"n": 1}, {"n": "x"}),
        ({"unevaluatedProperties": INTEGER}, {"type": 1}, {"type": "x"}),
        ({"allOf": [{"unevaluatedProperties": INTEGER}], **CLOSED}, {"type": 1}, {"type": "x"}),
        ({**NAMED_A, **CLOSED}, {"a": 1}, {"a": 1, "b": 1}),
        ({"patternProperties": {"^a": True}, **CLOSED}, {"ab": 1}, {"b": 1}),
        ({"anyOf": [NAMED_A, {"required": ["b"]}], **CLOSED}, {"a": 1}, {"a": 1, "b": 1}),
        ({"oneOf": [NAMED_A, {"required": ["b"]}], **CLOSED}, {"a": 1}, {"b": 1}),
        ({"if": NAMED_A, "else": {"properties": {"a": True}}, **CLOSED}, {"a": "x"}, {"b": 1}),
        ({"dependentSchemas": {"a": {"properties": {"a": True}}}, **CLOSED}, {"a": 1}, {"b": 1}),
        ({"$ref": "#/$defs/A", "$defs": {"A": NAMED_A}, **CLOSED}, {"a": 1}, {"b": 1}),
        ({"not": {**NAMED_A, "required": ["b"]}, **CLOSED}, {}, {"a": 1}),
        ({"contains": INTEGER, "items": True, "unevaluatedItems": False}, [1, "x"], []),
    ],
)
def test_what_nothing_looked_at_is_judged_alike_in_both_drafts(draft, schema, good, bad):
    checker = Checker({"$schema": URI.format(draft), **schema})
    assert checker.check(good).violations == ()
    assert checker.check(bad).violations != ()


def test_each_thing_that_nothing_looked_at_is_told():
    schema = {**NAMED_A, **CLOSED}
    said = "is not allowed by any part of the schema"
    assert violations(schema, {"a": 1, "b": 1, "c": 1}) == [f"/b: {said}", f"/c: {said}"]


def test_a_reference_to_itself_ends_what_is_looked_for():
    assert violations({"$ref": "#", **NAMED_A}, {"a": 1}) == []
    assert caveats({"$ref": "#", **NAMED_A, **CLOSED}, {"a": 1, "b": 1}) != []


def test_a_schema_inside_is_read_in_the_dialect_around_it():
    inner = {"$schema": URI.format("04"), "exclusiveMinimum": 5}
    schema = {"properties": {"n": inner}}
    assert violations(schema, {"n": 5}) == ["/n: must be greater than 5"]
    assert len(caveats(schema, {"n": 5})) == 1


SAYS = [
    ({"type": "integer"}, "1", "must be integer, not string"),
    ({"type": ["integer", "null"]}, True, "must be integer or null, not boolean"),
    ({"enum": ["x", 1]}, True, 'must be one of "x", 1'),
    ({"enum": list(range(40))}, 50, "must be one of 40 values, such as 0"),
    ({"const": "a\u200b"}, 1, 'must be "a⟨U+200B⟩"'),
    ({"minimum": 5}, 4, "must be at least 5"),
    ({"maximum": 0.5}, 1, "must be at most 0.5"),
    ({"exclusiveMaximum": 5}, 5, "must be less than 5"),
    ({"multipleOf": 0.1}, 0.35, "must be a multiple of 0.1"),
    ({"minLength": 1}, "", "must have at least 1 character, not 0"),
    ({"maxItems": 1}, [1, 2], "must have at most 1 item, not 2"),
    ({"minProperties": 2}, {}, "must have at least 2 properties, not 0"),
    ({"uniqueItems": True}, [1, 1.0], "must not have two equal items"),
    ({"pattern": "^a"}, "b", 'must match the pattern "^a"'),
    ({"required": ["a/b"]}, {}, "/a~1b: is required"),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, '/b: is required where "a" is given'),
    (
        {"properties": {"query": {}}, "additionalProperties": False},
        {"qeury": 1},
        "/qeury: is not known; did you mean query?",
    ),
    ({"propertyNames": {"const": "a"}}, {"ab": 1}, "/ab: its name must be \"a\""),
    ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 3, "must fit one of 2 alternatives, but fits 2"),
    ({"not": {"type": "string"}}, "", "must not be as the schema under `not` says"),
    ({"contains": {"const": 1}}, [], "must have 1 or more of the items that `contains` describes"),
    (
        {"contains": {"const": 1}, "maxContains": 1},
        [1, 1],
        "must have 1 or fewer of the items that `contains` describes",
    ),
    ({"prefixItems": [True], "items": False}, [1, 2], "has more items than are allowed"),
    ({"properties": {"a": False}}, {"a": 1}, "/a: is not allowed"),
    ({"unevaluatedItems": False}, [1], "/0: is not allowed by any part of the schema"),
    ({"unevaluatedProperties": {"type": "null"}}, {"a": 1}, "/a: must be null, not integer"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "said"), SAYS)
def test_a_violation_says_where_and_what(schema, value, said):
    assert violations(schema, value) == [said]


def test_every_violation_is_listed():
    schema = {
        "properties": {"a": {"type": "string"}, "b": {"items": {"minimum": 3}}},
        "required": ["c", "d"],
    }
    assert violations(schema, {"a": 1, "b": [1, 3, 2]}) == [
        "/a: must be string, not integer",
        "/b/0: must be at least 3",
        "/b/2: must be at least 3",
        "/c: is required",
        "/d: is required",
    ]


def test_of_alternatives_the_nearest_is_explained():
    by_kind = [
        {"properties": {"kind": {"const": kind}, key: {"type": "integer"}}, "required": [key]}
        for kind, key in (("a", "x"), ("b", "y"))
    ]
    assert violations({"anyOf": by_kind}, {"kind": "b", "y": "1"}) == [
        "fits none of the 2 alternatives",
        "/y: must be integer, not string",
    ]


def test_alternatives_that_are_equally_near_are_all_explained():
    schema = {
        "properties": {"x": {"type": "string"}},
        "anyOf": [
            {"required": ["x"]},
            {"properties": {"y": {"type": "integer"}}, "required": ["y"]},
            {"properties": {"kind": {"const": "z"}}, "required": ["kind"]},
        ],
    }
    assert violations(schema, {"y": "3", "kind": "n"}) == [
        "fits none of the 3 alternatives",
        "/x: is required",
        "/y: must be integer, not string",
    ]
    kinds = [{"properties": {"kind": {"const": kind}}} for kind in ("a", "b")]
    assert violations({"oneOf": kinds}, {"kind": "c"}) == [
        "fits none of the 2 alternatives",
        '/kind: must be "a"',
        '/kind: must be "b"',
    ]
    many = {"anyOf": [{"const": number} for number in range(100)]}
    assert len(violations(many, "x")) < 15


EQUAL = [
    ({"enum": [1]}, 1.0),
    ({"const": {"a": [1, None]}}, {"a": [1.0, None]}),
    ({"type": "integer"}, 1.0),
    ({"multipleOf": 0.1}, 0.3),
    ({"multipleOf": 0.01}, 10**400),
    ({"minimum": 10**30}, 10**30),
    ({"uniqueItems": True}, [1, True, "1", {"a": 1}]),
    ({"format": "email"}, "no e-mail"),  # an annotation: nobody agrees on formats
]


@pytest.mark.parametrize(("schema", "value"), EQUAL)
def test_what_fits_is_not_refused(schema, value):
    assert violations(schema, value) == []


def test_keywords_are_not_looked_for_among_names():
    names = {"type": {"type": "string"}, "$ref": {"type": "integer"}, "required": {"enum": [1]}}
    assert violations({"properties": names}, {"type": "x", "$ref": 1, "required": 1}) == []
    assert len(violations({"properties": names}, {"type": 1, "$ref": "", "required": 2})) == 3


JUNK = [None, 5, "x", [], [3], {}, {"a": 3}, -1, 0.5, True, ["a", 1], {"a": None}]
KEYWORDS = [
    *("type", "enum", "const", "required", "properties", "patternProperties", "items", "$ref"),
    *("additionalProperties", "prefixItems", "allOf", "anyOf", "oneOf", "not", "if", "pattern"),
    *("minimum", "multipleOf", "minLength", "uniqueItems", "contains", "minContains", "$id", "id"),
    *("dependentRequired", "dependentSchemas", "dependencies", "propertyNames", "$anchor", "$defs"),
    *("unevaluatedProperties", "unevaluatedItems", "additionalItems", "$dynamicRef", "$schema"),
    *("definitions", "exclusiveMinimum", "format", "$recursiveRef", "$dynamicAnchor", "then"),
]


@pytest.mark.parametrize("keyword", KEYWORDS)
@pytest.mark.parametrize("draft", ["04", "07", "2020-12"])
def test_a_malformed_keyword_stops_nothing(keyword, draft):
    uri = URI.format(draft) if draft[0] == "0" else "https://json-schema.org/draft/2020-12/schema"
    for value in JUNK:
        for schema in ({"$schema": uri, keyword: value}, {"properties": {"a": {keyword: value}}}):
            for instance in ({}, {"a": 1}, {"a": [1, "x"]}, {"a": {"a": "x"}}):
                Checker(schema).check(instance)


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": None, "additionalProperties": False},
        {"properties": {"a": "junk"}, "additionalProperties": False},
        {"patternProperties": {"(?>a)": {}}, "additionalProperties": False},
        {"patternProperties": {"(?>a)": {}}, "unevaluatedProperties": False},
        {"not": {"properties": {"a": {"type": "int"}}}},
        {"oneOf": [{"required": "a"}, {"required": ["a"]}]},
        {"if": {"properties": {"a": {"pattern": "(?>a)"}}}, "then": False},
        {"properties": {"a": {"contains": {"pattern": "(?>a)"}, "maxContains": 0}}},
        {"properties": {"a": {"prefixItems": 3, "items": False}}},
        {"not": {"$ref": "#/$defs/missing"}},
        {"not": {"$ref": "https://example.com/schema"}},
        {"unevaluatedProperties": False, "$ref": "#/$defs/missing"},
        {"allOf": [{"$ref": "#/$defs/missing"}, {"unevaluatedProperties": False}]},
        {"not": {"$ref": "#"}},
        {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "not": {"$ref": "#/$defs/a"}},
    ],
)
def test_what_is_not_checked_never_refuses(schema):
    judgement = Checker(schema).check({"a": ["x"]})
    assert (judgement.violations, len(judgement.caveats) > 0) == ((), True)


def test_a_caveat_names_its_place():
    schema = {"properties": {"a/b": {"anyOf": [{"type": "string", "pattern": r"(a)\1"}]}}}
    assert caveats(schema, {"a/b": "x"}) == [
        "/properties/a~1b/anyOf/0/pattern: was not checked: a back-reference"
    ]
    assert caveats(schema, {}) == []


def test_no_reference_is_followed_out_of_the_schema(monkeypatch):
    import urllib.request

    def fetch(*_args, **_more):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(urllib.request, "urlopen", fetch)
    schema = {"$ref": "http://127.0.0.1:9/schema.json"}
    assert violations(schema, {}) == []
    assert len(caveats(schema, {})) == 1


def test_references_to_the_metaschema_are_known():
    schema = {"$schema": URI.format("07"), "properties": {"s": {"$ref": URI.format("07")}}}
    assert violations(schema, {"s": {"type": "string"}}) == []
    assert violations(schema, {"s": {"type": "junk"}}) != []


TREE = {
    "$ref": "#/$defs/N",
    "$defs": {
        "N": {
            "properties": {"v": {"type": "integer"}, "c": {"$ref": "#/$defs/N"}},
            "additionalProperties": False,
        }
    },
}


def test_recursion_is_followed_as_deep_as_the_value_goes():
    value = {"v": "deep"}
    for _ in range(50):
        value = {"c": value}
    assert violations(TREE, value) == ["/c" * 50 + "/v: must be integer, not string"]


def test_what_goes_too_deep_is_not_judged():
    value = {}
    for _ in range(400):
        value = {"c": value}
    with pytest.raises(Unjudged):
        Checker(TREE).check(value)


def test_a_schema_that_refers_to_one_thing_in_many_ways_costs_its_size():
    deep = {f"a{at}": {"anyOf": [{"$ref": f"#/$defs/a{at + 1}"}] * 3} for at in range(40)}
    schema = {"$ref": "#/$defs/a0", "$defs": {**deep, "a40": {"type": "string"}}}
    assert violations(schema, 5) != []
    assert violations(schema, "x") == []


def test_a_schema_of_too_many_steps_is_not_judged():
    schema = {"items": {"anyOf": [{"const": at} for at in range(1_000)]}}
    with pytest.raises(Unjudged):
        Checker(schema).check(["x"] * 200)


def test_the_same_reference_twice_tells_both_places():
    schema = {
        "properties": {"a": {"$ref": "#/$defs/p"}, "b": {"$ref": "#/$defs/p"}},
        "$defs": {"p": {"properties": {"x": {"type": "string"}}}},
    }
    shared = {"x": 1}
    assert violations(schema, {"a": shared, "b": shared}) == [
        "/a/x: must be string, not integer",
        "/b/x: must be string, not integer",
    ]


def test_a_reference_in_a_circle_beside_unevaluated_properties_refuses_nothing():
    schema = {"$ref": "#", "unevaluatedProperties": False}
    assert violations(schema, {"a": 1}) == []
    assert "leads to itself without end" in " ".join(caveats(schema, {"a": 1}))
