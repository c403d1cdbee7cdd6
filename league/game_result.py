"""What a board's game says of a match: whether it is on, and how its players came in. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linesies.referee.referee import has_game
from linesies.referee.story import Story, is_of_match

GONE = ("eliminated", "left")
PATH_KEYS = ("score", "points")  # by which a game's own standing is told; else by how far each is


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedGame:
    """A game that is over: the row of its board at which it began, and how its players came in, as named there."""

    row: int
    ranking: tuple[str, ...]


def ended(story: Story) -> tuple[EndedGame, ...]:
    """Give the game that a story tells, if it is over."""
    ranking = ranking_in(story, story.players)
    return () if ranking is None else (EndedGame(row=story.start_row, ranking=ranking),)


def is_game_of(story: Story, players: Sequence[str], after_row: int) -> bool:
    """Tell whether the board's game is that of these players, begun after that row."""
    return story.start is not None and story.start_row > after_row and is_of_match(story.players, players)


def is_free(story: Story) -> bool:
    """Tell whether nobody plays there."""
    return not has_game(story)


def ranking_in(story: Story, players: Sequence[str]) -> tuple[str, ...] | None:
    """Put the players of a game that is over in the order in which they came in, named as the tournament does.

    None while it is not over, or where it is of others: somebody was forgotten whom his board went on telling of.
    Winners come first, then who was still in, then who was out, the last out first; of those alike the better score,
    and of equal scores who sits first.
    """
    if not story.is_over or not is_of_match((one["name"] for one in story.standing["players"]), players):
        return None
    named = {name.casefold(): name for name in players}
    out = _out(story)
    public = story.standing
    winners = public.get("winners") or [public.get("winner")]
    ranked = sorted(
        public["players"],
        key=lambda one: (
            one["name"] not in winners,
            out.get(one["name"], -1) >= 0,
            -out.get(one["name"], 0),
            -_score(one),
        ),
    )
    return tuple(named[one["name"].casefold()] for one in ranked)


def _out(story: Story) -> dict[str, int]:
    """Give those who are out the number of the entry that put them out."""
    now_out = [p["name"] for p in story.standing["players"] if p.get("status") in GONE or p.get("out")]
    out = dict.fromkeys(now_out, 0)
    for number, entry in enumerate(story.entries, start=1):
        for ruling in entry.rulings if entry.is_effective else ():
            if ruling.get("player") in out:
                out[ruling["player"]] = number
    return out


def _score(player: Mapping[str, Any]) -> float:
    return next((float(player[key]) for key in PATH_KEYS if isinstance(player.get(key), int | float)), 0.0)
