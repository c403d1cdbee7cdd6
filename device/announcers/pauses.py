"""The pause before a hub is asked again: not that of the other boards, which lost it at the same moment."""

from random import SystemRandom

SPREAD = 0.5, 1.5  # times a pause


def spread(pause_s: float) -> float:
    """Draw a pause of about so long; no other thread shares what it is drawn from."""
    return pause_s * SystemRandom().uniform(*SPREAD)
