"""What the providers document of tools in a request, as a checker of its own.

It knows nothing of the exporters: it takes a document and names what the provider would
refuse. Sources: the API references, and the errors that the APIs are known to answer with.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator

import jsonschema

LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
SINGLE = (
    *("items", "additionalProperties", "additionalItems", "contains", "not", "if", "then", "else"),
    *("propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"),
)
BOUNDS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength"),
    *("maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
)
GEMINI_KEYWORDS = {
    *("type", "title", "description", "enum", "format", "minimum", "maximum", "minItems"),
    *("maxItems", "items", "prefixItems", "properties", "required", "additionalProperties"),
    *("anyOf", "propertyOrdering"),
}

Problems = Iterator[str]


def schemas(schema: object, at: str = "") -> Iterator[tuple[str, dict]]:
    """(place, schema) of every schema that is an object."""
    if not isinstance(schema, dict):
        return
    yield at, schema
    for key, value in schema.items():
        if key in MAPS and isinstance(value, dict):
            for name, item in value.items():
                yield from schemas(item, f"{at}/{key}/{name}")
        elif key in LISTS or (key == "items" and isinstance(value, list)):
            for position, item in enumerate(value):
                yield from schemas(item, f"{at}/{key}/{position}")
        elif key in SINGLE:
            yield from schemas(value, f"{at}/{key}")


def problems(format_name: str, document: object) -> list[str]:
    """What the provider would refuse in `document`."""
    return list(RULES[format_name](document))


def _names(names: list[str], pattern: str) -> Problems:
    for name, times in Counter(names).items():
        if times > 1:
            yield f"{name} is there {times} times"
        if not re.fullmatch(pattern, name):
            yield f"{name!r} does not match {pattern}"


def _root(name: str, schema: object, refused: set[str]) -> Problems:
    if not isinstance(schema, dict) or schema.get("type") != "object":
        yield f"{name}: the root is no object"
        return
    for key in refused & schema.keys():
        yield f"{name}: {key} at the top level"
    if not isinstance(schema.get("properties", {}), dict):
        yield f"{name}: properties is no object"


def _valid_schema(name: str, schema: dict) -> Problems:
    """It fits the metaschema of the newest dialect, and its references lead somewhere."""
    validator = jsonschema.Draft202012Validator
    for error in validator(validator.META_SCHEMA).iter_errors(schema):
        yield f"{name}: {error.json_path}: {error.message}"
    for place, part in schemas(schema):
        ref = part.get("$ref")
        if ref is not None and not _resolves(schema, ref):
            yield f"{name}{place}: {ref} leads nowhere"


def _resolves(schema: dict, ref: str) -> bool:
    if not ref.startswith("#"):
        return False
    if ref[1:2] not in ("", "/"):
        return any(part.get("$anchor") == ref[1:] for _, part in schemas(schema))
    found: object = schema
    for token in ref.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list):
            found = found[int(key)] if key.isdigit() and int(key) < len(found) else None
        else:
            found = found.get(key) if isinstance(found, dict) else None
    return found is not None


def _patterns(name: str, schema: dict) -> Problems:
    for place, part in schemas(schema):
        for pattern in [part.get("pattern"), *part.get("patternProperties", ())]:
            if pattern is None:
                continue
            if re.search(r"\(\?(?!:)", pattern):
                yield f"{name}{place}: a group that not every engine takes: {pattern}"
            if re.search(r"(?<!\\)(?:\\\\)*\\(?:[1-9]|k<|[pP]\{)", pattern):
                yield f"{name}{place}: an escape that not every engine takes: {pattern}"
            if re.search(r"(?<!\\)\[\^?(?:[^\]\\]|\\.)*\[", pattern):
                yield f"{name}{place}: a bare bracket in a class: {pattern}"


def _bounds(name: str, schema: dict, limit: int) -> Problems:
    for place, part in schemas(schema):
        for key in BOUNDS:
            if isinstance(part.get(key), int | float) and abs(part[key]) > limit:
                yield f"{name}{place}: {key} is too large"


def _described(name: str, tool: dict, least: int = 0) -> Problems:
    if "description" in tool and not isinstance(tool["description"], str):
        yield f"{name}: the description is no text"
    elif len(tool.get("description", "x")) < least:
        yield f"{name}: the description is empty"


def _openai_function(tool: dict) -> Problems:
    name = tool["name"]
    yield from _described(name, tool)
    schema = tool["parameters"]
    yield from _root(name, schema, {"oneOf", "anyOf", "allOf", "enum", "not", "const"})
    if "properties" not in schema:
        yield f"{name}: object schema missing properties"
    yield from _valid_schema(name, schema)
    yield from _patterns(name, schema)
    for place, part in schemas(schema):
        kinds = part.get("type", ())
        if "array" in ([kinds] if isinstance(kinds, str) else kinds) and "items" not in part:
            yield f"{name}{place}: array schema missing items"
    if tool["strict"] is not False:
        yield f"{name}: strict would narrow the schema"


OPENAI_NAME = "[a-zA-Z0-9_-]{1,64}"


def openai(document: list) -> Problems:
    """Chat Completions."""
    for tool in document:
        if tool.keys() != {"type", "function"} or tool["type"] != "function":
            yield f"not a function: {tool}"
        yield from _openai_function(tool["function"])
    yield from _names([tool["function"]["name"] for tool in document], OPENAI_NAME)


def openai_responses(document: list) -> Problems:
    """Responses, flat or with namespaces."""
    functions = []
    deferred = searches = 0
    for tool in document:
        match tool["type"]:
            case "function":
                functions.append(tool)
            case "namespace":
                if not re.fullmatch(OPENAI_NAME, tool["name"]) or not tool["description"]:
                    yield f"a namespace without name or description: {tool['name']}"
                functions += tool["tools"]
            case "tool_search":
                searches += 1
            case other:
                yield f"no type of tool: {other}"
    for function in functions:
        if function["type"] != "function":
            yield f"not a function: {function['type']}"
        deferred += function.get("defer_loading", False)
        yield from _openai_function(function)
    if searches != bool(deferred):
        yield f"{deferred} deferred, {searches} searches"
    spaces = [tool["name"] for tool in document if tool["type"] == "namespace"]
    yield from _names([*(function["name"] for function in functions), *spaces], OPENAI_NAME)


def anthropic(document: list) -> Problems:
    """Messages."""
    own = [tool for tool in document if "type" not in tool]
    searches = [tool for tool in document if "type" in tool]
    for tool in searches:
        if not re.fullmatch(r"tool_search_tool_(bm25|regex)_20251119", tool["type"]):
            yield f"no type of tool: {tool['type']}"
        if tool.get("defer_loading"):
            yield "the search is deferred"
    for tool in own:
        name = tool["name"]
        yield from _described(name, tool)
        yield from _root(name, tool["input_schema"], {"oneOf", "anyOf", "allOf"})
        yield from _valid_schema(name, tool["input_schema"])
        yield from _patterns(name, tool["input_schema"])
    loaded = [tool for tool in document if not tool.get("defer_loading")]
    if document and not loaded:
        yield "all tools are deferred"
    if any(tool.get("defer_loading") for tool in document) and len(searches) > 1:
        yield "more than one search"
    marked = [tool for tool in document if "cache_control" in tool]
    if document and (marked != loaded[-1:] or marked[0]["cache_control"] != {"type": "ephemeral"}):
        yield "the cache mark is not on the last tool that is not deferred"
    yield from _names([tool["name"] for tool in document], "[a-zA-Z0-9_-]{1,64}")


def gemini(document: list) -> Problems:
    """Function declarations."""
    (group,) = document
    declarations = group["functionDeclarations"]
    for tool in declarations:
        name = tool["name"]
        yield from _described(name, tool)
        if "parameters" in tool:
            yield f"{name}: both ways to say the parameters"
        schema = tool["parametersJsonSchema"]
        yield from _root(name, schema, {"oneOf", "anyOf", "allOf"})
        yield from _valid_schema(name, schema)
        for place, part in schemas(schema):
            yield from (f"{name}{place}: {problem}" for problem in _gemini_part(part))
    yield from _names([tool["name"] for tool in declarations], "[A-Za-z_][A-Za-z0-9_.:-]{0,63}")


def _gemini_part(part: dict) -> Problems:
    for key in part.keys() - GEMINI_KEYWORDS:
        yield f"{key} is not documented"
    if not all(isinstance(value, str | int | float) for value in part.get("enum", ["x"])):
        yield "values that are no texts and no numbers"
    if any(isinstance(value, bool) for value in part.get("enum", ())):
        yield "values that are true or false"
    if not set(part.get("required", ())) <= part.get("properties", {}).keys():
        yield "required, but not described"
    kinds = part.get("type")
    if isinstance(kinds, list) and len(set(kinds) - {"null"}) > 1:
        yield "several types"
    for key in ("items", "not"):
        if isinstance(part.get(key), bool):
            yield f"{key} is true or false"
    if any(isinstance(item, bool) for item in part.get("properties", {}).values()):
        yield "a property is true or false"


def bedrock(document: list) -> Problems:
    """Converse."""
    for tool in document:
        spec = tool["toolSpec"]
        name = spec["name"]
        yield from _described(name, spec, least=1)
        schema = spec["inputSchema"]["json"]
        yield from _root(name, schema, {"oneOf", "anyOf", "allOf"})
        yield from _valid_schema(name, schema)
        yield from _patterns(name, schema)
        yield from _bounds(name, schema, 2**31 - 1)
    yield from _names([tool["toolSpec"]["name"] for tool in document], "[a-zA-Z0-9_-]{1,64}")


def mcp(document: dict) -> Problems:
    """A result of `tools/list`."""
    for tool in document["tools"]:
        schema = tool.get("inputSchema")
        if not isinstance(schema, dict) or schema.get("type", "object") != "object":
            yield f"{tool['name']}: the input schema is no object"
    yield from _names([tool["name"] for tool in document["tools"]], "[A-Za-z0-9_.-]{1,128}")


RULES: dict[str, Callable[..., Problems]] = {
    "openai": openai,
    "openai-responses": openai_responses,
    "anthropic": anthropic,
    "gemini": gemini,
    "bedrock": bedrock,
    "mcp": mcp,
}
