"""Skull King: tricks, pirates and secret bids."""

from linesies.games.game import Cards, Game
from linesies.rules.skull_king.game import SKULL_KING as RULES

SKULL_KING = Game(
    rules=RULES,
    seen=Cards(
        seat_mm=(220.0, 110.0),
        middle_mm=(560.0, 260.0),
        most=8,
        between={"trick": (-270.0, -110.0, 270.0, 110.0)},
    ),
    own_events=frozenset({"deal", "bid", "change_bid", "load", "play", "ability", "skip_ability"}),
    decisive={"trick_won": 0.5},
    secrets={"bid": "bids_revealed", "change_bid": "bids_revealed", "load": "loads_revealed"},
)
