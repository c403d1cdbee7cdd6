"""The code by which boards are let in; a new one after each use and after ten wrong tries.

Remembers the code and how often it was guessed at; so a hub that starts again has another.
"""

import hmac
import secrets
import threading
from collections.abc import Callable

DIGITS = 6
WRONG_TRIES = 10


class Admission:
    """Shows each new code to whoever runs the hub, and tells who has read it."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._lock = threading.Lock()
        self._renew()

    @property
    def code(self) -> str:
        """Give the code of now."""
        return self._code

    def lets_in(self, given: str) -> bool:
        """Tell whether this is the code, which then has done its duty."""
        with self._lock:
            is_right = hmac.compare_digest("".join(given.split()).encode(), self._code.encode())
            self._wrong += not is_right
            if is_right or self._wrong >= WRONG_TRIES:
                self._renew()
            return is_right

    def _renew(self) -> None:
        self._code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"
        self._wrong = 0
        self._show(self._code)
