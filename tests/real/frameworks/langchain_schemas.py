"""What a model of LangChain is sent for tools with these schemas: JSON lists in and out."""

import json
import sys

from langchain_core.utils.function_calling import convert_to_openai_tool

from mcplock.adapters.langchain import tools
from mcplock.approved import Approved
from mcplock.catalog import Catalog
from tests.exports.nasty import tool

given = [tool("s", f"t{at}", schema) for at, schema in enumerate(json.load(sys.stdin))]
made = tools(Catalog(Approved(given, [], {})))
assert [each.args_schema for each in made] == [each.input_schema for each in given]
assert all(isinstance(each.args, dict) for each in made)
print(json.dumps([convert_to_openai_tool(each)["function"]["parameters"] for each in made]))
