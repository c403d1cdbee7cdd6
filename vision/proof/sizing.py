"""Whether a cap is as wide and as tall as listed, by where it was seen while it truly touched a known stroke."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from linesies.vision.proof.errors import GapError
from linesies.vision.proof.heights import heights_of
from linesies.vision.proof.radii import radii_of

LEAST_TRIALS = 6  # of a cap, two a ring


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """How far off a cap's size is: to how much the radius is listed too small, and the height too small (mm).

    Each is 0 where it is not off beyond doubt. `tall_told_mm` is how wrong a height must be to be told; None where no
    height could be.
    """

    radius_mm: float
    height_mm: float
    tall_told_mm: float | None


def sizes_of(of_players: Mapping[str, Sequence[GapError]]) -> dict[str, Sizing]:
    """Weigh all gaps of all caps, by player."""
    enough = {player: errors for player, errors in of_players.items() if len(errors) >= LEAST_TRIALS}
    heights = heights_of(enough)
    told_mm = {player: heights[player].told_mm if player in heights else 0.0 for player in of_players}
    radii = radii_of({player: _at_height(errors, told_mm[player]) for player, errors in enough.items()})
    return {
        player: Sizing(
            radius_mm=radii.get(player, 0.0),
            height_mm=told_mm[player],
            tall_told_mm=heights[player].least_told_mm if player in heights else None,
        )
        for player in of_players
    }


def left_mm(error: GapError, sizing: Sizing) -> float:
    """Tell what is left of an error once the cap is listed by its true size."""
    return error.off_mm + sizing.height_mm * error.trial.reach_per_height - sizing.radius_mm


def _at_height(errors: Sequence[GapError], height_mm: float) -> list[GapError]:
    """Take off what a height that is listed too small by so much adds to the gaps of one cap."""
    return [replace(one, off_mm=one.off_mm + height_mm * one.trial.reach_per_height) for one in errors]
