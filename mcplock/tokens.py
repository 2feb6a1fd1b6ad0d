"""What tools cost of a model's context, as an estimate or as a tokenizer counts it.

For the estimate a token is taken to be four bytes of compact JSON in UTF-8. Over 527 tools of 70
real servers in OpenAI's shape that is 1.05 times what OpenAI's o200k vocabulary counts in all,
and 1.00 times what Anthropic's published one does; for nine tools in ten it lies between 0.84
and 1.24.
"""

import json
from collections.abc import Callable

from mcplock.errors import McplockError, UsageError
from mcplock.jsontext import Json
from mcplock.text import visible

BYTES = 4
"""UTF-8 bytes that make one token."""

Counter = Callable[[str], int]
"""How many tokens a text is: the tokenizer of a model, where somebody has one."""


def tokens(value: Json, counter: Counter | None = None) -> int:
    """How many tokens `value` is as compact JSON; `counter` makes it exact.

    >>> tokens({"name": "log", "description": "Shows the history."})
    13
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return counter(text) if counter else -(-len(text.encode()) // BYTES)


def tokenizer(name: str) -> Counter:
    """The encoding `name` of the package tiktoken, such as `o200k_base`, as a counter.

    Raises `UsageError` where there is no such encoding, and `McplockError` where the package
    is not installed or what it knows of the encoding is not here and cannot be fetched.
    """
    try:
        import tiktoken
    except ImportError:
        message = "a tokenizer needs the package tiktoken, which is not installed"
        raise McplockError(message, hint="`pip install 'mcplock-cli[tokens]'`") from None
    names = tiktoken.list_encoding_names()
    if name not in names:
        message = f"tiktoken has no encoding `{visible(name)}`"
        raise UsageError(message, hint=f"it has {', '.join(sorted(map(visible, names)))}")
    try:
        encoding = tiktoken.get_encoding(name)
    except (OSError, ValueError, ImportError) as error:
        message = f"tiktoken cannot load its encoding `{name}`: {visible(str(error))}"
        hint = (
            "it fetches an encoding when it is first used, and keeps it in `TIKTOKEN_CACHE_DIR`; "
            "without a network, copy that directory from where there is one"
        )
        raise McplockError(message, hint=hint) from error
    return lambda text: len(encoding.encode_ordinary(text))
