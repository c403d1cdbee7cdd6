"""A network of the box's own, for where there is none: an access point run by NetworkManager (nmcli).

The Pi's radio serves a handful of phones; for a crowd take a pocket router. NetworkManager has dnsmasq tell phones
where names lead: those that a phone asks for to learn whether the network leads anywhere lead to the box, so that the
page opens as soon as people join (web/captive.py answers, on port 80).
"""

import contextlib
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from linesies.device.errors import DeviceError
from linesies.web import PROBES

ADDRESS = "10.42.0.1"  # the box's in its own network, as NetworkManager has it
NAMES_FILE = Path("/etc/NetworkManager/dnsmasq-shared.d/linesies.conf")
CONNECTION = "linesies-hotspot"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that are taken for one another
PASSWORD_LENGTH = 10
PATIENCE_S = 30.0
JOINABLE = ("wifi", "ethernet")
LOOK_EVERY_S = 2.0

Run = Callable[[Sequence[str]], str]


class NoHotspot(DeviceError, OSError):  # noqa: N818 - reads as what happened
    """The access point cannot be opened or closed; the text says why and how to mend it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hotspot:
    """An open access point: its name and password."""

    name: str
    password: str


def run_nmcli(arguments: Sequence[str]) -> str:
    """Run nmcli; raises NoHotspot with what it says when it fails."""
    if shutil.which("nmcli") is None:
        raise NoHotspot("there is no nmcli here; install NetworkManager: sudo apt install network-manager")
    told = subprocess.run(  # noqa: S603 - our own words, and a name that is one argument
        ["nmcli", *arguments],  # noqa: S607 - where it lies differs between systems
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    if told.returncode:
        raise NoHotspot(f"nmcli says: {' '.join(told.stderr.split()) or told.returncode}; are you root, is Wi-Fi on?")
    return told.stdout


def ready_hotspot(name: str, run: Run = run_nmcli) -> Hotspot:
    """Make the access point known to NetworkManager, with a password that stays the same, and leave it closed."""
    if is_known(run):
        asked = "802-11-wireless.ssid,802-11-wireless-security.psk"
        told = run(["--show-secrets", "--get-values", asked, "connection", "show", CONNECTION])
        known, password = told.split("\n")[:2]
        return Hotspot(name=known, password=password)
    password = "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LENGTH))
    named = ["type", "wifi", "ifname", "*", "con-name", CONNECTION, "autoconnect", "no", "ssid", name]
    kind = ["wifi.mode", "ap", "wifi.band", "bg", "ipv4.method", "shared", "ipv6.method", "ignore"]
    run(["connection", "add", *named, *kind, "wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", password])
    return Hotspot(name=name, password=password)


def open_hotspot(name: str, run: Run = run_nmcli, *, names_file: Path = NAMES_FILE) -> Hotspot:
    """Open the access point, the one of the last time if there was one; its password stays the same."""
    _lead_names_here(names_file)
    hotspot = ready_hotspot(name, run)
    run(["connection", "up", CONNECTION])
    return hotspot


def is_in_a_network(run: Run = run_nmcli) -> bool:
    """Tell whether the box is joined to any network, by cable or Wi-Fi, its own included."""
    told = run(["--get-values", "TYPE,STATE", "device", "status"]).splitlines()
    states = (line.partition(":")[::2] for line in told)
    return any(kind in JOINABLE and state.startswith("connected") for kind, state in states)


def has_joined(patience_s: float, run: Run = run_nmcli) -> bool:
    """Wait for a network that the box knows; tells whether there was one."""
    until_s = time.monotonic() + patience_s
    while not (is_joined := is_in_a_network(run)) and time.monotonic() < until_s:
        time.sleep(LOOK_EVERY_S)
    return is_joined


def close_hotspot(run: Run = run_nmcli, *, names_file: Path = NAMES_FILE) -> None:
    """Close it; NetworkManager goes back to the networks that it knows."""
    with _as_root(names_file):
        names_file.unlink(missing_ok=True)
    if not is_known(run):
        raise NoHotspot("there is no access point of ours; open one with: linesies hotspot on")
    run(["connection", "down", CONNECTION])


def _lead_names_here(names_file: Path) -> None:
    """Write what NetworkManager's dnsmasq reads when it opens a network of its own."""
    lines = ["# written by `linesies hotspot on`: the page opens when people join"]
    lines += [f"address=/{name}/{ADDRESS}" for name in PROBES]
    with _as_root(names_file):
        names_file.parent.mkdir(parents=True, exist_ok=True)
        names_file.write_text("\n".join(lines) + "\n")


@contextlib.contextmanager
def _as_root(path: Path) -> Iterator[None]:
    """Say of a file that cannot be written who may write it."""
    try:
        yield
    except OSError as fault:
        raise NoHotspot(f"{path}: cannot be written ({fault.strerror}); put sudo before the command") from None


def is_known(run: Run = run_nmcli) -> bool:
    """Tell whether NetworkManager knows our access point, open or not."""
    return CONNECTION in run(["--get-values", "NAME", "connection", "show"]).splitlines()
