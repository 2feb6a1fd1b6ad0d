"""The address that a browser comes back to."""

import asyncio
import urllib.request
from collections.abc import Mapping

import pytest

from mcplock.session import redirect
from mcplock.session.redirect import Redirect


def test_the_page_is_sent_before_the_answer_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it counts the program may end, and a browser would show a broken connection."""
    order: list[str] = []
    say, take = redirect._Handler._say, Redirect.take

    def said(handler: redirect._Handler, status: int, text: str) -> None:
        say(handler, status, text)
        order.append("sent")

    def taken(listener: Redirect, address: str) -> str:
        order.append("counts")
        return take(listener, address)

    monkeypatch.setattr(redirect._Handler, "_say", said)
    monkeypatch.setattr(Redirect, "take", taken)

    async def main() -> Mapping[str, str]:
        with Redirect(0) as listener:
            listener.expect("s")
            address = f"{listener.uri}?state=s&code=c"
            page = await asyncio.to_thread(lambda: urllib.request.urlopen(address).read())
            assert b"go back to the terminal" in page
            return await listener.answer(5)

    assert asyncio.run(main()) == {"state": "s", "code": "c"}
    assert order == ["sent", "counts"]
