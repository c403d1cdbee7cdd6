"""The services as systemd sees them: sound, and exposed to no more than they need."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UNITS = sorted((Path(__file__).parent.parent / "systemd").glob("linesies*"))
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
USUAL = [service for service in SERVICES if "aid" not in service.name]
HELD = [service for service in USUAL if "hotspot" not in service.name]  # the others that run for ever
MOST_EXPOSURE = 3.0
UNKNOWN_BEFORE_254 = "'RestartMode' in section"  # and without need there

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


def settings(unit):
    return dict(re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.MULTILINE))


def test_a_target_starts_the_referee_and_the_page():
    assert {unit.suffix for unit in UNITS} == {".service", ".socket", ".target"}
    (target,) = (unit for unit in UNITS if unit.suffix == ".target")
    assert settings(target)["Wants"].split() == [service.name for service in USUAL]


def test_the_page_is_on_port_80_too_where_that_is_free():
    (port,) = (unit for unit in UNITS if unit.suffix == ".socket")
    assert settings(port)["ListenStream"].endswith(":80")
    page = port.with_suffix(".service")
    assert settings(page)["Wants"] == port.name, "no Requires: another server may have the port"
    assert port.name in settings(page)["After"].split()


@needs_systemd
@pytest.mark.parametrize("service", SERVICES, ids=lambda path: path.name)
def test_a_service_is_hardly_exposed(service):
    command = ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(service)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unrecognized option" in told.stderr:
        pytest.skip("this systemd-analyze cannot look at a file")
    exposure = float(re.search(r"exposure level for .*: ([\d.]+)", told.stdout)[1])
    assert exposure <= MOST_EXPOSURE


@needs_systemd
def test_systemd_finds_no_fault_in_the_units(tmp_path):
    for unit in UNITS:
        there = re.sub("/opt/linesies/bin/linesies|/usr/share/linesies/sign", sys.executable, unit.read_text())
        (tmp_path / unit.name).write_text(there)
    paths = [str(tmp_path / unit.name) for unit in UNITS]
    told = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *paths], capture_output=True, text=True, check=False
    )
    ours = [line for line in told.stderr.splitlines() if "linesies" in line and UNKNOWN_BEFORE_254 not in line]
    assert ours == []
    assert told.returncode == 0


@pytest.mark.parametrize("service", HELD, ids=lambda path: path.name)
def test_a_service_tells_when_it_is_ready_is_watched_and_always_started_again(service):
    told = settings(service)
    assert told["Type"] == "notify"
    assert told["Restart"] == "always"
    assert 10 <= int(told["WatchdogSec"]) <= 60
    assert told["MemoryMax"].endswith("M")
    assert told["User"] == "linesies"


def test_a_referee_who_ends_again_and_again_is_followed_by_a_page_in_place_of_the_usual_one():
    referee, web = (settings(service) for service in HELD)
    (aid,) = (settings(service) for service in SERVICES if "aid" in service.name)
    soonest_s = int(referee["StartLimitBurst"]) * (int(referee["RestartSec"]) + 10)  # ten seconds to a first frame
    assert soonest_s < int(referee["StartLimitIntervalSec"])
    slowest_s = int(referee["StartLimitBurst"]) * int(referee["WatchdogSec"])
    assert slowest_s > int(referee["StartLimitIntervalSec"]), "who hangs now and then during a game goes on for ever"
    assert referee["OnFailure"] == "linesies-aid.service"
    assert referee["RestartMode"] == "direct", "who ends once is no failure yet"
    assert aid["Conflicts"] == "linesies-web.service"
    assert "StartLimitIntervalSec" not in aid
    assert web["StartLimitIntervalSec"] == "0"
    for unit in ("linesies-referee.service", "linesies-web.service"):
        assert unit in aid["ExecStopPost"]


def test_the_referee_may_use_camera_pins_and_loudspeaker_and_the_page_no_device():
    referee, web = HELD
    assert settings(referee)["SupplementaryGroups"].split() == ["video", "gpio", "render", "audio"]
    assert "DeviceAllow=char-alsa rw" in referee.read_text()
    assert settings(web)["PrivateDevices"] == "yes"
    assert "DeviceAllow" not in settings(web)
