"""Tells webhooks what waits for them, on a thread of its own, signed as standardwebhooks.com has it."""

import base64
import hashlib
import hmac
import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

from linesies.league.webhooks import Delivery, Webhooks

PATIENCE_S = 5.0
MOST_AT_ONCE = 100  # tellings in one look, so that the bell is heard again


class _NoWayOn(urllib.request.HTTPRedirectHandler):
    """Goes nowhere else: who is told is who was named."""

    def redirect_request(self, *_: Any) -> None:
        """Follow nobody."""


OPENER = urllib.request.build_opener(_NoWayOn)


class Post:
    """Carries what is due; `said` gives the words of a delivery, None where there is nothing to say any more."""

    def __init__(self, hooks: Webhooks, said: Callable[[Delivery], dict[str, Any] | None]) -> None:
        self._hooks = hooks
        self._said = said

    def look(self) -> None:
        """Tell all that is due; a hook that fails is tried again later, and keeps no other waiting for long."""
        count = 0
        while count < MOST_AT_ONCE and (due := self._hooks.due()):
            for delivery in due:
                said = self._said(delivery)
                self._hooks.told(delivery, None if said is None else send(delivery, said, at_s=int(time.time())))
                count += 1


def send(delivery: Delivery, said: dict[str, Any], *, at_s: int) -> str | None:
    """Post a message; gives why it was not taken, None for one that was."""
    body = json.dumps(said, ensure_ascii=False).encode()
    number = f"msg_{delivery.delivery}"
    headers = {
        "Content-Type": "application/json",
        "webhook-id": number,
        "webhook-timestamp": str(at_s),
        "webhook-signature": signature(delivery.secret, f"{number}.{at_s}.".encode() + body),
    }
    asked = urllib.request.Request(delivery.url, body, headers)  # noqa: S310 - the organiser named it, and it is http
    try:
        with OPENER.open(asked, timeout=PATIENCE_S):
            return None
    except (OSError, ValueError, http.client.HTTPException) as fault:
        return str(fault)[:200]


def signature(secret: bytes, message: bytes) -> str:
    """Sign a message, so that its reader knows that we said it."""
    return "v1," + base64.b64encode(hmac.new(secret, message, hashlib.sha256).digest()).decode()
