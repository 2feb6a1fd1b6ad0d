"""Text that came from a server or its variables, made fit for a message."""

import json
import re
from collections.abc import Mapping

from mcplock.lazy import pattern
from mcplock.text import visible

Secrets = Mapping[str, str]
_USERINFO = pattern(r"(?<=://)[^\s/@]+:[^\s/@]+@")
_STAND_IN = "\ufdd0"  # no character: stands for the mask until the rest is made visible


def scrub_text(text: str, secrets: Secrets) -> str:
    """`text`, which is kept, with every secret, as it is or as it is shown, replaced by its name.

    A password in a URL goes too: launchers print the addresses of their indexes.
    """
    for secret, name in secrets.items():
        text = text.replace(secret, name).replace(visible(secret), name)
    return _USERINFO.sub("***@", text)


def told(text: str, values: Secrets) -> str:
    """`text`, which is safe to print, without `values` and without what looks like a secret."""
    from mcplock.manifest.secrets import without_secrets

    return without_secrets(_named(text, values))


def shown(text: str, values: Secrets, width: int = 200) -> str:
    """`text` on one line, as `told` has it, safe to print, cut to about `width` characters."""
    from mcplock.manifest.secrets import MASK, without_secrets

    text = _named(text, values).replace(_STAND_IN, "\ufffd").rstrip()
    text = without_secrets(text, _STAND_IN)
    cut = visible(text[:width]).replace(visible(_STAND_IN), MASK)
    return cut + ("…" if len(text) > width else "")


def learn(secrets: dict[str, str], found: Secrets) -> None:
    """Add what of `found` is long enough to be looked for, the longest first as before."""
    from mcplock.manifest.resolve import MIN_SECRET

    forms = {form: name for text, name in found.items() for form in _forms(text)}
    long = {form: name for form, name in forms.items() if len(form) >= MIN_SECRET} | secrets
    secrets.clear()
    secrets.update({form: long[form] for form in sorted(long, key=lambda text: (-len(text), text))})


def _forms(text: str) -> set[str]:
    """`text` as it is, in a URL, in JSON, and as Python quotes it and its bytes."""
    from urllib.parse import quote

    escaped = (repr(text), ascii(text), repr(text.encode("utf-8", "surrogatepass"))[1:])
    quoted = quote(text, safe="", errors="replace")
    return {text, text.strip(), quoted, json.dumps(text)[1:-1], *(form[1:-1] for form in escaped)}


def _named(text: str, values: Secrets) -> str:
    """`text` with the name of each value in its place, in one pass: names are not looked into."""
    names = {form: name for value, name in values.items() for form in (value, visible(value))}
    there = sorted((form for form in names if form in text), key=len, reverse=True)
    if there:
        kept = dict.fromkeys(names.values())
        wanted = "|".join([*map(re.escape, kept), *map(_looked_for, there)])
        text = re.sub(wanted, lambda hit: names.get(hit[0], hit[0]), text)
    return _USERINFO.sub("***@", text)


def _looked_for(form: str) -> str:
    """A short value is a part of many words: it counts where it stands alone."""
    from mcplock.manifest.resolve import MIN_SECRET

    if len(form) >= MIN_SECRET:
        return re.escape(form)
    return f"(?<![A-Za-z0-9]){re.escape(form)}(?![A-Za-z0-9])"
