"""What a trick brings its winner besides itself: bonus points and alliances."""

from dataclasses import replace

from linesies.rules.game import Ruling
from linesies.rules.skull_king.state import GRAYBEARD, Alliance, PlayedCard, State
from linesies.rules.skull_king.winning import TrickOutcome

Step = tuple[State, tuple[Ruling, ...]]
FOURTEENS = {"P14": 10, "C14": 10, "M14": 10, "J14": 20}
# who wins the trick -> what each captured character is worth to him
CAPTURES = {"pirate": {"mermaid": 20}, "skull_king": {"pirate": 30}, "mermaid": {"skull_king": 40}}


def points_for(played: PlayedCard, by: str) -> int:
    """Value a captured card: `The Number Fourteen Cards`, `Character Cards` (both under `Bonus Points`)."""
    return FOURTEENS.get(played.card, 0) + CAPTURES.get(by, {}).get(played.kind, 0)


def bonus_points(state: State, outcome: TrickOutcome) -> Step:
    """Note the winner's bonus points, card by card in order of play (`Bonus Points`); Graybeard has none."""
    winner = outcome.card.player
    if is_ghost(state, winner):
        return state, ()
    worth = [(played.card, points_for(played, outcome.by)) for played in state.table]
    captured = [(card, points) for card, points in worth if points]
    player = state.player(winner)
    player = replace(player, bonus=player.bonus + sum(points for _, points in captured))
    return state.with_player(player), tuple(
        Ruling("bonus", "Bonus Points", {"player": winner, "card": card, "points": points}) for card, points in captured
    )


def additional_cards(state: State, outcome: TrickOutcome) -> Step:
    """Ally whoever played a loot with who captures it (`Additional Cards`).

    None with oneself, none with Graybeard, none in a trick that a whale decided.
    """
    winner = outcome.card.player
    givers = [played.player for played in state.table if played.kind == "loot" and outcome.by != "whale"]
    allied = [
        giver for giver in givers if giver != winner and not is_ghost(state, giver) and not is_ghost(state, winner)
    ]
    alliances = tuple(Alliance(player=giver, ally=winner) for giver in allied)
    rulings = tuple(
        Ruling("alliance", "Additional Cards", {"player": giver, "with": winner, "trick": state.trick})
        for giver in allied
    )
    return replace(state, alliances=state.alliances + alliances), rulings


def is_ghost(state: State, name: str) -> bool:
    """Say whether this is Graybeard, and not a player of that name at a bigger table (`Two-Player Rules`)."""
    return state.graybeard is not None and name == GRAYBEARD
