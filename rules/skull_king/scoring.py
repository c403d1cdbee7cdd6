"""The two ways of scoring a round, and the end of the game."""

from dataclasses import replace
from typing import Any

from linesies.rules.game import Ruling
from linesies.rules.skull_king.state import AT_GRAYBEARDS_TABLE, GRAYBEARD, Ghost, Phase, Player, State

Step = tuple[State, tuple[Ruling, ...]]
LOOT = 20
HEADINGS = {"classic": "The Skull King's Scoring", "rascal": "The Rascal's Scoring"}


def skull_kings_scoring(player: Player, cards: int) -> tuple[int, int]:
    """Give base and bonus by `The Skull King's Scoring`: `Bidding One or More`, `Bidding Zero`."""
    if player.miss == 0:
        return (20 * player.bid if player.bid else 10 * cards), player.bonus
    return (-10 * player.miss if player.bid else -10 * cards), 0


def rascals_scoring(player: Player, cards: int) -> tuple[int, int]:
    """Give base and bonus by `The Rascal's Scoring`: direct hit all, glancing blow half, complete miss none."""
    if player.load == "cannonball":
        return cannonball(player, cards)
    if player.miss == 0:
        return 10 * cards, player.bonus
    return (5 * cards, player.bonus // 2) if player.miss == 1 else (0, 0)


def cannonball(player: Player, cards: int) -> tuple[int, int]:
    """Give base and bonus of one who loaded a cannonball: more if exact, else nothing (`Optional Rascal Rules`)."""
    return (15 * cards, player.bonus) if player.miss == 0 else (0, 0)


def loot_points(state: State, player: Player) -> int:
    """Give 20 for each alliance of this player both of whose members bid exactly (`Additional Cards`)."""
    pairs = [(alliance.player, alliance.ally) for alliance in state.alliances]
    mine = [pair for pair in pairs if player.name in pair]
    return LOOT * sum(all(state.player(name).miss == 0 for name in pair) for pair in mine)


def score_of(state: State, player: Player) -> dict[str, Any]:
    """Reckon one player's round (`On Your Turn`), a bet won or lost included (`Advanced Pirate Abilities`)."""
    score = skull_kings_scoring if state.options.scoring == "classic" else rascals_scoring
    base, bonus = score(player, state.cards)
    loot = loot_points(state, player)
    bet = player.bet if player.miss == 0 else -player.bet
    return {
        "bid": player.bid,
        "tricks": player.tricks,
        "base": base,
        "bonus": bonus,
        "loot": loot,
        "bet": bet,
        "total": base + bonus + loot + bet,
    }


def score_the_round(state: State) -> Step:
    """Score a round after its last trick, then deal anew or end the game (`On Your Turn`)."""
    scores = {player.name: score_of(state, player) for player in state.playing}
    scored = Ruling("round_scored", HEADINGS[state.options.scoring], {"round": state.round, "scores": scores})
    state = collect_the_cards(state, {name: score["total"] for name, score in scores.items()})
    if state.round == len(state.options.rounds):
        state, won = captain_of_the_seven_seas(state)
        return state, (scored, won)
    return replace(state, round=state.round + 1, dealer=state.left_of(state.dealer)), (scored,)


def collect_the_cards(state: State, totals: dict[str, int]) -> State:
    """Write down the totals, nothing for those who did not play, and put all cards back (`Dealing cards`)."""
    players = tuple(replace(old, rounds=(*old.rounds, totals.get(old.name, 0))) for old in state.players)
    return before_the_deal(replace(state, players=players))


def before_the_deal(state: State) -> State:
    """Put all cards back into the deck (`Dealing cards`: the entire deck is shuffled); whoever has waited plays.

    Graybeard plays along where just two do, and none of them has his name (`Two-Player Rules`).
    """
    players = tuple(
        Player(name=old.name, rounds=old.rounds, presence="left" if old.presence == "left" else "in")
        for old in state.players
    )
    playing = [player.name for player in players if player.presence == "in"]
    has_ghost = len(playing) == AT_GRAYBEARDS_TABLE and GRAYBEARD not in state.names()
    return State(
        options=state.options,
        players=players,
        dealer=state.dealer,
        deck=state.options.deck,
        round=state.round,
        graybeard=Ghost() if has_ghost else None,
    )


def captain_of_the_seven_seas(state: State) -> tuple[State, Ruling]:
    """Declare the highest score the winner, equal ones together (`On Your Turn`)."""
    highest = max(player.score for player in state.playing)
    winners = tuple(player.name for player in state.playing if player.score == highest)
    state = replace(state, phase=Phase.OVER, winners=winners)
    return state, Ruling("game_won", "On Your Turn", {"players": list(winners)})
