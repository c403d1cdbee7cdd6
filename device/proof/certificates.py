"""The certificate of an installation as it is kept: when it was made, of which calibration, and what it says."""

import time
from pathlib import Path
from typing import Any

import msgspec

from linesies.device.cases.case import ProgramFile
from linesies.device.errors import BadInput
from linesies.device.places import certificate_file

OFFER = "put right what is off: linesies proof --correct, with the same --calibration, --caps and --state"
OLD = {"moved": "the camera has moved since", "calibrated": "the board was calibrated anew since"}


class Issued(msgspec.Struct, frozen=True, kw_only=True):
    """A certificate as it is kept: `found` is all that was measured, `findings` what people are told of it.

    `correction` is what it offers to put right (empty: nothing), `is_corrected` whether somebody has taken that offer.
    """

    at_s: float  # unix time
    calibration: str
    program: ProgramFile
    found: dict[str, Any]
    findings: list[dict[str, Any]]
    not_vouched: list[str]
    correction: dict[str, Any]
    is_corrected: bool = False

    @property
    def is_offering(self) -> bool:
        """Tell whether there is something to put right that nobody has put right yet."""
        return bool(self.correction) and not self.is_corrected


def keep(one: Issued, state: Path) -> None:
    """Keep a certificate in a state folder, in place of the one before; raises BadInput where it cannot be."""
    path = certificate_file(state)
    part = path.with_name(f"{path.name}.part")
    try:
        state.mkdir(parents=True, exist_ok=True)
        part.write_bytes(msgspec.json.format(msgspec.json.encode(one)))
        part.replace(path)
    except OSError as fault:
        raise BadInput(f"{path}: cannot be written ({fault.strerror}); choose another --state") from None


def kept(state: Path) -> Issued | None:
    """Read a state folder's certificate; None where there is none, or none that can be read."""
    try:
        return msgspec.json.decode(certificate_file(state).read_bytes(), type=Issued)
    except (OSError, msgspec.MsgspecError):
        return None


def why_old(one: Issued, moment: dict[str, Any]) -> str | None:
    """Name (of OLD) why a certificate no longer holds for what is going on now; None where it does, or nothing does."""
    if moment.get("camera") == "moved":
        return "moved"
    return None if moment.get("calibration") in (None, one.calibration) else "calibrated"


def words_of(one: Issued, moment: dict[str, Any]) -> list[str]:
    """Say in lines for people what a certificate says, and whether it is old."""
    caps, date = one.found["caps"], time.strftime("%Y-%m-%d %H:%M", time.localtime(one.at_s))
    old = why_old(one, moment)
    band = "" if caps["in_band"] is None else f", {100 * caps['in_band']:.0f} % within the band said"
    said = f"{caps['count']} gaps of caps: bias {caps['bias_mm']:+.2f} mm, spread {caps['spread_mm']:.2f} mm{band}"
    return [
        f"{date}{f', old: {OLD[old]}' if old else ''}: {said}",
        *(finding["words"] for finding in one.findings),
        *(f"not vouched for: {what}" for what in one.not_vouched),
        *(["what it found was put right"] if one.is_corrected else []),
        *([OFFER] if one.is_offering else []),
    ]


def told(state: Path, moment: dict[str, Any]) -> dict[str, Any] | None:
    """Write a state folder's certificate for the page: all of it, and why it is old; None where there is none."""
    one = kept(state)
    return None if one is None else {**msgspec.to_builtins(one), "offers": one.is_offering, "old": why_old(one, moment)}
