"""Text that came from a server or its variables, made fit for a message."""

from collections.abc import Mapping

from mcplock.lazy import pattern
from mcplock.text import visible

Secrets = Mapping[str, str]
_USERINFO = pattern(r"(?<=://)[^\s/@]+:[^\s/@]+@")


def scrub_text(text: str, secrets: Secrets) -> str:
    """`text` with every secret, as it is or as it is shown, replaced by its name.

    A password in a URL goes too: launchers print the addresses of their indexes.
    """
    for secret, name in secrets.items():
        text = text.replace(secret, name).replace(visible(secret), name)
    return _USERINFO.sub("***@", text)


def learn(secrets: dict[str, str], found: Secrets) -> None:
    """Add what of `found` is long enough to be looked for, the longest first as before."""
    from urllib.parse import quote

    from mcplock.manifest.resolve import MIN_SECRET

    forms = {form: name for text, name in found.items() for form in (text, quote(text, safe=""))}
    long = {form: name for form, name in forms.items() if len(form) >= MIN_SECRET} | secrets
    secrets.clear()
    secrets.update({form: long[form] for form in sorted(long, key=lambda text: (-len(text), text))})


def shown(text: str, secrets: Secrets, width: int = 200) -> str:
    """`text` on one line, without secrets, safe to print, and cut to about `width` characters."""
    text = scrub_text(text, secrets).rstrip()
    return visible(text[:width]) + ("…" if len(text) > width else "")
