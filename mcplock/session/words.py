"""Text that came from a server or its variables, made fit for a message."""

from collections.abc import Mapping

from mcplock.text import visible

Secrets = Mapping[str, str]


def scrub_text(text: str, secrets: Secrets) -> str:
    """`text` with every secret, as it is or as it is shown, replaced by its name."""
    for secret, name in secrets.items():
        text = text.replace(secret, name).replace(visible(secret), name)
    return text


def shown(text: str, secrets: Secrets, width: int = 200) -> str:
    """`text` on one line, without secrets, safe to print, and cut to about `width` characters."""
    text = scrub_text(text, secrets).rstrip()
    return visible(text[:width]) + ("…" if len(text) > width else "")
