"""`NamedTuple` as `typing` has it, for a tenth of what it costs to define one.

That one compiles code for each class and looks at each annotation: a tenth of a short command
would be spent on it. Here nothing is compiled; what type checkers see is the original.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from operator import itemgetter

    class _Maker(type):
        """Makes each annotated name a field: a property of the tuple."""

        def __new__(cls, name, bases, members):
            fields = tuple(members.get("__annotations__", ()))
            defaults = {field: members[field] for field in fields if field in members}
            members |= {field: property(itemgetter(at)) for at, field in enumerate(fields)}
            members |= {
                "__slots__": (),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
            }
            return super().__new__(cls, name, bases, members)

    class NamedTuple(tuple, metaclass=_Maker):
        """An immutable record: its values by position and by name."""

        def __new__(cls, *values, **named):
            """Values by position, then by name; what has a default may be left out."""
            missing = cls._fields[len(values) :]
            if missing or named:
                given = {**cls._field_defaults, **named}
                try:
                    values += tuple([given[field] for field in missing])
                except KeyError as error:
                    raise TypeError(f"{cls.__name__}: no value for {error}") from None
            if len(values) > len(cls._fields) or not named.keys() <= set(missing):
                raise TypeError(f"{cls.__name__}: has no such fields, or one is given twice")
            return tuple.__new__(cls, values)

        def __getnewargs__(self):
            return tuple(self)

        def __repr__(self):
            fields = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({', '.join(fields)})"

        def _asdict(self):
            """The values by name."""
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **changes):
            """The same record with other values for some fields."""
            return type(self)(**{**self._asdict(), **changes})
