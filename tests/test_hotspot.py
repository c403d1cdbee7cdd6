"""The box's own network: nmcli is asked as its manual has it, and what it says is told in one line."""

import pytest
from click.testing import CliRunner

from device.box.hotspot import CONNECTION, NoHotspot, close_hotspot, open_hotspot, run_nmcli
from device.commands import hotspot

# nmcli(1) of NetworkManager 1.42 (Bookworm) and 1.52 (Trixie):
#   nmcli [--show-secrets] [--get-values FIELDS] connection show [NAME]
#   nmcli connection {up|down} NAME
#   nmcli device wifi hotspot [ifname IFNAME] [con-name NAME] [ssid SSID] [band BAND] [password PASSWORD]
SHOW = ["--get-values", "NAME", "connection", "show"]


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
    start = ["device", "wifi", "hotspot", "con-name", CONNECTION, "ssid", "Street", "password"]
    assert nmcli.asked == [SHOW, [*start, made.password]]
    assert len(made.password) >= 8, "WPA asks for eight letters"
    assert made.password.isalnum()
    assert open_hotspot("Street", Recorded()).password != made.password


def test_the_next_time_it_is_the_same_one():
    nmcli = Recorded(connections=f"Home\n{CONNECTION}\n")
    made = open_hotspot("Other", nmcli)
    assert (made.name, made.password) == ("Street", "abcdefghij")
    assert nmcli.asked[-1] == ["connection", "up", CONNECTION]


def test_it_is_closed_or_told_that_there_is_none():
    nmcli = Recorded(connections=f"{CONNECTION}\n")
    close_hotspot(nmcli)
    assert nmcli.asked[-1] == ["connection", "down", CONNECTION]
    with pytest.raises(NoHotspot, match="hotspot on"):
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
    assert (tmp_path / "asked").read_text().splitlines()[1].startswith("device wifi hotspot con-name linesies-hotspot")


def test_what_nmcli_complains_of_is_told_in_one_line(tmp_path, monkeypatch):
    nmcli_in_path(tmp_path, monkeypatch, "echo 'Error: No Wi-Fi device found.' >&2; exit 1")
    with pytest.raises(NoHotspot, match="No Wi-Fi device found"):
        run_nmcli(["device"])
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NoHotspot, match="network-manager"):
        run_nmcli(["device"])
