"""`linesies web`: the page alone, beside a referee in a process of his own."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from linesies.device.commands import web
from linesies.device.errors import BadInput
from linesies.device.places import journal_file
from tests.refereeing import referee_on
from tests.test_referee_commands import run
from tests.test_serving import fetch

PATIENCE_S = 60


def write_settings(folder):
    """Settings with a port that is free; that port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "linesies.toml").write_text(f'[web]\nhost = "127.0.0.1"\nport = {port}\n[keep]\nstate = "state"\n')
    return port


@pytest.fixture
def page(tmp_path):
    (tmp_path / "state").mkdir()
    referee_on(journal_file(tmp_path / "state")).journal.close()
    port = write_settings(tmp_path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(PATIENCE_S)
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "linesies", "web"],
            cwd=tmp_path,
            env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "60000000"},
        )
        yield f"http://127.0.0.1:{port}/", process, systemd
        process.kill()
        process.wait()


def hear(systemd, word):
    while word not in (told := systemd.recv(1000).decode()):
        pass
    return told


def test_it_serves_tells_systemd_that_it_answers_and_ends_when_asked(page):
    address, process, systemd = page
    assert "the page answers" in hear(systemd, "WATCHDOG=1")
    with urllib.request.urlopen(f"{address}story", timeout=PATIENCE_S) as answer:
        assert json.load(answer)["state"]["turn"] == "ana"
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0


def test_on_port_80_handed_down_by_systemd_it_leads_phones_that_have_just_joined_to_the_page(tmp_path):
    write_settings(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as handed_down:
        as_systemd = (  # sd_listen_fds(3)
            f"import os; os.dup2({handed_down.fileno()}, 3);"
            "os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()));"
            f"os.execv({sys.executable!r}, [{sys.executable!r}, '-P', '-m', 'linesies', 'web'])"
        )
        command = [sys.executable, "-c", as_systemd]
        process = subprocess.Popen(
            command, cwd=tmp_path, pass_fds=[handed_down.fileno()], stderr=subprocess.PIPE, start_new_session=True
        )
        address = process.stderr.readline().decode().split()[-1]
        caller = http.client.HTTPConnection(*handed_down.getsockname(), timeout=PATIENCE_S)
        caller.request("GET", "/generate_204", headers={"Host": "connectivitycheck.gstatic.com"})
        answer = caller.getresponse()
        assert (answer.status, answer.headers["Location"]) == (302, address)
        answer.read()
        caller.request("GET", "/story", headers={"Host": "elsewhere.example"})
        assert caller.getresponse().status == 400
        caller.close()
    process.terminate()
    assert process.wait(PATIENCE_S) == 0
    process.stderr.close()


def test_it_ends_when_the_journal_is_replaced_to_be_started_on_the_new_one(page, tmp_path):
    address, process, _ = page
    assert fetch(address, PATIENCE_S) == 200
    path = journal_file(tmp_path / "state")
    other = referee_on(path.with_name("other.sqlite"))
    other.journal.close()
    path.with_name("other.sqlite").replace(path)
    assert process.wait(PATIENCE_S) == 0


def test_settings_that_cannot_be_used_are_told_before_anything_is_served(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        run(web.command, "--config", tmp_path / "none.toml")
