"""What keeps strangers out on a local network, which is no trust boundary.

Host must be a literal address or a listed name (DNS rebinding needs a name); unsafe methods must come from our
own page (Origin) and carry in a header the sign that belongs to the browser's token, which no script can read;
answers carry a strict policy and tell nothing.
"""

import hashlib
import hmac
import ipaddress
import re
import secrets
from collections.abc import Collection
from typing import Any

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from linesies.web.language import language_of, translator

COOKIE = "linesies"
TOKEN_HEADER = "X-Linesies-Token"  # noqa: S105 - a header's name
MAX_BODY_BYTES = 16 * 1024
MAX_PHOTOGRAPH_BYTES = 600 * 1024
PHOTOGRAPHS = "/deck/"  # where photographs are sent to, and nothing else of that size
HOST = re.compile(r"(?:\[(?P<v6>[^\[\]]*)\]|(?P<name>[^\[\]:]+))(?::\d{0,5})?", re.ASCII)
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
WORDS = {
    400: "The request makes no sense here.",
    403: "That is not allowed from here; open the page again.",
    404: "There is nothing here.",
    405: "That cannot be done here.",
    413: "That is too much at once.",
    415: "Orders are JSON.",
    429: "Too many orders at once; wait a moment.",
    500: "Something went wrong inside; the game goes on.",
    503: "Too many phones are watching; try again in a moment.",
}


def guard(app: Flask, allowed_hosts: Collection[str]) -> None:
    """Put the checks before each request and the policy on each answer."""
    app.config["MAX_CONTENT_LENGTH"] = MAX_PHOTOGRAPH_BYTES
    names = {host.lower().rstrip(".") for host in allowed_hosts}

    @app.before_request
    def check() -> Response | None:
        if not is_own_host(request.host, names):
            return refusal(400, "bad_host", "This address is not one of mine; use the one that the referee shows.")
        if request.method not in {"GET", "HEAD"} and not _is_from_own_page():
            return refusal(403)
        if (request.content_length or 0) > MAX_BODY_BYTES and not request.path.startswith(PHOTOGRAPHS):
            return refusal(413)
        return None

    @app.after_request
    def protect(response: Response) -> Response:
        response.headers.extend(HEADERS)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.errorhandler(Exception)
    def fail(fault: Exception) -> Response:
        if isinstance(fault, HTTPException):
            return refusal(fault.code or 500)
        app.logger.error("A page failed", exc_info=fault)
        return refusal(500)


def is_own_host(host: str, names: Collection[str]) -> bool:
    """Tell whether a Host header is a literal address or a listed name, whatever the port."""
    told = HOST.fullmatch(host.lower())
    if told is None:
        return False
    try:
        ipaddress.ip_address(told["v6"] or told["name"])
    except ValueError:
        return told["v6"] is None and told["name"].rstrip(".") in names
    return True


def refusal(status: int, code: str = "", message: str = "", *, why: str = "") -> Response:
    """Answer with a status, a code and one sentence in the phone's language, and nothing of what is inside.

    `why` is for programs: what is wrong with what they sent, in English.
    """
    say = translator(language_of(request))
    told = {"why": why} if why else {}
    answer = jsonify(code=code or f"http_{status}", message=say(message or WORDS.get(status, WORDS[400])), **told)
    answer.status_code = status
    return answer


def token() -> str:
    """Return this browser's token, a new one if it has none."""
    known = request.cookies.get(COOKIE, "")
    return known if len(known) == 43 and known.isascii() else secrets.token_urlsafe(32)


def give_token(response: Response, value: str) -> Response:
    """Keep the token in the browser where no script and no other site can use it."""
    response.set_cookie(COOKIE, value, httponly=True, samesite="Strict", max_age=30 * 24 * 3600)
    return response


def phone_name() -> str:
    """Name the phone that asks, the same each time, without giving its token away."""
    return f"phone:{hashlib.sha256(token().encode()).hexdigest()[:6]}"


def sign_of(value: str) -> str:
    """Make the sign by which our own page shows that it knows the browser's token, without showing the token."""
    return hmac.new(value.encode(), b"linesies page", hashlib.sha256).hexdigest()


def _is_from_own_page() -> bool:
    known = request.cookies.get(COOKIE)
    has_sign = hmac.compare_digest(_bytes(request.headers.get(TOKEN_HEADER)), _bytes(sign_of(known or "")))
    return bool(known) and has_sign and request.headers.get("Origin") == request.host_url[:-1]


def _bytes(text: Any) -> bytes:
    return str(text or "").encode()
