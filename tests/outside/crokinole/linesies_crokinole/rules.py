"""Crokinole's rules: where an opponent's disc lies one must be touched, else the middle is played for.

The paragraphs are the headings of the official rules: `Playing the game`, `Twenties`, `Shooting line`, `Scoring`.
"""

from dataclasses import dataclass, replace
from typing import Any

from msgspec import Struct, ValidationError, convert

from linesies.rules import Catalogue, Option, Preset, Refused, Ruling
from linesies.rules.options import read_options, read_players, whole

# what a disc counts where it lies; on a line it counts as in the ring outside it
WORTH = {"20": 20, "hole_line": 15, "15": 15, "fifteen_line": 10, "10": 10, "ten_line": 5, "5": 5}
MIDDLE = ("20", "hole_line", "15", "fifteen_line")  # inside the inner circle, or touching it
OPTIONS = (whole("discs", 8, 1, 12), whole("rounds", 4, 1, 20))
Lie = tuple[tuple[str, ...], ...]  # of each player's discs on the board, in the order of the players


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A game: `left` discs to shoot, `twenties` and `points` of each player; `turn` None when it is over."""

    players: tuple[str, ...]
    discs: int
    rounds: int
    lie: Lie
    left: tuple[int, ...]
    twenties: tuple[int, ...]
    points: tuple[int, ...]
    round: int = 1
    turn: str | None


class Shot(Struct, frozen=True, tag_field="event", tag="shot"):
    """A shot: where the disc came to rest, whose discs it set in motion, and where all discs lie now."""

    player: str
    at: str
    touched: list[str]
    own_touched: list[str]
    lie: dict[str, list[str]]


def with_one(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    """Give a tuple with one value changed."""
    return (*values[:seat], value, *values[seat + 1 :])


def fresh(state: State, turn: str) -> State:
    """Begin a round."""
    return replace(state, lie=((), ()), left=(state.discs,) * 2, twenties=(0, 0), turn=turn)


class Crokinole:
    """Two players, one after another; a round is won by who counts more, and brings two points."""

    name = "crokinole"
    version = 1
    state_type = State
    options: tuple[Option, ...] = OPTIONS
    presets: tuple[Preset, ...] = (Preset("tournament", {}), Preset("quick", {"discs": 4, "rounds": 1}))

    def __init__(self, words: Catalogue) -> None:
        self.words = words

    def start(self, config: Any) -> tuple[State, tuple[Ruling, ...]]:
        """Begin the first round; raises BadStart."""
        agreed = read_options(config, OPTIONS)
        players = read_players(config, 2, 2)
        empty = State(players=players, **agreed, lie=(), left=(), twenties=(), points=(0, 0), turn=None)
        return fresh(empty, players[0]), ()

    def apply(self, state: State, event: Any) -> tuple[State, tuple[Ruling, ...]] | Refused:
        """Rule on a shot."""
        try:
            shot = convert(event, Shot)
        except ValidationError as fault:
            return Refused("bad_event", {"fault": str(fault)})
        if {shot.player, *shot.touched} - set(state.players) or set(shot.lie) != set(state.players):
            return Refused("bad_event", {"fault": "somebody is named who does not play, or not named"})
        if state.turn is None:
            return Refused("game_over")
        if shot.player != state.turn:
            return Refused("not_your_turn", {"player": shot.player})
        told: list[Ruling] = []
        seat = state.players.index(state.turn)
        after = self._swept(state, seat, self._valid_lie(state, seat, shot, told), told)
        after = replace(after, left=with_one(after.left, seat, after.left[seat] - 1))
        other = state.players[1 - seat]
        if any(after.left):
            told.append(Ruling("next_turn", "Playing the game", {"player": other}))
            return replace(after, turn=other), tuple(told)
        return self._round_over(after, told), tuple(told)

    def _valid_lie(self, state: State, seat: int, shot: Shot, told: list[Ruling]) -> Lie:
        """Playing the game: an opponent's disc must be touched; an open board is played for the middle."""
        lie = tuple(tuple(shot.lie[name]) for name in state.players)
        player, has_opponent = state.players[seat], bool(state.lie[1 - seat])
        is_valid = state.players[1 - seat] in shot.touched if has_opponent else shot.at in MIDDLE
        if is_valid:
            return lie
        code = "no_contact" if has_opponent else "short_of_the_middle"
        told.append(Ruling(code, "Playing the game", {"player": player, "discs": 1 + len(shot.own_touched)}))
        kept = list(lie[seat])
        for place in (shot.at, *shot.own_touched):
            if place in kept:
                kept.remove(place)
        return with_one(lie, seat, tuple(kept))

    def _swept(self, state: State, seat: int, lie: Lie, told: list[Ruling]) -> State:
        """Twenties come off and are kept for their player; what lies on or beyond the outer line is out."""
        twenties = state.twenties
        for i in (seat, 1 - seat):
            player, holed = state.players[i], lie[i].count("20")
            out = sum(place not in WORTH for place in lie[i])
            if holed:
                told.append(Ruling("twenty", "Twenties", {"player": player, "discs": holed}))
            if out:
                told.append(Ruling("into_the_ditch", "Shooting line", {"player": player, "discs": out}))
            twenties = with_one(twenties, i, twenties[i] + holed)
            lie = with_one(lie, i, tuple(sorted(p for p in lie[i] if p in WORTH and p != "20")))
        return replace(state, lie=lie, twenties=twenties)

    def _round_over(self, state: State, told: list[Ruling]) -> State:
        """Scoring: two points for the higher count, one each for equal ones; who began begins not the next."""
        counts = tuple(score(state, seat) for seat in (0, 1))
        details = {"round": state.round, "scores": dict(zip(state.players, counts, strict=True))}
        told.append(Ruling("round_scored", "Scoring", details))
        won = [1, 1] if counts[0] == counts[1] else [2 * (counts[0] > counts[1]), 2 * (counts[1] > counts[0])]
        state = replace(state, points=tuple(have + more for have, more in zip(state.points, won, strict=True)))
        if state.round < state.rounds:
            starter = state.players[state.round % 2]
            told.append(Ruling("next_turn", "Playing the game", {"player": starter}))
            return fresh(replace(state, round=state.round + 1), starter)
        best = max(state.points)
        winners = [name for seat, name in enumerate(state.players) if state.points[seat] == best]
        told.append(Ruling("game_won" if len(winners) == 1 else "game_drawn", "Scoring", {"players": winners}))
        return replace(state, turn=None)

    def public(self, state: State) -> dict[str, Any]:
        """Write the whole state; nothing is hidden."""
        best = max(state.points)
        keys = ("name", "points", "twenties", "left", "lie")
        table = zip(state.players, state.points, state.twenties, state.left, state.lie, strict=True)
        players = [dict(zip(keys, row, strict=True), score=score(state, i)) for i, row in enumerate(table)]
        winners = [one["name"] for one in players if one["points"] == best] if state.turn is None else None
        told = {"game": self.name, "phase": "shoot" if state.turn else "over", "round": state.round}
        return {**told, "turn": state.turn, "winners": winners, "players": players}

    def view(self, state: State, player: str) -> dict[str, Any]:
        """Write what a player may know: everything."""
        return self.public(state)


def score(state: State, seat: int) -> int:
    """Scoring: count what lies on the board and the twenties."""
    return sum(WORTH[place] for place in state.lie[seat]) + 20 * state.twenties[seat]
