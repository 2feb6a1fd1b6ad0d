"""What is made when it is first needed: a command must not pay for what it does not use."""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import cast


def exports(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """A `__getattr__` for `package`: `modules` says which names each of its modules has."""
    where = {name: module for module, names in modules.items() for name in names}

    def __getattr__(name: str) -> object:  # noqa: N807 - the name that the language asks for
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{where[name]}"), name)

    return __getattr__


class _Pattern:
    """A regular expression that is compiled when it is first used."""

    def __init__(self, text: str, flags: int) -> None:
        self._written = (text, flags)

    def __getattr__(self, name: str) -> object:
        value = getattr(re.compile(*self._written), name)
        setattr(self, name, value)  # the next use goes straight to the compiled one
        return value


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile`, but later: compiling costs more than many commands have to do."""
    return cast("re.Pattern[str]", _Pattern(text, flags))
