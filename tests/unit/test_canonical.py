"""The canonical form and the hash, beside the published vectors."""

import hashlib
import math

import pytest

from mcplock.canonical import canonical, canonical_bytes, digest, hash_value, number
from mcplock.jsontext import FaultCode, JsonFault


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": [1, "x", None, True, False], "a": {}}, '{"a":{},"b":[1,"x",null,true,false]}'),
        ({"e-": "1e-7 .0 e+3", "x": 1.5}, '{"e-":"1e-7 .0 e+3","x":1.5}'),
        ([1e-07, 1.5e-06, 0.0001], "[1e-7,0.0000015,0.0001]"),
        ({"\ufb01": 1, "😀": 2, "z": 3}, '{"z":3,"😀":2,"\ufb01":1}'),
        ({"\ue000": 1, "\U00010000": 2}, '{"\U00010000":2,"\ue000":1}'),
        ({"\uffff": 1, "\U0010ffff": 2}, '{"\U0010ffff":2,"\uffff":1}'),
        ("\x7f\u2028/", '"\x7f\u2028/"'),
        (10**5000, "1" + "0" * 5000),
        ({"a": [-(10**5000)]}, '{"a":[-1' + "0" * 5000 + "]}"),
        # What `parse` never gives, and a caller may.
        (1.0, "1"),
        ([1.0, -0.0, 1e16, 1e300], f"[1,0,{10**16},{int(1e300)}]"),
        ({"a": 2.0}, '{"a":2}'),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_the_form(value, text):
    assert canonical(value) == text
    assert canonical_bytes(value) == text.encode()
    assert hash_value(value) == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    assert digest(text) == digest(text.encode()) == hash_value(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"),
        (-0.5, "-0.5"),
        (1e-6, "0.000001"),
        (-1.25e-5, "-0.0000125"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, str(int(1.7976931348623157e308))),
        (2251799813685249.5, "2251799813685249.5"),
        (-0.0, "0"),
        (7, "7"),
    ],
)
def test_numbers(value, text):
    assert number(value) == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number(value):
    for held in (value, [value], {"a": [{"b": value}]}):
        with pytest.raises(JsonFault) as caught:
            canonical(held)
        assert caught.value.code is FaultCode.NUMBER


@pytest.mark.parametrize("value", ["\ud800", ["a\udfff"], {"\udc00": 1}, {"a": "\ude00\ud83d"}])
def test_lone_surrogates(value):
    with pytest.raises(JsonFault) as caught:
        hash_value(value)
    assert caught.value.code is FaultCode.SURROGATE


def nested(depth: int, *, objects: bool) -> object:
    value: object = {} if objects else []
    for _ in range(depth - 1):
        value = {"a": value, "[": 1} if objects else [value]
    return value


@pytest.mark.parametrize("objects", [True, False])
def test_depth(objects):
    assert canonical(nested(200, objects=objects)).count("{" if objects else "[") >= 200
    for depth in (201, 2_000, 200_000):
        with pytest.raises(JsonFault) as caught:
            canonical(nested(depth, objects=objects))
        assert caught.value.code is FaultCode.DEPTH


def test_brackets_in_strings_have_no_depth():
    assert canonical(["[" * 300]) == '["' + "[" * 300 + '"]'
    assert canonical([[]] * 300).count("[") == 301


def test_depth_comes_before_the_other_codes():
    for worse in ("\ud800", math.nan, 10**5000):
        with pytest.raises(JsonFault) as caught:
            canonical([worse, nested(201, objects=True)])
        assert caught.value.code is FaultCode.DEPTH
