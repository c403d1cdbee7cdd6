"""Skull: bluffing with ordinary cards."""

from linesies.games.game import Cards, Game
from linesies.rules.skull.game import SKULL as RULES

SKULL = Game(
    rules=RULES,
    seen=Cards(seat_mm=(240.0, 210.0), middle_mm=(500.0, 110.0), most=8, markers=2, has_own_deck=False),
    own_events=frozenset({"placed", "bid", "pass", "flip", "card_lost"}),
    decisive={"skull_shown": 4, "challenge_won": 5},
)
