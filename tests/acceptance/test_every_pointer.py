"""A tool with every field there is: whatever is done to any part of it is drift, and only that.

One server lists as many copies of the tool as it has JSON Pointers, and between two runs each
copy is changed at another one. Run with `-s` to see how many there were.
"""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .conftest import Workspace

RICH = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "tools" / "rich.json").read_text(encoding="utf-8")
)
Path_ = tuple[str | int, ...]
Mutation = Callable[[object], object]


def paths(value: object, at: Path_ = ()) -> Iterator[Path_]:
    """The way to every value inside `value`."""
    items = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
    for key, inner in items:
        yield (*at, key)
        if isinstance(inner, dict | list):
            yield from paths(inner, (*at, key))


def pointer(path: Path_) -> str:
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in path)


def near(one: str, other: str) -> bool:
    """Whether one of two pointers leads to the other's value or into it."""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def at(tool: object, path: Path_) -> object:
    for key in path:
        tool = tool[key]  # type: ignore[index]
    return tool


def deleted(tool: dict, path: Path_) -> dict:
    mutant = copy.deepcopy(tool)
    del at(mutant, path[:-1])[path[-1]]  # type: ignore[attr-defined]
    return mutant


def replaced(tool: dict, path: Path_, value: object) -> dict:
    mutant = copy.deepcopy(tool)
    at(mutant, path[:-1])[path[-1]] = value  # type: ignore[index]
    return mutant


