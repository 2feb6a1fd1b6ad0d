"""When two JSON values are the same."""

import json

from mcplock.jsontext import Json

_Shape = tuple[object, ...]


class Numbering:
    """A number for each JSON value, the same one for two that are the same value.

    Asking again for the items of an item costs nothing: a container is walked once, so a
    comparison of nested lists takes no longer than their size. It keeps what it has seen.
    """

    def __init__(self) -> None:
        self._by_shape: dict[_Shape, int] = {}
        self._seen: dict[int, tuple[Json, int]] = {}

    def of(self, value: Json) -> int:
        """The number of `value`; `True` is not `1`, and the order of keys does not count."""
        if id(value) in self._seen:
            return self._seen[id(value)][1]
        shape = self._shape(value)
        number = self._by_shape.setdefault(shape, len(self._by_shape))
        if isinstance(value, dict | list):
            self._seen[id(value)] = value, number
        return number

    def _shape(self, value: Json) -> _Shape:
        numbers: list[object] = []
        match value:
            case dict():
                for key in sorted(value):
                    numbers += key, self.of(value[key])
            case list():
                for item in value:
                    numbers.append(self.of(item))
            case _:
                numbers.append(value)
        return type(value), *numbers


def exact(value: Json) -> str:
    """A text that two values have in common only where they are the same JSON value."""
    return json.dumps(value, sort_keys=True)


def same(old: Json, new: Json) -> bool:
    """Whether two values are the same JSON value; `True` is not `1`."""
    return bool(old == new) and exact(old) == exact(new)
