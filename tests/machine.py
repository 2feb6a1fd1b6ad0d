"""What tests ask of, or keep from, the machine that they run on."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import keyring
from keyring.backends import null


def alive(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@contextmanager
def without_keyring() -> Iterator[None]:
    """No token of a test goes into a keyring of this machine."""
    before = keyring.get_keyring()
    keyring.set_keyring(null.Keyring())
    try:
        yield
    finally:
        keyring.set_keyring(before)
