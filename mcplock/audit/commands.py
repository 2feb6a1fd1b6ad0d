"""Lints over a command line: what it runs that a reader of its first word would not expect."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from mcplock.audit.findings import Finding, Severity
from mcplock.audit.launchers import (
    ASSIGNMENT,
    GIVES_SHELL_CODE,
    SHELLS,
    Word,
    commands,
    packages,
)
from mcplock.lazy import pattern
from mcplock.pointers import step
from mcplock.text import visible

_WIDE = pattern(r"(?<!\s)\s{40,}+(?=\S)")
_DOWNLOAD = r"(?:curl|wget|iwr|invoke-webrequest|invoke-restmethod)\b"
_RUNNER = r"(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|iex|pwsh)\b"
_DOWNLOADED = pattern(  # bounded, so that no text takes long
    rf"\b{_DOWNLOAD}[^;&]{{0,500}}\|\s{{0,20}}(?:(?:sudo|env|exec|-\S{{1,20}})\s{{1,20}}){{0,9}}"
    rf"(?:/[\w./-]{{0,100}}/)?{_RUNNER}"
    rf"|\b(?:{_RUNNER}|eval|source)[^;&|]{{0,500}}(?:\$\(|<\(|`)\s{{0,20}}{_DOWNLOAD}",
    re.IGNORECASE,
)
_OPERATORS = pattern(r"[&|<>^]")
_PYTHON = r"(?:python|pypy)[\d.]*w?"
_CODE: Sequence[tuple[re.Pattern[str], re.Pattern[str]]] = (
    (pattern("|".join(SHELLS)), GIVES_SHELL_CODE),
    (pattern(_PYTHON), pattern("-[A-Za-z]*c")),
    (pattern("node|bun"), pattern("-e|-p|-pe|--eval|--print")),
    (pattern("deno"), pattern("eval")),
    (pattern("perl|ruby"), pattern("-[A-Za-z]*[eE]")),
    (pattern("php"), pattern("-r")),
    (pattern("pwsh|powershell"), pattern("-(?:c|command|e|ec|enc|encodedcommand)", re.IGNORECASE)),
)
"""Programs, and the option whose value is a program of its own."""
_THEN_ITS_OWN = ("-m", "-File", "--")
_VALUED = ("-W", "-X", "-r", "--require", "--import", "-I", "-o", "-O")
_LOADERS: Mapping[str, re.Pattern[str]] = {
    "NODE_OPTIONS": pattern(r"(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader)\b"),
    **dict.fromkeys(
        ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"), pattern("-(?:java)?agent")
    ),
    **dict.fromkeys(("PERL5OPT", "RUBYOPT"), pattern("-[A-Za-z]*[mMrI]")),
    **dict.fromkeys(
        ("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "PYTHONHOME"), pattern(".")
    ),
}
"""Variables that bring code into a program, and what of their value does."""
_SEARCHED = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_VARIABLE = pattern(r"\$\{[^{}]*\}|\$\w+|%\w+%")
_ABSOLUTE = pattern(r"[/~\\]|[A-Za-z]:[\\/]")
_PRIVILEGED = ("sudo", "doas", "pkexec", "su", "runas")
_CONTAINERS = ("docker", "podman")
_MOUNTED = pattern(r"(?:.*\b(?:source|src)=)?(?:/|/(?:var/)?run/docker\.sock)(?:[:,].*)?")
_REPAIRED = {"mcp-remote": ((0, 1, 16), "CVE-2025-6514: it runs what a server names as a URL")}
"""Packages of npm, the first version without a known hole, and what that is."""
_NPM = pattern(r"(?:npm:)?(.+)@[v=]?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?")


def audit_command(
    command: str, arguments: Sequence[str], env: Mapping[str, str]
) -> Iterator[Finding]:
    """Programs inside of arguments, code that comes by variables, known holes, privileges."""
    yield from _gaps(command, arguments, env)
    fetched = [*packages(command, arguments)]
    for program, line in commands(command, arguments):
        yield from _inline(program, line)
        if program in _PRIVILEGED:
            told = f"{program} runs it with the rights of another user"
            yield Finding("privileged", Severity.MEDIUM, at(line[0]), told)
        if program in _CONTAINERS:
            yield from _container(line, fetched)
        if program == "env":
            for word in line[1:]:
                if ASSIGNMENT.match(word[1]):
                    yield from _variable(at(word), *word[1].split("=", 1))
    for name, value in env.items():
        yield from _variable(f"/env{step(name)}", name, value)
    for word in fetched:
        yield from _hole(word)


def at(word: Word) -> str:
    """The pointer to a word of a command line."""
    return "/command" if word[0] < 0 else f"/args/{word[0]}"


def _gaps(command: str, arguments: Sequence[str], env: Mapping[str, str]) -> Iterator[Finding]:
    places = {at(word): word[1] for word in [(-1, command), *enumerate(arguments)]}
    places |= {f"/env{step(name)}": value for name, value in env.items()}
    for pointer, text in places.items():
        if gap := _WIDE.search(text):
            told = f"{len(gap[0]):,} blanks in a row, which can push what follows out of sight"
            yield Finding("wide-gap", Severity.HIGH, pointer, told)


def _inline(program: str, line: Sequence[Word]) -> Iterator[Finding]:
    """The program that stands in an argument of another one."""
    word = _code(program, line)
    if word is None:
        return
    told = f"{visible(program)} is given a program in an argument: read the whole of it"
    yield Finding("inline-code", Severity.MEDIUM, at(word), told)
    if _DOWNLOADED.search(word[1]):
        told = "runs what it downloads, whatever that is at the time"
        yield Finding("download-run", Severity.HIGH, at(word), told)


def _code(program: str, line: Sequence[Word]) -> Word | None:
    if program == "cmd":
        return next((word for word in line[1:] if _OPERATORS.search(word[1])), None)
    option = next((option for known, option in _CODE if known.fullmatch(program)), None)
    if option is None:
        return None
    words = iter(line[1:])
    for word in words:
        name, equals, _ = word[1].partition("=")
        if option.fullmatch(name):
            return word if equals else next(words, word)
        if word[1] in _THEN_ITS_OWN or not word[1].startswith("-"):
            return None  # a script: what follows is its own
        if word[1] in _VALUED:
            next(words, None)
    return None


def _container(line: Sequence[Word], images: Sequence[Word]) -> Iterator[Finding]:
    """What lets a container out into the machine that it runs on."""
    words = takewhile(lambda word: word not in images, line[1:])
    for word in words:
        option, equals, value = word[1].partition("=")
        if word[1].startswith("-v") and word[1] != "-v":  # its value is written to it
            option, equals, value = "-v", "=", word[1][2:].removeprefix("=")
        where = word
        if option in ("-v", "--volume", "--mount", "--pid", "--cap-add") and not equals:
            where = next(words, word)
            value = where[1]
        is_open = (
            option == "--privileged"
            or (option in ("-v", "--volume", "--mount") and _MOUNTED.fullmatch(value))
            or (option == "--pid" and value == "host")
            or (option == "--cap-add" and value.upper() in ("ALL", "SYS_ADMIN"))
        )
        if is_open:
            told = f"{visible(f'{option} {value}'.strip())} gives the container the whole machine"
            yield Finding("privileged", Severity.MEDIUM, at(where), told)


def _variable(pointer: str, name: str, value: str) -> Iterator[Finding]:
    loads = _LOADERS.get(name)
    if loads and loads.search(value):
        told = f"{name} loads code into the program: {visible(value)}"
        yield Finding("loaded-code", Severity.HIGH, pointer, told)
    if name in _SEARCHED and not all(map(_ABSOLUTE.match, _directories(value))):
        told = f"{name} looks for programs or libraries where it runs: {visible(value)}"
        yield Finding("search-path", Severity.MEDIUM, pointer, told)


def _directories(value: str) -> list[str]:
    """The directories of a search path of any system; a variable is absolute."""
    value = _VARIABLE.sub("/", value)
    windows = ";" in value or re.match(r"[A-Za-z]:[\\/]", value)
    return value.split(";" if windows else ":")


def _hole(word: Word) -> Iterator[Finding]:
    hit = _NPM.fullmatch(word[1])
    first, why = _REPAIRED.get(hit[1], ((), "")) if hit else ((), "")
    if hit and tuple(map(int, hit.groups()[1:4])) < first:
        better = ".".join(map(str, first))
        told = f"{visible(word[1])} has a known hole, {why}; {better} has it no more"
        yield Finding("known-hole", Severity.HIGH, at(word), told)
