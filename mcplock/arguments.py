"""What a caller gives a tool: texts -> values of the declared types -> a judgement.

Pure and offline. The schema is the locked one.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from mcplock.errors import UsageError
from mcplock.jsontext import MAX_DEPTH, Json, JsonFault, parse
from mcplock.patterns import Allowance, Pattern, TooLong, Unsupported
from mcplock.pointers import step, steps, value_at
from mcplock.text import visible
from mcplock.validation import Checker, Judgement, Violation
from mcplock.validation.forms import TYPES
from mcplock.validation.keywords import same, type_name

ANY_OBJECT: Mapping[str, Json] = {"type": "object"}
"""What stands for an input schema that is absent or empty."""


def input_schema(definition: Mapping[str, Json]) -> Json:
    """The schema that the arguments of a tool with this definition must fit."""
    return definition.get("inputSchema") or dict(ANY_OBJECT)


def read_json(text: str) -> dict[str, Json]:
    """The arguments that a JSON text holds; raises `UsageError` where it is no object.

    >>> read_json('{"id": 12345678901234567890123}')
    {'id': 12345678901234567890123}
    """
    try:
        value = parse(text)
    except JsonFault as fault:
        raise UsageError(f"the arguments are not JSON: {visible(fault.message)}") from None
    if not isinstance(value, dict):
        raise UsageError("the arguments must be a JSON object")
    return value


def coerce(schema: Json, pairs: Sequence[str]) -> dict[str, Json]:
    """Arguments written as `NAME=VALUE`, each value towards the type that `schema` declares.

    Where a string may stand, the text stays as it is, whatever it looks like. Else it is
    read as JSON if that gives a value of a declared type; what gives none stays a string, for
    the check to refuse. An argument that is a list may be given as one JSON array, or an item
    at a time. `range.from=1` sets `from` in the object `range`, unless the schema names an
    argument `range.from`. Raises `UsageError` for all pairs that are none, or are given twice.

    >>> schema = {"properties": {"n": {"type": "integer"}, "id": {"type": "string"}}}
    >>> coerce(schema, ["n=007", "n2=5", "id=42"])
    {'n': '007', 'n2': '5', 'id': '42'}
    >>> coerce(schema, ["n=7"])
    {'n': 7}
    >>> coerce({"properties": {"range": {"type": "object"}}}, ["range.from=1"])
    {'range': {'from': '1'}}
    """
    given: dict[str, list[str]] = {}
    declared = _Declared(schema, given)
    faults: list[str] = []
    for pair in pairs:
        name, equals, text = declared.split(pair)
        if not equals:
            faults.append(f"{visible(pair)}: write it as NAME=VALUE")
        given.setdefault(name, []).append(text)
    values = _values(declared, faults)
    if faults:
        raise UsageError("\n".join(faults))
    return values


def _values(declared: "_Declared", faults: list[str], above: str = "") -> dict[str, Json]:
    """The values of all texts that were given for one object; above: its name and a dot."""
    values: dict[str, Json] = {}
    parts: dict[str, dict[str, Sequence[str]]] = {}
    for name, texts in declared.given.items():
        if owner := declared.owner(name):
            parts.setdefault(owner, {})[name[len(owner) + 1 :]] = texts
            values.setdefault(owner, None)
            continue
        wanted = declared.property(name)
        if len(texts) > 1 and not declared.is_list(wanted):
            faults.append(f"{visible(above + name)} is given {len(texts)} times")
        values[name] = declared.value(wanted, texts)
    for owner, inner in parts.items():
        if owner in declared.given:
            faults.append(f"{visible(above + owner)} is given as a whole and in parts")
        schema = declared.property(owner)
        inside = _Declared(declared.root, inner, schema)
        values[owner] = _values(inside, faults, f"{above}{owner}.")
    return values


def declared_names(schema: Json) -> frozenset[str] | None:
    """The properties that `schema` names; None where it tells of others in some other way.

    >>> sorted(declared_names({"properties": {"n": {}}, "allOf": [{"properties": {"q": {}}}]}))
    ['n', 'q']
    >>> declared_names({"properties": {"n": {}}, "patternProperties": {"^x-": {}}})
    """
    return _Declared(schema, {}).names(schema)


def check_arguments(schema: Json, arguments: Json) -> Judgement:
    """Hold `arguments` against the locked `schema`, in the dialect that it names.

    Every violation is listed with its pointer into the arguments. Raises `Unjudged` where
    the schema cannot be evaluated within the bounds of time and depth.
    """
    return ArgumentChecker(schema).check(arguments)


class ArgumentChecker:
    """`check_arguments` for many calls of one tool: its schema is prepared once."""

    def __init__(self, schema: Json) -> None:
        self._checker = Checker(schema)

    def check(self, arguments: Json) -> Judgement:
        """Every violation of `arguments`; raises `Unjudged`."""
        foreign = list(_foreign(arguments))
        return Judgement(foreign, ()) if foreign else self._checker.check(arguments)


def _foreign(arguments: Json) -> Iterator[Violation]:
    """What in `arguments` is no JSON, or too deep, so that it cannot be sent."""
    if not isinstance(arguments, dict):
        yield Violation("", "must be an object")
        return
    layer: list[tuple[str, Json]] = [("", arguments)]
    for _ in range(MAX_DEPTH):
        inner: list[tuple[str, Json]] = []
        for pointer, value in layer:
            fault = _foreign_value(value)
            if fault:
                yield Violation(pointer, fault)
            elif isinstance(value, dict):
                inner += [(pointer + step(key), item) for key, item in value.items()]
            elif isinstance(value, list):
                inner += [(pointer + step(at), item) for at, item in enumerate(value)]
        layer = inner
    if layer:
        yield Violation("", f"must not nest more than {MAX_DEPTH} levels deep")


def _foreign_value(value: Json) -> str:
    match value:
        case None | bool() | int():
            return ""
        case float():
            return "" if value - value == 0 else "must be a finite number"
        case str():
            return "" if _is_text(value) else "must not hold a lone surrogate"
        case list():
            return ""
        case dict():
            good = all(isinstance(key, str) and _is_text(key) for key in value)
            return "" if good else "must have strings as its keys, without lone surrogates"
        case _:
            return f"must be a JSON value, not a Python {type(value).__name__}"


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_FUEL = 400
"""So many schemas are looked at to answer one question; then any type may stand."""
_DEEPEST = 50
_LONGEST_NAME = 200
_UNIONS = ("anyOf", "oneOf")


class _Declared:
    """What a schema declares of its properties, through local references and combinations.

    given: the texts by the names of the arguments, which tell some alternatives from others;
    schema: the part of `root` that declares them; None: all of it.
    """

    def __init__(self, root: Json, given: Mapping[str, Sequence[str]], schema: Json = None) -> None:
        self.root = root
        self.given = given
        self.schema = root if schema is None else schema
        self.fuel = _FUEL

    def split(self, pair: str) -> tuple[str, str, str]:
        """(name, "=", text); a declared name may itself hold an `=`."""
        schema = self.root if isinstance(self.root, dict) else {}
        names = schema.get("properties") if isinstance(schema.get("properties"), dict) else {}
        fitting = [name for name in names or () if pair.startswith(f"{name}=")]
        if fitting:
            name = max(fitting, key=len)
            return name, "=", pair[len(name) + 1 :]
        return pair.partition("=")

    def property(self, name: str) -> Json:
        """A schema that says what the argument `name` may be."""
        self.fuel = _FUEL
        said = list(self._said(self.schema, name, _DEEPEST))
        return {"allOf": said} if said else True

    def owner(self, name: str) -> str:
        """The declared object that `name`, written with dots, is inside of; "" where none is."""
        if self.property(name) is not True:
            return ""
        dots = [at for at, char in enumerate(name[:_LONGEST_NAME]) if char == "."]
        for at in reversed(dots):
            wanted = self.property(name[:at])
            self.fuel = _FUEL
            if wanted is not True and (types := self.types(wanted)) != TYPES and "object" in types:
                return name[:at]
        return ""

    def _said(self, schema: Json, name: str, levels: int) -> Iterator[Json]:
        """What `schema` says of its property `name`; nothing where it is silent about it.

        An alternative that is silent takes any value, but it was not meant: another names it.
        """
        self.fuel -= 1
        if self.fuel < 0 or levels < 0:
            yield True
        elif isinstance(schema, dict):
            yield from self._own_property(schema, name)
            for part in self._also(schema):
                yield from self._said(part, name, levels - 1)
            for union in _alternatives(schema):
                meant = [branch for branch in union if self._may_be_meant(branch, levels - 1)]
                said = [list(self._said(branch, name, levels - 1)) for branch in meant or union]
                if any(said):
                    yield {"anyOf": [{"allOf": parts} for parts in said if parts]}

    def _may_be_meant(self, schema: Json, levels: int) -> bool:
        """Whether no constant of `schema` is another than the text given for it."""
        self.fuel -= 1
        if self.fuel < 0 or levels < 0 or not isinstance(schema, dict):
            return True
        properties = schema.get("properties")
        for name, item in properties.items() if isinstance(properties, dict) else ():
            if name in self.given and not _may_be(item, self.given[name][-1]):
                return False
        return all(self._may_be_meant(part, levels - 1) for part in self._also(schema))

    def _own_property(self, schema: Mapping[str, Json], name: str) -> Iterator[Json]:
        properties = schema.get("properties")
        if isinstance(properties, dict) and name in properties:
            yield properties[name]
            return
        fitting = list(_named_by_pattern(schema, name))
        yield from fitting
        if not fitting and isinstance(schema.get("additionalProperties"), dict):
            yield schema["additionalProperties"]

    def _also(self, schema: Mapping[str, Json]) -> Iterator[Json]:
        """The schemas that must hold beside the other keywords of `schema`."""
        yield from _branches(schema, "allOf")
        ref = schema.get("$ref")
        if isinstance(ref, str) and ref.startswith("#") and ref[1:2] in ("", "/"):
            try:
                yield value_at(self.root, steps(ref[1:]))
            except (KeyError, IndexError, ValueError, TypeError):
                yield True

    def names(self, schema: Json) -> frozenset[str] | None:
        """`declared_names` of a part of the schema."""
        self.fuel -= 1
        if not isinstance(schema, dict) or self.fuel < 0:
            return None
        if "patternProperties" in schema or isinstance(schema.get("additionalProperties"), dict):
            return None
        properties = schema.get("properties")
        found = frozenset(properties if isinstance(properties, dict) else ())
        for part in (*self._also(schema), *chain.from_iterable(_alternatives(schema))):
            inner = self.names(part)
            if inner is None:
                return None
            found |= inner
        return found

    def types(self, schema: Json) -> frozenset[str]:
        """The types that a value of `schema` may have."""
        self.fuel -= 1
        if not isinstance(schema, dict) or self.fuel < 0:
            return TYPES
        allowed = _named_types(schema)
        for part in self._also(schema):
            allowed &= self.types(part)
        for union in _UNIONS:
            if _branches(schema, union):
                allowed &= frozenset().union(*map(self.types, _branches(schema, union)))
        return allowed

    def is_list(self, schema: Json) -> bool:
        """Whether a value of `schema` is a list unless it is something other than a string."""
        self.fuel = _FUEL
        allowed = self.types(schema)
        return "array" in allowed and "string" not in allowed

    def value(self, schema: Json, texts: Sequence[str]) -> Json:
        """The value that the texts given for one argument stand for."""
        if self.is_list(schema):
            whole = self._scalar(schema, texts[0]) if len(texts) == 1 else texts[0]
            if not isinstance(whole, str):
                return whole
            self.fuel = _FUEL
            item = self._items(schema)
            return [self._scalar(item, text) for text in texts]
        return self._scalar(schema, texts[-1])

    def _scalar(self, schema: Json, text: str) -> Json:
        self.fuel = _FUEL
        allowed = self.types(schema)
        if "string" in allowed:
            return text
        try:
            value = parse(text)
        except JsonFault:
            return text
        return value if type_name(value) in allowed else text

    def _items(self, schema: Json) -> Json:
        """What an item of `schema` may be; true where that is not plainly said."""
        self.fuel -= 1
        if not isinstance(schema, dict) or self.fuel < 0:
            return True
        if isinstance(schema.get("items"), dict):
            return schema["items"]
        inner = [self._items(part) for part in self._also(schema)]
        inner += [
            self._items(branch)
            for union in _UNIONS
            for branch in _branches(schema, union)
            if "array" in self.types(branch)
        ]
        return {"allOf": inner} if inner else True


def _alternatives(schema: Mapping[str, Json]) -> Iterator[Sequence[Json]]:
    """The sets of schemas of which not all need hold."""
    for union in _UNIONS:
        yield _branches(schema, union)
    yield [schema[key] for key in ("then", "else") if key in schema and "if" in schema]
    dependent = schema.get("dependentSchemas")
    yield list(dependent.values()) if isinstance(dependent, dict) else ()


def _may_be(schema: Json, text: str) -> bool:
    """Whether an argument written as `text` can be one of the constants of `schema`, if any."""
    if not isinstance(schema, dict):
        return True
    constants = [schema["const"]] if "const" in schema else schema.get("enum")
    if not isinstance(constants, list):
        return True
    try:
        value = parse(text)
    except JsonFault:
        value = text
    return text in constants or any(same(value, constant) for constant in constants)


def _branches(schema: Mapping[str, Json], key: str) -> Sequence[Json]:
    branches = schema.get(key)
    return branches if isinstance(branches, list) else ()


def _named_by_pattern(schema: Mapping[str, Json], name: str) -> Iterator[Json]:
    patterns = schema.get("patternProperties")
    for source, item in patterns.items() if isinstance(patterns, dict) else ():
        try:
            if Pattern(source).search(name, Allowance(_FUEL)):
                yield item
        except (Unsupported, TooLong):
            yield True


def _named_types(schema: Mapping[str, Json]) -> frozenset[str]:
    allowed = TYPES
    named = schema.get("type")
    if isinstance(named, str | list):
        names = {named} if isinstance(named, str) else set(filter(_is_name, named))
        allowed &= names | ({"integer"} if "number" in names else set())
    if isinstance(schema.get("enum"), list):
        allowed &= {type_name(value) for value in schema["enum"]}
    if "const" in schema:
        allowed &= {type_name(schema["const"])}
    return allowed


def _is_name(value: Json) -> bool:
    return isinstance(value, str)
