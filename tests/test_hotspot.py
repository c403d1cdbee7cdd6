"""The box's own network: nmcli is asked as its manual has it, and what it says is told in one line."""

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from linesies.device.box.hotspot import (
    CONNECTION,
    NoHotspot,
    close_hotspot,
    has_joined,
    is_in_a_network,
    open_hotspot,
    ready_hotspot,
    run_nmcli,
)
from linesies.device.commands import hotspot
from linesies.web import PROBES

# nmcli(1) of NetworkManager 1.42 (Bookworm) and 1.52 (Trixie):
#   nmcli [--show-secrets] [--get-values FIELDS] connection show [NAME]
#   nmcli connection {up|down} NAME
#   nmcli connection add type wifi ifname IFNAME con-name NAME autoconnect no ssid SSID PROPERTY VALUE ...
#   nmcli --get-values TYPE,STATE device status
SHOW = ["--get-values", "NAME", "connection", "show"]


@pytest.fixture(autouse=True)
def names_file(tmp_path, monkeypatch):
    """Where NetworkManager would look, elsewhere."""
    path = tmp_path / "dnsmasq-shared.d" / "linesies.conf"
    for command in (open_hotspot, close_hotspot):
        monkeypatch.setitem(command.__kwdefaults__, "names_file", path)
    return path


class Recorded:
    """Answers as nmcli does; remembers what it was asked."""

    def __init__(self, connections="Home\nlo\n", secret="Street\nabcdefghij\n"):
        self.asked, self.connections, self.secret = [], connections, secret

    def __call__(self, arguments):
        self.asked.append(list(arguments))
        if list(arguments) == SHOW:
            return self.connections
        return self.secret if "--show-secrets" in arguments else ""


def test_the_first_time_it_is_made_with_a_password_that_can_be_typed():
    nmcli = Recorded()
    made = open_hotspot("Street", nmcli)
    known, added, opened = nmcli.asked
    assert (known, opened) == (SHOW, ["connection", "up", CONNECTION])
    assert added[:2] == ["connection", "add"]
    assert added[-2:] == ["wifi-sec.psk", made.password]
    assert {"ap", "shared", "wpa-psk", "Street"} <= set(added)
    assert len(made.password) >= 8, "WPA asks for eight letters"
    assert made.password.isalnum()
    assert open_hotspot("Street", Recorded()).password != made.password


def test_the_next_time_it_is_the_same_one():
    nmcli = Recorded(connections=f"Home\n{CONNECTION}\n")
    made = open_hotspot("Other", nmcli)
    assert (made.name, made.password) == ("Street", "abcdefghij")
    assert nmcli.asked[-1] == ["connection", "up", CONNECTION]


def test_it_can_be_made_ready_and_stay_closed():
    nmcli = Recorded()
    made = ready_hotspot("Street", nmcli)
    assert [asked[:2] for asked in nmcli.asked] == [SHOW[:2], ["connection", "add"]]
    assert ready_hotspot("Other", Recorded(connections=CONNECTION, secret=f"Street\n{made.password}\n")) == made


@pytest.mark.parametrize(
    ("devices", "is_joined"),
    [
        ("wifi:disconnected\nethernet:unavailable\nloopback:connected (externally)\n", False),
        ("wifi:connecting (getting IP configuration)\n", False),
        ("wifi:connected\nloopback:connected (externally)\n", True),
        ("ethernet:connected\n", True),
        ("", False),
    ],
)
def test_a_network_is_one_of_cable_or_air(devices, is_joined):
    assert is_in_a_network(lambda _: devices) == is_joined


def test_by_itself_it_opens_only_where_there_is_no_other_and_keeps_its_password_out_of_the_log(tmp_path, monkeypatch):
    monkeypatch.setattr(hotspot, "NETWORK_PATIENCE_S", 0.0)
    for devices, opened in (("wifi:connected", False), ("wifi:disconnected", True)):
        asked = tmp_path / f"asked {opened}"
        nmcli_in_path(tmp_path, monkeypatch, f'echo "$@" >> "{asked}"; case "$*" in *device*) echo {devices};; esac')
        told = CliRunner().invoke(hotspot.command, ["auto"], catch_exceptions=False)
        assert ("connection up linesies-hotspot" in asked.read_text()) == opened
        assert ("open" in told.output) == opened
        assert "password" not in told.output


def test_a_network_that_the_box_knows_is_waited_for(monkeypatch):
    monkeypatch.setattr("linesies.device.box.hotspot.LOOK_EVERY_S", 0.0)
    devices = iter(["wifi:disconnected", "wifi:connecting", "wifi:connected"])
    assert has_joined(60.0, lambda _: next(devices))


def test_it_is_closed_or_told_that_there_is_none():
    nmcli = Recorded(connections=f"{CONNECTION}\n")
    close_hotspot(nmcli)
    assert nmcli.asked[-1] == ["connection", "down", CONNECTION]
    with pytest.raises(NoHotspot, match="hotspot on"):
        close_hotspot(Recorded())


def test_while_it_is_open_the_names_by_which_phones_try_a_network_lead_to_the_page(names_file):
    open_hotspot("Street", Recorded())
    written = names_file.read_text().splitlines()
    assert "address=/captive.apple.com/10.42.0.1" in written
    assert len(written) == 1 + len(PROBES)
    if dnsmasq := shutil.which("dnsmasq"):
        subprocess.run([dnsmasq, "--test", f"--conf-file={names_file}"], check=True)
    close_hotspot(Recorded(connections=f"{CONNECTION}\n"))
    assert not names_file.exists()


def test_whoever_is_not_root_is_told_so(monkeypatch):
    monkeypatch.setitem(open_hotspot.__kwdefaults__, "names_file", Path("/proc/none/linesies.conf"))
    with pytest.raises(NoHotspot, match="sudo"):
        open_hotspot("Street", Recorded())
    monkeypatch.setitem(close_hotspot.__kwdefaults__, "names_file", Path("/proc/version"))
    with pytest.raises(NoHotspot, match="sudo"):
        close_hotspot(Recorded())


def nmcli_in_path(folder, monkeypatch, script):
    command = folder / "nmcli"
    command.write_text(f"#!/bin/sh\n{script}\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def test_the_real_command_line_is_run_and_shows_the_code_to_join(tmp_path, monkeypatch):
    nmcli_in_path(tmp_path, monkeypatch, f'echo "$@" >> {tmp_path}/asked')
    told = CliRunner().invoke(hotspot.command, ["on", "--name", "Board"], catch_exceptions=False)
    assert "Network Board, password" in told.output
    assert (tmp_path / "asked").read_text().splitlines()[-1] == "connection up linesies-hotspot"


def test_what_nmcli_complains_of_is_told_in_one_line(tmp_path, monkeypatch):
    nmcli_in_path(tmp_path, monkeypatch, "echo 'Error: No Wi-Fi device found.' >&2; exit 1")
    with pytest.raises(NoHotspot, match="No Wi-Fi device found"):
        run_nmcli(["device"])
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NoHotspot, match="network-manager"):
        run_nmcli(["device"])
