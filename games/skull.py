"""Skull: bluffing with ordinary cards."""

from collections.abc import Iterator

from linesies.games.calls import OUT, WON, UmpireCall, UmpireCalls
from linesies.games.game import CardsOnMat, Game, Part
from linesies.games.numbers import Numbers, kept
from linesies.rules import Json
from linesies.rules.skull.game import SKULL as RULES

ROSES = tuple(f"{number}{suit}" for number in range(2, 11) for suit in "HD")
SKULLS = tuple(f"{rank}{suit}" for rank in "KQJ" for suit in "CS")


def a_rose_or_a_skull(event: Json, public: Json) -> Iterator[tuple[str, str]]:
    """Offer the two that matter, as cards that have not been seen elsewhere."""
    known = [card for player in public["players"] for card in player["pile"] if card is not None]
    own = next(player for player in public["players"] if player["name"] == event["owner"])
    number = next((card[:-1] for card in own["pile"] if card and card[:-1].isdigit()), None)
    roses = [card for card in ROSES if card not in known and number in (None, card[:-1])] or list(ROSES)
    yield "A flower", roses[0]
    yield "A skull", next(card for card in SKULLS if card not in known)


def standing(public: Json, _now: Json) -> Numbers:
    """Read the points and cards that each player has."""
    return {one["name"]: {"points": one["points"], "cards": one["cards"]} for one in public["players"]}


SKULL = Game(
    rules=RULES,
    seen=CardsOnMat(
        seat_mm=(240.0, 210.0),
        middle_mm=(500.0, 110.0),
        most=8,
        markers=2,
        has_own_deck=False,
        tells=Part("linesies.vision.cards.table.skull:SkullTeller"),
    ),
    own_events=frozenset({"leave", "placed", "bid", "pass", "flip", "card_lost"}),
    keep=kept(standing),
    unread=a_rose_or_a_skull,
    calls=UmpireCalls(
        headlines={
            "game_won": WON,
            "challenge": UmpireCall("challenge", "{player} must flip {bid}."),
            "skull_shown": UmpireCall("skull_up", "A skull!"),
        },
        too={"player_out": OUT},
    ),
    decisive={"skull_shown": 4, "challenge_won": 5},
    page="games/skull/game.js",
)
