"""Taking leave of a league: its hub is told, and then this box is a board of none."""

import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from linesies.device.hub_line import HubLine
from linesies.device.membership import Membership, forget_membership, key_file
from linesies.league import Leaving, Refusal
from linesies.league.identity import identity_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Farewell:
    """Whether the box has left, and what the hub said against it or why it could not be told; empty for nothing."""

    has_left: bool
    trouble: str = ""


def take_leave(membership: Membership, state: Path) -> Farewell:
    """Leave the league, also where its hub does not answer; stay in it where the hub refuses."""
    try:
        with closing(HubLine(membership.hub, identity_in(key_file(state)))) as line:
            answer = line.say(Leaving(at_s=time.time()))
    except OSError as fault:
        forget_membership(state)
        return Farewell(has_left=True, trouble=str(fault))
    if isinstance(answer, Refusal):
        return Farewell(has_left=False, trouble=answer.message)
    forget_membership(state)
    return Farewell(has_left=True)
