"""A network of the box's own, for where there is none: an access point run by NetworkManager (nmcli).

The Pi's radio serves a handful of phones; for a crowd take a pocket router.
"""

import secrets
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from device.errors import DeviceError

CONNECTION = "linesies-hotspot"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that are taken for one another
PASSWORD_LENGTH = 10
PATIENCE_S = 30.0

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


def open_hotspot(name: str, run: Run = run_nmcli) -> Hotspot:
    """Open the access point, the one of the last time if there was one; its password stays the same."""
    if not is_known(run):
        password = "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LENGTH))
        run(["device", "wifi", "hotspot", "con-name", CONNECTION, "ssid", name, "password", password])
        return Hotspot(name=name, password=password)
    asked = "802-11-wireless.ssid,802-11-wireless-security.psk"
    known, password = run(["--show-secrets", "--get-values", asked, "connection", "show", CONNECTION]).split("\n")[:2]
    run(["connection", "up", CONNECTION])
    return Hotspot(name=known, password=password)


def close_hotspot(run: Run = run_nmcli) -> None:
    """Close it; NetworkManager goes back to the networks that it knows."""
    if not is_known(run):
        raise NoHotspot("there is no access point of ours; open one with: linesies hotspot on")
    run(["connection", "down", CONNECTION])


def is_known(run: Run = run_nmcli) -> bool:
    """Tell whether NetworkManager knows our access point, open or not."""
    return CONNECTION in run(["--get-values", "NAME", "connection", "show"]).splitlines()
