"""Putting right what proof has found: only what the owner agrees to, and each certificate once."""

from collections.abc import Sequence

import msgspec

from linesies.calibration import Calibration, identity
from linesies.device.proof.certificates import Issued
from linesies.vision import Cap, Correction


class Corrected(msgspec.Struct, frozen=True, kw_only=True):
    """An installation put right by its certificate, which is now of the new calibration."""

    calibration: Calibration
    caps: tuple[Cap, ...]
    certificate: Issued


def why_not(one: Issued | None, calibration: Calibration) -> str | None:
    """Name (of WHY_NOT) why a certificate cannot put anything right; None where it can."""
    if one is None:
        return "none"
    if not one.is_offering:
        return "nothing"
    return None if one.calibration == identity(calibration) else "calibrated"


WHY_NOT = {
    "none": "there is no certificate; make one: linesies print gauge, linesies proof",
    "nothing": "the certificate offers nothing to put right",
    "calibrated": "the certificate is of another calibration; prove this one: linesies proof",
}


def corrected(one: Issued, calibration: Calibration, caps: Sequence[Cap]) -> Corrected:
    """Put calibration and caps right by a certificate of theirs."""
    correction = msgspec.convert(one.correction, Correction)
    right = correction.calibration(calibration)
    certificate = msgspec.structs.replace(one, calibration=identity(right), is_corrected=True)
    return Corrected(calibration=right, caps=correction.caps(caps), certificate=certificate)
