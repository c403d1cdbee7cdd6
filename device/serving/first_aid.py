"""The page while the referee cannot start: what is wrong, and the mend where there is one.

It needs nothing that may be broken itself: no journal, no settings, no other process. Whoever mends proves himself as
the referee's phone does, by his browser's token or by the code that the box shows.
"""

import html
import sqlite3
from http import HTTPStatus
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs

from linesies.device.box.ailments import Ailment, Patient, ailments_of, last_words
from linesies.device.hushing import hushed
from linesies.device.phones.phones import Phones
from linesies.device.places import phones_file
from linesies.device.settings.settings import WebSettings
from linesies.web.safety import COOKIE, HEADERS, is_own_host

PATIENCE_S = 5.0  # for one request: strangers may hold the line
MOST_BYTES = 1000
POLICY = {
    **HEADERS,
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    "Cache-Control": "no-store",
}
LOOK = (
    "body{font:18px/1.5 system-ui;margin:2em auto;max-width:34em;padding:0 1em}button,input{font:inherit;padding:.5em}"
)


class FirstAid(HTTPServer):
    """Serves the page until somebody has mended something or wants the referee to be tried again."""

    def __init__(self, patient: Patient, web: WebSettings) -> None:
        super().__init__((web.host, web.port), _Handler)
        self.patient = patient
        self.names = web.names
        self.is_done = False

    def serve(self) -> None:
        """Serve until then."""
        while not self.is_done:
            self.handle_request()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: FirstAid
    timeout = PATIENCE_S

    def do_GET(self) -> None:
        """Show what is wrong."""
        if self._is_own():
            self._answer(HTTPStatus.SERVICE_UNAVAILABLE, _page(self.server.patient))

    def do_POST(self) -> None:
        """Mend one thing, or have the referee tried again."""
        if not self._is_own():
            return
        length = self.headers.get("Content-Length", "")
        sent = self.rfile.read(min(int(length), MOST_BYTES) if length.isdecimal() else 0)
        asked = parse_qs(sent.decode("utf-8", "replace"))
        if not self._may_mend(asked.get("code", [""])[0]):
            self._answer(HTTPStatus.FORBIDDEN, _page(self.server.patient, "That was not the code."))
            return
        chosen = asked.get("mend", [""])[0]
        for ailment in ailments_of(self.server.patient):
            if ailment.mend is not None and ailment.words == chosen:
                ailment.mend()
        self._answer(HTTPStatus.OK, _sheet("<p>The referee is tried again. Open this page anew in half a minute.</p>"))
        self.server.is_done = True

    def _is_own(self) -> bool:
        host = self.headers.get("Host", "")
        is_own = is_own_host(host, {name.lower() for name in self.server.names} | {"localhost", "linesies.local"})
        origin = self.headers.get("Origin")
        if not is_own or (self.command == "POST" and origin is not None and origin != f"http://{host}"):
            self._answer(HTTPStatus.BAD_REQUEST, _sheet("<p>This address is not one of mine.</p>"))
            return False
        return True

    def _may_mend(self, code: str) -> bool:
        """Tell whether this is the referee's phone, or whoever stands beside the box."""
        try:
            phones = Phones(phones_file(self.server.patient.state))
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
            if cookie is not None and phones.role(cookie.value).kind == "referee":
                return True
            token = phones.enter("", code.replace(" ", ""))
            role = None if token is None else phones.role(token)
            if role is not None:
                phones.revoke(role.phone)
        except (sqlite3.Error, OSError):
            return True  # no code can be known; a mend takes nothing away
        return role is not None and role.kind == "referee"

    def _answer(self, status: HTTPStatus, page: str) -> None:
        body = page.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in POLICY.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing."""


def _page(patient: Patient, told: str = "") -> str:
    ailments = ailments_of(patient)
    said = hushed(last_words(patient))
    parts = ["<h1>The referee cannot start</h1>", f"<p><b>{told}</b></p>" if told else ""]
    parts += [_section(ailment) for ailment in ailments]
    parts += [f"<p>His last words: <code>{html.escape(said)}</code></p>" if said else ""]
    parts += [_form("", "Try again")]
    parts += [
        "<p>No game is lost. More is in the box's log: <code>sudo journalctl -u linesies-referee -n 50</code></p>"
    ]
    return _sheet("".join(parts))


def _section(ailment: Ailment) -> str:
    words = html.escape(hushed(ailment.words))
    if ailment.mend is None:
        return f"<h2>{words}</h2><p>{html.escape(ailment.offer)}</p>"
    return f"<h2>{words}</h2>{_form(ailment.words, ailment.offer)}"


def _form(mend: str, offer: str) -> str:
    return (
        f'<form method="post" action="/"><input type="hidden" name="mend" value="{html.escape(mend)}">'
        '<label>The code that the box shows <input name="code" inputmode="numeric" size="9"></label> '
        f"<button>{html.escape(offer)}</button></form>"
    )


def _sheet(body: str) -> str:
    meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head = f"<head>{meta}<title>Linesies</title><style>{LOOK}</style></head>"
    return f"<!doctype html><html lang=en>{head}<body>{body}</body></html>"