def changed(value: object) -> object:
    """Another value of the same type, as close to the old one as can be."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + " "
        case list():
            return [*value, None]
        case dict():
            return {**value, "": None}
        case _:
            return False


def hidden(value: object) -> object:
    """The same to the eye, for strings."""
    return f"{value}\u200b" if isinstance(value, str) else changed(value)


def retyped(value: object) -> object:
    """What careless comparisons take for the same: `1` for `true`, `"1"` for `1`."""
    match value:
        case bool():
            return int(value)
        case None:
            return ""
        case str() | int() | float():
            return [value]
        case list():
            return {str(index): item for index, item in enumerate(value)}
        case _:
            return list(value.items())  # type: ignore[attr-defined]


def reordered(value: object) -> object:
    """A list the other way round; order counts in it."""
    backwards = value[::-1] if isinstance(value, list) else value
    return backwards if backwards != value else changed(value)


OTHERS = [{"name": f"other_{letter}", "inputSchema": {"type": "object"}} for letter in "abc"]
TOOLS = [RICH, *OTHERS]
PATHS = list(paths(RICH))
MUTATIONS: dict[str, Callable[[dict, Path_], dict]] = {
    "deleted": deleted,
    **{
        mutation.__name__: lambda tool, path, mutation=mutation: replaced(
            tool, path, mutation(at(tool, path))
        )
        for mutation in (changed, hidden, retyped, reordered)
    },
}


SLOW = 2.3
"""Seconds: past the point where mcplock no longer waits for an answer to its first question."""


def copies() -> list[dict]:
    return [RICH | {"name": f"tool{number:04}"} for number in range(len(PATHS))]


def approved(workspace: Workspace, **catalog: object) -> bytes:
    workspace.serve("trips", **catalog)
    workspace.ok("install", "--yes")
    workspace.ok("approve", "*", "--yes")
    workspace.ok("check")
    return workspace.lock_path.read_bytes()


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_every_mutant_is_drift(mutation: str, workspace: Workspace) -> None:
    tools = copies()
    before = approved(workspace, tools=tools)
    mutate = MUTATIONS[mutation]
    mutants = [mutate(tool, path) for tool, path in zip(tools, PATHS, strict=True)]
    workspace.serve("trips", tools=mutants)

    check = workspace.run("check", "--format", "json")

    assert check.code == 1
    found = {change["name"]: change for change in check.document()["changes"]}
    for tool, mutant, path in zip(tools, mutants, PATHS, strict=True):
        name = mutant.get("name", tool["name"])
        # a tool without a name is not there at all
        change = found.get(name if isinstance(name, str) else tool["name"])
        assert change, f"{mutation} {pointer(path)} was not noticed"
        told = [field["pointer"] for field in change["fields"]]
        assert change["kind"] == "removed" or any(near(pointer(path), at) for at in told), told
    assert workspace.lock_path.read_bytes() == before
    print(f"\n{len(mutants)} mutants ({mutation}), all of them drift")


@pytest.mark.parametrize(
    "path",
    [("description",), ("inputSchema", "properties", "a/b~c", "deprecated"), ("_meta",), ("name",)],
    ids=pointer,
)
def test_one_mutant_alone_fails_the_gate(path: Path_, workspace: Workspace) -> None:
    before = approved(workspace, tools=TOOLS)
    workspace.serve("trips", tools=[deleted(RICH, path), *OTHERS])
    assert workspace.run("check").code == 1
    assert workspace.lock_path.read_bytes() == before


def spelled(value: object, number: Callable[[int | float], str]) -> str:
    """`value` as JSON text, its numbers as `number` writes them, its keys backwards."""
    match value:
        case bool() | None | str():
            return json.dumps(value)
        case int() | float():
            return number(value)
        case list():
            return f"[{', '.join(spelled(item, number) for item in value)}]"
        case dict():
            pairs = reversed(value.items())
            return f"{{{', '.join(f'{json.dumps(k)}: {spelled(v, number)}' for k, v in pairs)}}}"
        case _:
            raise TypeError(value)


def with_fraction(number: int | float) -> str:
    """`1.0` for `1`; what is no double stays exact."""
    return f"{number}.0" if isinstance(number, int) and abs(number) < 2**53 else repr(number)


def with_exponent(number: int | float) -> str:
    """`1e0` for `1`, `25E-2` for `0.25`."""
    if isinstance(number, int):
        return f"{number}e0" if abs(number) < 2**53 else str(number)
    return f"{round(number * 1000)}E-3"


def escaped(text: str) -> str:
    r"""Every ASCII letter inside a string as `\uXXXX`."""
    inside = False
    out = []
    characters = iter(text)
    for character in characters:
        if character == "\\":
            out.append(character + next(characters))
            continue
        inside ^= character == '"'
        letter = inside and character.isascii() and character.isalpha()
        out.append(f"\\u{ord(character):04x}" if letter else character)
    return "".join(out)


SAME = {
    "keys backwards, numbers with a fraction": {"tools_text": spelled(TOOLS, with_fraction)},
    "numbers with an exponent": {"tools_text": spelled(TOOLS, with_exponent)},
    "letters escaped": {"tools_text": escaped(json.dumps(TOOLS, ensure_ascii=False))},
    "raw UTF-8 and white space": {"tools_text": json.dumps(TOOLS, indent=9).replace("\n", "\t")},
    "tools shuffled": {"tools": [TOOLS[2], TOOLS[0], TOOLS[3], TOOLS[1]]},
    "one tool a page": {"tools": TOOLS, "page": 1},
    "a tool listed twice": {"tools": [*TOOLS, RICH]},
    "the modern era": {"tools": TOOLS, "era": "modern"},
    "both eras": {"tools": TOOLS, "era": "both"},
    "a slow start": {"tools": TOOLS, "delay": SLOW},
    "a new version of the server": {
        "tools": TOOLS,
        "serverInfo": {"name": "trips", "version": "99.0.0", "title": "Trips"},
    },
}
INFO = {"name": "trips", "version": "1.0.0"}


@pytest.mark.parametrize("catalog", SAME.values(), ids=SAME)
def test_what_means_the_same_leaves_the_file_untouched(catalog: dict, workspace: Workspace) -> None:
    before = approved(workspace, tools=TOOLS, serverInfo=INFO)
    written = workspace.lock_path.stat().st_mtime_ns
    workspace.serve("trips", **({"serverInfo": INFO} | catalog))

    for command in ("check", "update", "install"):
        workspace.ok(command)

    assert workspace.lock_path.read_bytes() == before
    assert workspace.lock_path.stat().st_mtime_ns == written


@pytest.mark.parametrize("era", ["handshake", "modern", "both"])
def test_a_slow_start_makes_no_other_lock(era: str, workspace: Workspace) -> None:
    prompt = approved(workspace, tools=TOOLS, era=era)
    workspace.lock_path.unlink()
    workspace.serve("trips", tools=TOOLS, era=era, delay=SLOW)
    workspace.ok("install")
    workspace.ok("approve", "*", "--yes")
    assert workspace.lock_path.read_bytes() == prompt
