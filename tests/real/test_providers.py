"""The README's loops on the SDKs of providers, against a provider on the loopback interface.

The SDKs, the server over stdio and the HTTP between are real; the model is two answers.
"""

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.unit.live.conftest import Project, definition

from .test_frameworks import BLOCKS, ENDS, ROOT, place_of

pytestmark = [pytest.mark.real, pytest.mark.heavy]
NAME = "mcp__clock__now"
ARGUMENTS = {"city": "Oslo"}
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def message(stop: str, block: Any) -> Any:
    usage = {"input_tokens": 1, "output_tokens": 1}
    about = {"id": "m", "type": "message", "role": "assistant", "model": "m", "usage": usage}
    return {**about, "stop_reason": stop, "content": [block]}


def completion(**said: Any) -> Any:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **said}}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def candidate(part: Any) -> Any:
    return {"candidates": [{"content": {"role": "model", "parts": [part]}}]}


def conversed(stop: str, block: Any) -> Any:
    output = {"message": {"role": "assistant", "content": [block]}}
    usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
    return {"output": output, "stopReason": stop, "usage": usage, "metrics": {"latencyMs": 1}}


FUNCTION = {"name": NAME, "arguments": json.dumps(ARGUMENTS)}
ANSWERS = {
    "anthropic": (
        message("tool_use", {"type": "tool_use", "id": "1", "name": NAME, "input": ARGUMENTS}),
        message("end_turn", {"type": "text", "text": "At noon."}),
    ),
    "openai": (
        completion(tool_calls=[{"id": "1", "type": "function", "function": FUNCTION}]),
        completion(content="At noon."),
    ),
    "gemini": (
        candidate({"functionCall": {"name": NAME, "args": ARGUMENTS}}),
        candidate({"text": "At noon."}),
    ),
    "bedrock": (
        conversed("tool_use", {"toolUse": {"toolUseId": "1", "name": NAME, "input": ARGUMENTS}}),
        conversed("end_turn", {"text": "At noon."}),
    ),
}
RESULTS = {
    "anthropic": {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "1", "content": "12:00"}],
    },
    "openai": {"role": "tool", "tool_call_id": "1", "content": "12:00"},
    "gemini": {
        "role": "user",
        "parts": [{"functionResponse": {"name": NAME, "response": {"result": "12:00"}}}],
    },
    "bedrock": {
        "role": "user",
        "content": [{"toolResult": {"toolUseId": "1", "content": [{"text": "12:00"}]}}],
    },
}
"""What a provider must be told of the call, as its reference has it."""


def sent(provider: str, body: Any) -> tuple[Any, Any]:
    """The tools in the body of a request, and the last message in it."""
    if provider == "gemini":  # its SDK writes one key as protocol buffers name it
        [tool] = body["tools"][0]["functionDeclarations"]
        tool["parametersJsonSchema"] = tool.pop("parameters_json_schema")
    tools = body["toolConfig"]["tools"] if provider == "bedrock" else body["tools"]
    return tools, body["contents" if provider == "gemini" else "messages"][-1]


@pytest.mark.parametrize("provider", ANSWERS)
def test_a_loop_of_the_readme(provider: str, tmp_path: Path) -> None:
    python = place_of("providers").directory / "bin" / "python"
    project = Project(tmp_path)
    clock = definition("now", inputSchema=SCHEMA)
    result = {"content": [{"type": "text", "text": "12:00"}]}
    project.serve(clock, name="clock", results={"now": result})
    project.lock()

    with answering(*ANSWERS[provider]) as (url, bodies):
        done = subprocess.run(
            [python, "-c", f"model = 'm'\n{BLOCKS[provider]}"],
            cwd=project.directory,
            env={**project.environ, "PYTHONPATH": str(ROOT), **pointed(url)},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    assert done.stdout == "At noon.\n", done.stderr
    first, second = (sent(provider, body) for body in bodies)
    assert first[0] == second[0] == project.catalog().export(provider)
    assert second[1] == RESULTS[provider]
    assert [call["arguments"] for call in project.heard("tools/call", "clock")] == [ARGUMENTS]


def test_every_block_is_run_and_none_is_longer_than_ten_lines_after_its_imports() -> None:
    assert set(BLOCKS) == {*ANSWERS, *ENDS}
    for name, block in BLOCKS.items():
        lines = [line for line in block.splitlines() if line]
        code = [line for line in lines if not line.startswith(("import ", "from "))]
        assert len(code) <= 10, name


def pointed(url: str) -> dict[str, str]:
    """The variables by which the SDKs find this provider."""
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
        "OPENAI_BASE_URL": url,
        "OPENAI_API_KEY": "none",
        "GOOGLE_GEMINI_BASE_URL": url,
        "GEMINI_API_KEY": "none",
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": url,
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "AWS_DEFAULT_REGION": "eu-north-1",
    }


@contextmanager
def answering(*answers: Any) -> Iterator[tuple[str, list[Any]]]:
    """A provider that gives these answers in turn: its URL, and the bodies that it is sent."""
    bodies: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            bodies.append(json.loads(self.rfile.read(length)))
            answer = json.dumps(answers[len(bodies) - 1]).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", bodies
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
