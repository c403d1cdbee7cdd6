"""A crowd of phones and of strangers: rows reach everyone at once, orders are taken, half requests stop nobody.

Bounded to seconds; LINESIES_PHONES=300 LINESIES_STRANGERS=2000 measures at full size (see it with -s).
"""

import contextlib
import json
import os
import re
import selectors
import socket
import threading
import time
import urllib.request
from pathlib import Path

import pytest

from linesies.device.places import journal_file
from linesies.device.serving.serving import Face
from linesies.device.settings.settings import WebSettings
from tests.pace import SLACK
from tests.refereeing import referee_on, shot

PHONES = int(os.environ.get("LINESIES_PHONES", "40"))
STRANGERS = int(os.environ.get("LINESIES_STRANGERS", "1200"))
ROWS = int(os.environ.get("LINESIES_ROWS", "12"))
ROW_EVERY_S = 0.25
TO_PHONE_S, ORDER_S = 0.25, 0.5


class Crowd:
    """Streams that are read by one thread; remembers when each heard of which row."""

    def __init__(self, port, phones):
        self._chooser = selectors.DefaultSelector()
        self._is_over = False
        self.heard = []  # (row, time)
        self.sockets = []
        for _ in range(phones):
            one = socket.create_connection(("127.0.0.1", port))
            one.sendall(b"GET /feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
            one.setblocking(False)
            self._chooser.register(one, selectors.EVENT_READ, bytearray())
            self.sockets.append(one)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        while not self._is_over:
            for key, _ in self._chooser.select(0.1):
                with contextlib.suppress(OSError):
                    key.data.extend(key.fileobj.recv(1 << 16))
                at_s = time.time()
                for found in re.finditer(rb"id: (\d+)\nevent: story", bytes(key.data)):
                    self.heard.append((int(found[1]), at_s))
                del key.data[: max(0, key.data.rfind(b"\n\n") + 2)]

    def close(self):
        self._is_over = True
        self._thread.join()
        for one in self.sockets:
            one.close()


@pytest.fixture
def table(tmp_path):
    referee = referee_on(journal_file(tmp_path))
    face = Face(tmp_path, WebSettings(host="127.0.0.1", port=0, pairing=False))
    answered(face)
    yield referee, face
    face.close()


def answered(face, patience_s=60.0):
    until_s = time.monotonic() + patience_s
    while True:
        try:
            with urllib.request.urlopen(face.addresses[0], timeout=30) as answer:
                cookie = answer.headers["Set-Cookie"].split(";")[0]
                return cookie, re.search(r'linesies-token" content="(\w+)"', answer.read().decode())[1]
        except OSError:
            if time.monotonic() > until_s:
                raise
            time.sleep(0.1)


def order_time_s(face, cookie, sign):
    body = json.dumps({"order": "event", "event": {"event": "pause"}}).encode()
    headers = {"Cookie": cookie, "X-Linesies-Token": sign, "Origin": face.addresses[0][:-1]}
    request = urllib.request.Request(
        f"{face.addresses[0]}orders", body, {**headers, "Content-Type": "application/json"}
    )
    begun_s = time.monotonic()
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 202
    return time.monotonic() - begun_s


def half_sent(port, count):
    """Connect like strangers do: some send nothing, some half a head, some half a body."""
    halves = [
        b"",
        b"GET / HTTP/1.1\r\nHost: loc",
        b"POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{",
    ]
    found = []
    for number in range(count):
        one = socket.socket()
        one.settimeout(5)
        with contextlib.suppress(OSError):
            one.connect(("127.0.0.1", port))
            one.sendall(halves[number % len(halves)])
        found.append(one)
    return found


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def processes(face):
    own = face._child.pid
    return [own, *Path(f"/proc/{own}/task/{own}/children").read_text().split()]


def memory_mb(face):
    rss = [re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1] for pid in processes(face)]
    return sum(map(int, rss)) / 1024


