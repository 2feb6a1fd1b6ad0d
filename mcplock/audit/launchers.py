"""Which programs a command line leads to, which packages they fetch, whether each is fixed."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise
from pathlib import PureWindowsPath

from mcplock.lazy import pattern

Word = tuple[int, str]
"""(place among the arguments, -1 for the command; text)"""


SHELLS = ("sh", "bash", "zsh", "dash", "ksh", "fish")


@dataclass(frozen=True, slots=True)
class Launcher:
    """How a program that fetches packages is told which.

    fixed: whether a package's text names one version. instead: options that name the package
    in place of the first plain word; besides: options that name a further one. valued: other
    options that take the next word; bare: those that take none, where all others do.
    settled: options after which nothing is fetched, or nothing newer than a date.
    """

    fixed: Callable[[str], bool]
    instead: frozenset[str] = frozenset()
    besides: frozenset[str] = frozenset()
    valued: frozenset[str] = frozenset()
    bare: frozenset[str] | None = None
    settled: frozenset[str] = frozenset()
    runs_local: bool = False

    def takes_next(self, option: str) -> bool:
        """Whether the word after `option` is its value."""
        if self.bare is None:
            return option in self.instead | self.besides | self.valued
        return option not in self.bare and not self.bare.issuperset(f"-{x}" for x in option[1:])


def unpinned(command: str, arguments: Sequence[str]) -> Iterator[Word]:
    """Each package that `command` fetches in whatever version there is at the time."""
    for word, launcher in _fetched(command, arguments):
        if not launcher.fixed(word[1]):
            yield word


def packages(command: str, arguments: Sequence[str]) -> Iterator[Word]:
    """Each package that `command` fetches, as it is named there."""
    yield from (word for word, _ in _fetched(command, arguments))


def _fetched(command: str, arguments: Sequence[str]) -> Iterator[tuple[Word, Launcher]]:
    for program, line in commands(command, arguments):
        for words, launcher in _LAUNCHERS.get(program, {}).items():
            after = len(words) + 1
            if tuple(text for _, text in line[1:after]) == words:
                yield from ((word, launcher) for word in _packages(launcher, line[after:]))
                break


def commands(command: str, arguments: Sequence[str]) -> Iterator[tuple[str, list[Word]]]:
    """Each program that a command line leads to, with its words, the outermost first.

    A program is called by its bare name, in lower case; its words begin with itself.
    """
    yield from _commands([(-1, command), *enumerate(arguments)])


def _commands(line: list[Word]) -> Iterator[tuple[str, list[Word]]]:
    if not line:
        return
    program = re.sub(r"\.(exe|cmd|bat)$", "", PureWindowsPath(line[0][1]).name.lower())
    yield program, line
    if program in SHELLS:
        for part in _shell_lines(line[1:]):
            yield from _commands(part)
        return
    rest = _unwrap(program, line[1:])
    if rest is not None:
        yield from _commands(rest)


def _unwrap(program: str, line: list[Word]) -> list[Word] | None:
    """The command line that `program` only hands on; None where it does not."""
    texts = [text for _, text in line]
    if program == "cmd":
        rest = [*dropwhile(lambda word: word[1].startswith("/"), line)]
        if len(rest) == 1:
            rest = [(rest[0][0], text) for text in rest[0][1].split()]
        return rest
    if program in ("env", "sudo", "exec", "nohup", "time"):
        handed = (at for at, text in enumerate(texts) if text[:1] != "-" and "=" not in text)
        return line[next(handed, len(line)) :]
    if program not in _LAUNCHERS and "--" in texts:
        return line[texts.index("--") + 1 :]
    return None


def _shell_lines(line: list[Word]) -> Iterator[list[Word]]:
    """The simple commands in what a shell is given with `-c`."""
    for (_, option), (place, script) in pairwise(line):
        if not GIVES_SHELL_CODE.fullmatch(option):
            continue
        lexer = shlex.shlex(script, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        try:
            words = list(lexer)
        except ValueError:  # an open quotation
            words = script.split()
        part: list[Word] = []
        for word in [*words, ";"]:
            if set(word) <= set(";&|()"):
                yield [*dropwhile(lambda word: ASSIGNMENT.match(word[1]), part)]
                part = []
            else:
                part.append((place, word))
        return


def _packages(launcher: Launcher, line: list[Word]) -> list[Word]:
    packages: list[Word] = []
    further: list[Word] = []
    rest = iter(line)
    plain: list[Word] = []
    for place, text in rest:
        option, equals, value = text.partition("=")
        if text == "--" or text[:1] != "-":
            plain = [*rest][:1] if text == "--" else [(place, text)]
            break
        if option in launcher.settled:
            return []
        given = (place, value)
        if not equals and launcher.takes_next(option):
            given = next(rest, given)
        if option in launcher.instead:
            packages.append(given)
        elif option in launcher.besides:
            further.append(given)
    if not packages and not launcher.runs_local:
        packages = plain
    return packages + further


ASSIGNMENT = pattern(r"[A-Za-z_]\w*=")
GIVES_SHELL_CODE = pattern("-[A-Za-z]*c[A-Za-z]*")
"""The option of a shell behind which a program stands: `-c`, also among others, as `-lc`."""
_COMMIT = "[0-9a-f]{40}(?:[0-9a-f]{24})?"
_PATH = pattern(r"\.|/|~|file:|https?:|[A-Za-z]:\\")
_GIT = pattern(r"git[+:@]|ssh:|(?:github|gitlab|bitbucket|gist):|[^@/:]+/[^@/]+$")
_NPM_VERSION = pattern(r".+@[v=]?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?")
_PYPI_VERSION = pattern(r"[^=@<>~!]+(?:===?|@)\s*v?\d[0-9A-Za-z.!+_-]*")
_IMAGE_VERSION = pattern(r".+@sha256:[0-9a-f]{64}|.+:[^/:@]*\d[^/:@]*")
_IMAGE_MAJOR = pattern(r"[^@]+:v?\d+")
_MODULE_VERSION = pattern(rf".+@(?:v\d+\.\d+\.\d+.*|{_COMMIT})")


def _npm_fixed(package: str) -> bool:
    if _PATH.match(package):
        return True
    if _GIT.match(package):
        return bool(re.search(f"#{_COMMIT}$", package))
    return bool(_NPM_VERSION.fullmatch(package))


def _deno_fixed(module: str) -> bool:
    return not module.startswith(("npm:", "jsr:")) or _npm_fixed(module)


def _pypi_fixed(package: str) -> bool:
    if "git+" in package:
        return bool(re.search(f"@{_COMMIT}(?:#.*)?$", package))
    return bool(_PATH.match(package) or _PYPI_VERSION.fullmatch(package))


def _image_fixed(image: str) -> bool:
    return bool(_IMAGE_VERSION.fullmatch(image)) and not _IMAGE_MAJOR.fullmatch(image)


def _module_fixed(module: str) -> bool:
    return "@" not in module or bool(_MODULE_VERSION.fullmatch(module))


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NPX = Launcher(
    _npm_fixed,
    instead=_set("-p --package"),
    valued=_set("-c --call -w --workspace --registry --prefix --cache --userconfig --loglevel"),
    settled=_set("--no --no-install"),
)
_UVX = Launcher(
    _pypi_fixed,
    instead=_set("--from"),
    besides=_set("--with"),
    valued=_set(
        "-p --python -i --index-url --index --default-index --extra-index-url -f --find-links"
        " --directory --project --env-file -c --constraints --overrides --with-requirements"
        " --with-editable --cache-dir --config-file -P --upgrade-package --refresh-package"
        " --link-mode --prerelease --resolution --index-strategy --keyring-provider --color"
        " -C --config-setting --allow-insecure-host --python-platform --torch-backend"
    ),
    settled=_set("--exclude-newer"),
)
_UV_RUN = Launcher(
    _pypi_fixed,
    besides=_set("--with"),
    valued=_UVX.valued | _set("--extra --group --only-group --no-group --package -m --module"),
    settled=_UVX.settled,
    runs_local=True,
)
_PIPX = Launcher(
    _pypi_fixed,
    instead=_set("--spec"),
    besides=_set("--with"),
    valued=_set("--python --index-url -i --pip-args"),
)
_DOCKER = Launcher(
    _image_fixed,
    bare=_set(
        "-i --interactive -t --tty -d --detach -P --publish-all -q --quiet --rm --init"
        " --privileged --read-only --no-healthcheck --oom-kill-disable --sig-proxy"
        " --disable-content-trust --help --no-hosts --replace --tls-verify --env-host"
        " --http-proxy --rmi --no-hostname"
    ),
)
_DENO = Launcher(
    _deno_fixed, valued=_set("-c --config --import-map --cert --env-file -L --log-level")
)

# Program -> the words after it -> how its line goes on.
_LAUNCHERS: Mapping[str, Mapping[tuple[str, ...], Launcher]] = {
    "npx": {(): _NPX},
    "npm": {("exec",): _NPX, ("x",): _NPX},
    "pnpx": {(): _NPX},
    "pnpm": {("dlx",): _NPX},
    "yarn": {("dlx",): _NPX},
    "bunx": {(): _NPX},
    "bun": {("x",): _NPX},
    "deno": {("run",): _DENO},
    "uvx": {(): _UVX},
    "uv": {("tool", "run"): _UVX, ("run",): _UV_RUN},
    "pipx": {("run",): _PIPX},
    "docker": {("run",): _DOCKER, ("container", "run"): _DOCKER},
    "podman": {("run",): _DOCKER, ("container", "run"): _DOCKER},
    "go": {("run",): Launcher(_module_fixed)},
}
