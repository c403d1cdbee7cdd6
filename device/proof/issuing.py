"""Issuing a certificate: what was measured, with its date, its calibration, and the program that measured."""

import time
from dataclasses import asdict

from linesies.calibration import Calibration, identity
from linesies.device.cases.program import this_program
from linesies.device.proof.certificates import Issued
from linesies.vision import Certificate, findings_of, not_vouched


def issued(certificate: Certificate, calibration: Calibration) -> Issued:
    """Date a certificate, and bind it to the calibration that it is of."""
    return Issued(
        at_s=time.time(),
        calibration=identity(calibration),
        program=this_program(),
        found=asdict(certificate),
        findings=[asdict(finding) for finding in findings_of(certificate)],
        not_vouched=list(not_vouched(certificate)),
        correction=asdict(certificate.correction) if certificate.correction.is_needed else {},
    )
