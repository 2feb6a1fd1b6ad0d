"""Tools that exports have come to grief over, by what is odd about them."""

from mcplock.approved import Tool
from mcplock.canonical import hash_value

DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"

TREE = {
    "type": "object",
    "properties": {"root": {"$ref": "#/$defs/Node"}},
    "required": ["root"],
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {
                "value": {"type": "string"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            },
            "required": ["value"],
            "additionalProperties": False,
        }
    },
}

SCHEMAS = {
    "absent": None,
    "empty": {},
    "only a dialect": {"$schema": DRAFT_7},
    "no properties": {"type": "object"},
    "recursion": TREE,
    "recursion of the root": {
        "type": "object",
        "properties": {"and": {"type": "array", "items": {"$ref": "#"}}, "field": {}},
    },
    "recursion in two steps": {
        "$ref": "#/$defs/A",
        "$defs": {
            "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}},
            "B": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]},
        },
    },
    "a loop of references": {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/X"}},
        "$defs": {"X": {"$ref": "#/$defs/Y"}, "Y": {"$ref": "#/$defs/X"}},
    },
    "a reference to nothing": {
        "type": "object",
        "properties": {
            "a": {"$ref": "#/$defs/Missing", "description": "kept"},
            "b": {"$ref": "https://example.com/schema.json"},
        },
    },
    "many references": {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}},
        "$defs": {
            **{
                f"d{at}": {
                    "type": "object",
                    "properties": {
                        name: {"$ref": f"#/$defs/d{at + 1}"} for name in ("l", "m", "r")
                    },
                }
                for at in range(12)
            },
            "d12": {"type": "string"},
        },
    },
    "tuple": {
        "$schema": DRAFT_7,
        "type": "object",
        "properties": {
            "point": {
                "type": "array",
                "items": [{"type": "number"}, {"type": "number"}],
                "additionalItems": False,
            },
            "open": {"type": "array", "items": [{"type": "string"}]},
            "none": {"type": "array", "items": [], "additionalItems": {"type": "string"}},
        },
    },
    "tuple of the newest dialect": {
        "type": "object",
        "properties": {
            "point": {"type": "array", "prefixItems": [{"type": "number"}], "items": False},
            "wrong": {"type": "array", "items": [{"type": "number"}]},
        },
    },
    "array of anything": {
        "type": "object",
        "properties": {"a": {"type": "array"}, "b": {"type": ["array", "null"]}},
    },
    "bounds of draft 4": {
        "$schema": DRAFT_4,
        "type": "object",
        "properties": {
            "a": {"type": "number", "minimum": 0, "exclusiveMinimum": True, "maximum": 9},
            "b": {"type": "integer", "maximum": 9, "exclusiveMaximum": False},
        },
    },
    "one of three at the root": {
        "type": "object",
        "properties": {
            "content": {"type": "string"},
            "url": {"type": "string", "format": "uri"},
            "file_id": {"type": "string"},
            "name": {"type": "string"},
        },
        "required": ["name"],
        "oneOf": [{"required": ["content"]}, {"required": ["url"]}, {"required": ["file_id"]}],
    },
    "nothing but alternatives": {
        "anyOf": [
            {
                "type": "object",
                "properties": {"kind": {"const": "file"}, "path": {"type": "string"}},
                "required": ["kind", "path"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "properties": {"kind": {"const": "url"}, "url": {"type": "string"}},
                "required": ["kind", "url"],
                "additionalProperties": False,
            },
        ]
    },
    "alternatives that leave things open": {
        "type": "object",
        "anyOf": [
            {"properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
            True,
            {"type": "string"},
        ],
    },
    "all of them at the root": {
        "allOf": [
            {"$ref": "#/$defs/Base"},
            {"properties": {"x": {"minimum": 1}}, "required": ["x"]},
            {"anyOf": [{"required": ["y"]}, {"required": ["z"]}]},
        ],
        "$defs": {"Base": {"type": "object", "properties": {"x": {"type": "integer"}}}},
    },
    "other keywords at the root": {
        "type": "object",
        "properties": {"a": {"type": "string"}, "c": {}},
        "not": {"required": ["a", "b"]},
        "if": {"required": ["a"]},
        "then": {"required": ["c"]},
        "minProperties": 1,
        "unevaluatedProperties": False,
    },
    "names that are keywords": {
        "type": "object",
        "properties": {
            "type": {"type": "string"},
            "items": {"type": "array", "items": {"type": "string"}},
            "properties": {"type": "object", "properties": {"required": {"type": "boolean"}}},
            "$ref": {"type": "string"},
            "anyOf": {"type": "integer"},
            "pattern": {"type": "string"},
            "enum": {"enum": ["type", "items"]},
            "$defs": {"type": "object", "additionalProperties": {"type": "string"}},
            "title": {"type": "string", "title": "Title"},
            "const": {"const": {"$ref": "#/nowhere", "pattern": "(?=x)"}},
        },
        "required": ["type", "$ref"],
    },
    "patterns": {
        "type": "object",
        "properties": {
            "ahead": {"type": "string", "pattern": "^(?!undefined$)"},
            "class": {"type": "string", "pattern": r"^[a[\]]+$"},
            "python": {"type": "string", "pattern": r"(?P<y>\d{4})"},
            "property": {"type": "string", "pattern": r"\p{L}+"},
            "flag": {"type": "string", "pattern": "(?i)abc"},
            "back": {"type": "string", "pattern": r"(a)\1"},
            "plain": {"type": "string", "pattern": r"^[\w.+-]+@[\w-]+\.[a-z]{2,}$"},
            "unless": {"not": {"pattern": "^(?=x)"}},
            "one": {"oneOf": [{"pattern": "^(?=x)"}, {"pattern": "^(?=y)"}]},
        },
        "patternProperties": {"^(?=x_)": {"type": "integer"}},
        "additionalProperties": False,
    },
    "large bounds": {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "maximum": 9007199254740991},
            "b": {"type": "string", "maxLength": 4294967295},
            "c": {"type": "integer", "minimum": -(10**30), "maximum": 10**30},
            "d": {"not": {"minimum": 10**12}},
        },
    },
    "every keyword": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.com/every",
        "$comment": "all of them",
        "type": "object",
        "title": "Every",
        "properties": {
            "count": {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10.5},
            "ratio": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
            "kind": {"const": "a"},
            "on": {"const": True},
            "maybe": {"type": ["string", "null"], "default": None},
            "several": {"type": ["string", "integer", "null"]},
            "mixed": {"enum": ["a", 1, None]},
            "many": {
                "type": "array",
                "uniqueItems": True,
                "contains": {"const": 1},
                "minContains": 1,
                "maxContains": 2,
                "unevaluatedItems": False,
                "items": {"oneOf": [{"type": "integer"}, {"type": "string", "minLength": 1}]},
            },
            "map": {
                "type": "object",
                "patternProperties": {"^x": {"type": "string"}},
                "propertyNames": {"maxLength": 9},
                "additionalProperties": False,
                "minProperties": 1,
                "dependentRequired": {"x1": ["x2"]},
                "dependentSchemas": {"x2": {"required": ["x1"]}},
            },
            "both": {"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 5}]},
            "text": {"type": "string", "format": "uri", "contentEncoding": "base64"},
            "when": {"type": "string", "format": "date-time", "deprecated": True},
            "any": True,
            "never": False,
        },
        "required": ["count", "elsewhere"],
        "additionalProperties": {"type": "string"},
    },
    "malformed": {
        "type": "object",
        "properties": {
            "a": {"type": "int"},
            "b": {"required": "x"},
            "c": "string",
            "d": {"type": "object", "properties": None, "additionalProperties": False},
            "e": {"minimum": "5", "enum": "x", "pattern": 7, "items": 3},
            "f": {"anyOf": []},
            "g": {"oneOf": [{"type": "string"}, "junk"]},
            "h": {"$ref": 7},
        },
        "required": None,
    },
}  # fmt: skip


def tool(server: str, name: str, schema: object = None, **more: object) -> Tool:
    """A tool as a lock gives it."""
    wire = {"name": name, "description": f"Tests {name}.", **more}
    if schema is not None:
        wire["inputSchema"] = schema
    return Tool(server, name, hash_value(wire), True, wire)


def nasty_tools() -> list[Tool]:
    """All of them, with odd names, and 128 names that collide when they are cleaned."""
    tools = [tool("nasty", name, schema) for name, schema in SCHEMAS.items()]
    odd = (
        "",
        "a.b",
        "user/update",
        "7zip",
        "x" * 300,
        "Ünï",
        "get\nx",
        "GetUser",
        "getuser",
        "a__b",
    )
    tools += [tool("7zip.list files", name, {"type": "object"}) for name in odd]
    tools += [tool("same", f"a{chr(0x400 + at)}b", {"type": "object"}) for at in range(128)]
    tools.append(tool("mute", "silent", {"type": "object"}, description=""))
    tools.append(tool("mute", "strange", {"type": "object"}, description=["no", "text"]))
    return tools
