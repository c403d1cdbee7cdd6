"""What an organiser says, each a row of the tournament's own."""

import msgspec

from linesies.referee.orders import StartBox


class TournamentOpened(
    msgspec.Struct, frozen=True, kw_only=True, tag="opened", tag_field="deed", forbid_unknown_fields=True
):
    """The tournament begins, by this plan."""

    format: str
    entrants: tuple[str, ...]
    seats: int = 2
    rounds: int = 0
    group: int = 4
    through: int = 2


class MatchEnded(msgspec.Struct, frozen=True, kw_only=True, tag="ended", tag_field="deed", forbid_unknown_fields=True):
    """A match has ended, with its players in the order in which they came in; said again, it corrects."""

    match: str
    ranking: tuple[str, ...]


class Left(msgspec.Struct, frozen=True, kw_only=True, tag="left", tag_field="deed", forbid_unknown_fields=True):
    """Somebody went home, or never came: he loses what he has not played."""

    player: str


class Missed(msgspec.Struct, frozen=True, kw_only=True, tag="missed", tag_field="deed", forbid_unknown_fields=True):
    """Somebody did not come to one match: he comes in last in it, and is drawn again after it."""

    match: str
    player: str


class HeadStart(
    msgspec.Struct, frozen=True, kw_only=True, tag="head_start", tag_field="deed", forbid_unknown_fields=True
):
    """Somebody begins his games from now on at a box, as if he had made those before it; at 1 with nothing ahead."""

    player: str
    box: StartBox


Deed = TournamentOpened | MatchEnded | Left | Missed | HeadStart
