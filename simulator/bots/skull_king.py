"""A table of Skull King: the hands that the referee does not see, and players who play them honestly and at random."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

Event = dict[str, Any]
Public = Mapping[str, Any]

GRAYBEARD = "graybeard"
EXPANSIONS = {"kraken": ("KRAKEN",), "whale": ("WHALE",), "loot": ("LOOT", "LOOT")}


class SkullKingBot:
    """Remembers who holds which cards; `event` says what happens next at the table."""

    def __init__(self, options: Mapping[str, Any], random: Random) -> None:
        self.random = random
        self.options = options
        self.hands: dict[str, list[str]] = {}
        self.undealt: list[str] = []

    def event(self, public: Public) -> Event:
        """Choose a legal event in this state, which must not be over; the table changes as if it happened."""
        act = {"deal": self._deal, "bid": self._bid, "load": self._load, "play": self._play, "ability": self._ability}
        return act[public["phase"]](public)

    def _deal(self, public: Public) -> Event:
        self.undealt = deck_of(self.options)
        self.random.shuffle(self.undealt)
        names = [player["name"] for player in public["players"]] + ([GRAYBEARD] if public["graybeard"] else [])
        self.hands = {name: [self.undealt.pop() for _ in range(public["cards"])] for name in names}
        return {"event": "deal", "player": public["dealer"], "cards": public["cards"]}

    def _not_ready(self, public: Public) -> str:
        return self.random.choice([player["name"] for player in public["players"] if not player["ready"]])

    def _bid(self, public: Public) -> Event:
        bid = min(public["cards"], self.random.choice((0, 0, 1, 1, 1, 2, 2, 3, public["cards"])))
        return {"event": "bid", "player": self._not_ready(public), "bid": bid}

    def _load(self, public: Public) -> Event:
        load = self.random.choice(("grapeshot", "cannonball"))
        return {"event": "load", "player": self._not_ready(public), "load": load}

    def _play(self, public: Public) -> Event:
        name, hand = public["turn"], self.hands[public["turn"]]
        card = self.random.choice(hand if name == GRAYBEARD else following(hand, public["suit"]))
        hand.remove(card)
        event = {"event": "play", "player": name, "card": card}
        if card == "TIGRESS" and name != GRAYBEARD:
            event["as"] = self.random.choice(("pirate", "escape"))
        return event

    def _ability(self, public: Public) -> Event:
        name, pirate = public["pending"]["player"], public["pending"]["pirate"]
        if self.random.random() < 0.2:
            return {"event": "skip_ability", "player": name}
        bid = next(player["bid"] for player in public["players"] if player["name"] == name)
        choice: dict[str, Callable[[], Event]] = {
            "rosie": lambda: {"leader": self.random.choice(public["players"])["name"]},
            "bendt": lambda: self._trade(name),
            "rascal": lambda: {"bet": self.random.choice((0, 10, 20))},
            "juanita": dict,
            "harry": lambda: {"change": self.random.choice([c for c in (-1, 0, 1) if 0 <= bid + c <= public["cards"]])},
        }
        return {"event": "ability", "player": name, "pirate": pirate, **choice[pirate]()}

    def _trade(self, name: str) -> Event:
        count = min(2, len(self.undealt))
        self.hands[name] += [self.undealt.pop() for _ in range(count)]
        self.random.shuffle(self.hands[name])
        del self.hands[name][:count]
        return {"drawn": count, "discarded": count}


def deck_of(options: Mapping[str, Any]) -> list[str]:
    """List the cards of a game with these expansions."""
    numbers = [f"{suit}{number}" for suit in "PCMJ" for number in range(1, 15)]
    pirates = [f"PIRATE:{name}" for name in ("rosie", "bendt", "rascal", "juanita", "harry")]
    added = [card for option, cards in EXPANSIONS.items() if options.get(option) for card in cards]
    return [*numbers, *["ESC"] * 5, *pirates, "TIGRESS", "SK", "MERMAID", "MERMAID", *added]


def following(hand: list[str], suit: str | None) -> list[str]:
    """Give the cards that may be played: any without a number, and numbers of the suit, or any if there is none."""
    numbers = [card for card in hand if card[1:].isdigit()]
    of_suit = [card for card in numbers if card[0] == suit]
    return hand if suit is None or not of_suit else of_suit + [card for card in hand if card not in numbers]
