import gc

import pytest

from mcplock.session.wire import Answer, Call, Notice, RpcError, decode, encode, read


@pytest.mark.parametrize(
    "text",
    [
        *("", "  ", "hello", "42", '"x"', "null", "[]", "{}", "{", '{"a": }', "[1, 2]", "[" * 9),
        '{"method": "ping", "id": 1}',
        '{"jsonrpc": "1.0", "method": "ping", "id": 1}',
        '{"jsonrpc": "2.0", "method": 7, "id": 1}',
        '{"jsonrpc": "2.0", "method": "ping", "id": true}',
        '{"jsonrpc": "2.0", "method": "ping", "id": 1.5}',
        '{"jsonrpc": "2.0", "id": 1}',
        '{"jsonrpc": "2.0", "id": "1", "result": {}}',
        '{"jsonrpc": "2.0", "id": [1], "result": {}}',
        '{"jsonrpc": "2.0", "id": 1e999, "result": {}}',
        '{"level": "info", "msg": "request", "id": 1, "method": "tools/list"}',
        '{"jsonrpc": "2.0", "id": 1, "result": {}} trailing',
        '{"jsonrpc": "2.0", "id": 1, "result": {"a": 1, "a": 2, }}',
    ],
)
def test_what_is_no_message(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"jsonrpc":"2.0","id":"a","method":"ping"}', Call("a", "ping")),
        ('\ufeff {"jsonrpc":"2.0","id":0,"method":"ping","params":null}\r', Call(0, "ping")),
        ('{"jsonrpc":"2.0","method":"notifications/x"}', Notice("notifications/x")),
        ('{"jsonrpc":"2.0","method":"x","params":{"a":1,"a":1}}', Notice("x", {"a": 1})),
    ],
)
def test_requests_and_notifications(text: str, message: Call | Notice) -> None:
    assert read(text) == [message]


def only(text: str) -> Answer:
    [message] = read(text)
    assert isinstance(message, Answer)
    return message


def test_an_answer_keeps_its_text_and_its_members() -> None:
    text = '{"jsonrpc":"2.0","id":2.0,"result":{"tools":[{"b":1,"a":1.0}],"nextCursor":null}}'
    answer = only(text)
    assert (answer.text, answer.number) == (text, 2)
    assert answer.result == {"tools": [{"b": 1, "a": 1}], "nextCursor": None}
    assert answer.items("tools") == ['{"b":1,"a":1.0}']


def test_errors_of_any_form() -> None:
    head = '{"jsonrpc":"2.0","id":null,"error":'
    assert only(head + '{"code":1,"message":"m","data":[2]}}').error == RpcError(1, "m", [2])
    assert only(head + '"broken"}').error == RpcError(0, '"broken"')
    assert only(head + '{"code":"x"}}').error == RpcError(0, "")
    assert only(head + 'null,"result":{}}').error is None


@pytest.mark.parametrize(
    "odd",
    ['{"a":1,"a":2}', "1e999", "-Infinity", "9" * 9_000, "[" * 90_000 + "]" * 90_000],
)
def test_oddities_inside_the_result_leave_the_rest_readable(odd: str) -> None:
    text = f'{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{odd}],"nextCursor":"2","b":{odd}}}}}'
    answer = only(text)
    assert answer.fault == ""
    assert answer.result and answer.result["nextCursor"] == "2"
    assert isinstance(answer.result["tools"], list)
    assert answer.items("tools") == [odd]


@pytest.mark.parametrize(
    "text",
    [
        '{"jsonrpc":"2.0","id":1,"result":{},"result":{}}',
        '{"jsonrpc":"2.0","id":1,"result":{"tools":[],"tools":[]}}',
        '{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"result":{}}',
    ],
)
def test_a_key_twice_in_the_envelope_makes_it_unusable(text: str) -> None:
    answer = only(text)
    assert answer.result is None and answer.fault.endswith("is in it twice")


@pytest.mark.parametrize("result", ["null", "7", '"x"', "[]", "true"])
def test_a_result_that_is_no_object_is_a_fault(result: str) -> None:
    answer = only(f'{{"jsonrpc":"2.0","id":1,"result":{result}}}')
    assert (answer.result, answer.fault) == (None, "its `result` is no object")


def test_a_batch_is_read_one_by_one() -> None:
    one = '{"jsonrpc":"2.0","method":"a"}'
    two = '{"jsonrpc":"2.0","id":1,"result":{"x":1,"x":2}}'
    first, second = read(f"[{one}, 7, {two}]")
    assert first == Notice("a")
    assert isinstance(second, Answer) and second.text == two and second.fault


def test_bytes_that_are_no_utf8_stay_apart() -> None:
    texts = {decode(b'"\x92"'), decode(b'"\x93"'), decode(b'"?"')}
    assert len(texts) == 3


def test_what_is_sent_is_one_line_of_ascii() -> None:
    assert encode({"a": "✓\n"}) == b'{"a":"\\u2713\\n"}'


def test_what_is_read_is_freed_at_once() -> None:
    """The program looks for no cycles, so a flood of messages must leave none."""
    text = '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":[1,{"b":"c"}]}}'
    gc.collect()
    gc.disable()
    try:
        for _ in range(10):
            assert read(text)
        assert gc.collect() == 0
    finally:
        gc.enable()
