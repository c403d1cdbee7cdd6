"""Skull King: tricks, pirates and secret bids."""

from linesies.games.calls import WON, UmpireCall, UmpireCalls
from linesies.games.game import CardsOnMat, Doubt, Game, Part
from linesies.games.numbers import Numbers, kept
from linesies.rules import Json
from linesies.rules.skull_king.game import SKULL_KING as RULES


def tigress(event: Json, _public: Json) -> Doubt | None:
    """Ask what the tigress is played as."""
    if event.get("card") != "TIGRESS" or "as" in event:
        return None
    ways = tuple((f"As {way}", {**event, "as": way}) for way in ("pirate", "escape"))
    return Doubt("the tigress is played as pirate or as escape", ways)


def standing(public: Json, now: Json) -> Numbers:
    """Read each player's score, and while it is still the same round, tricks and bonus."""
    keys = ("score", "tricks", "bonus") if public["round"] == now["round"] else ("score",)
    return {one["name"]: {key: one[key] for key in keys} for one in public["players"]}


SKULL_KING = Game(
    rules=RULES,
    seen=CardsOnMat(
        seat_mm=(220.0, 110.0),
        middle_mm=(560.0, 260.0),
        most=8,
        tells=Part("linesies.vision.cards.table.trick:TrickTeller"),
        between={"trick": (-270.0, -110.0, 270.0, 110.0)},
    ),
    own_events=frozenset({"leave", "deal", "bid", "change_bid", "load", "play", "ability", "skip_ability"}),
    keep=kept(standing),
    doubt=tigress,
    calls=UmpireCalls(headlines={"game_won": WON, "trick_won": UmpireCall("trick", "{player} takes the trick.")}),
    decisive={"trick_won": 0.5},
    secrets={"bid": "bids_revealed", "change_bid": "bids_revealed", "load": "loads_revealed"},
    page="games/skull_king/game.js",
)