def cpu_s(face):
    """Tell the processor time that the page has used: a figure that a busy machine does not spoil."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in processes(face)]
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")


def test_rows_reach_a_crowd_and_orders_are_taken_while_strangers_send_half_requests(table, capfd):
    referee, face = table
    cookie, sign = answered(face)
    crowd = Crowd(face.port, PHONES)
    time.sleep(1.0 + PHONES / 100)
    before_mb = memory_mb(face)
    begun_cpu_s = cpu_s(face)
    strangers = half_sent(face.port, STRANGERS)
    time.sleep(0.5 + STRANGERS / 1000)
    strangers_cpu_s = cpu_s(face) - begun_cpu_s
    written, order_s = {}, []
    try:
        for number in range(ROWS):
            box = str(1 + number % 12)
            rows = referee.see(shot("ana", box, t_s=float(number)))
            written[rows[-1].id] = rows[-1].at_s
            if number % 3 == 0:
                order_s.append(order_time_s(face, cookie, sign))
            time.sleep(ROW_EVERY_S)
        time.sleep(2.0)
    finally:
        crowd.close()
        for one in strangers:
            one.close()
    delays = [at_s - written[row] for row, at_s in crowd.heard if row in written]
    p99_s = percentile(delays, 0.99)
    with capfd.disabled():
        print(  # noqa: T201 - seen with -s
            f"{PHONES} phones, {STRANGERS} strangers: row to phone p50 {percentile(delays, 0.5) * 1e3:.0f} ms, "
            f"p99 {p99_s * 1e3:.0f} ms; slowest order {max(order_s) * 1e3:.0f} ms; "
            f"{before_mb:.0f} MB, {memory_mb(face):.0f} MB afterwards; "
            f"processor time {strangers_cpu_s:.2f} s for the strangers, "
            f"{(cpu_s(face) - begun_cpu_s - strangers_cpu_s) / ROWS * 1e3:.0f} ms a row to all phones"
        )
    assert len(delays) > 0.5 * PHONES * ROWS
    assert p99_s < TO_PHONE_S * SLACK
    assert max(order_s) < ORDER_S * SLACK
    assert "Traceback" not in capfd.readouterr().err  # strangers let go are no failures


def test_who_sends_half_a_request_is_let_go(table):
    _, face = table
    with socket.create_connection(("127.0.0.1", face.port)) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        slow.settimeout(30)
        begun_s = time.monotonic()
        assert slow.recv(100) == b""
        assert time.monotonic() - begun_s < 25


class ImpatientFace(Face):
    """A page that waits for a slow reader one second instead of twenty."""

    program = (
        "-c",
        (
            "import runpy, linesies.web.pages as p; p.SLOW_S = 1; "
            "runpy.run_module('linesies.device.serving.webface', None, '__main__')"
        ),
    )


def test_a_reader_that_takes_nothing_is_dropped_and_the_others_hear_on(tmp_path, capfd):
    referee = referee_on(journal_file(tmp_path))
    with contextlib.closing(ImpatientFace(tmp_path, WebSettings(host="127.0.0.1", port=0, pairing=False))) as face:
        answered(face)
        crowd, slow = Crowd(face.port, 1), socket.socket()
        with contextlib.closing(crowd), slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect(("127.0.0.1", face.port))
            slow.sendall(b"GET /feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
            until_s, number = time.monotonic() + 20 * SLACK, 0
            while streams(face) > 1 and time.monotonic() < until_s:  # soon more than the wires between us hold
                referee.redraw({"lines": [{"outline": [[number, 0.5]] * 90_000, "skull": False}]})
                number += 1
                time.sleep(0.3)
            assert streams(face) == 1
            last = referee.see(shot("ana", "1"))[-1].id
            while not any(row == last for row, _ in crowd.heard) and time.monotonic() < until_s:
                time.sleep(0.05)
            assert any(row == last for row, _ in crowd.heard)
    assert "Traceback" not in capfd.readouterr().err


def streams(face):
    """Count the connections that the page holds, as the system knows them."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    own, established = f":{face.port:04X}", "01"
    return sum(line.split()[1].endswith(own) and line.split()[3] == established for line in lines)
