"""A table of Skull: the cards that the referee does not see, and players who play them honestly and at random."""

from collections.abc import Mapping
from random import Random
from typing import Any

Event = dict[str, Any]
Public = Mapping[str, Any]

SUITS = "CDHS"


class SkullBot:
    """Remembers which cards everyone owns and where they lie; `event` says what happens next at the table."""

    def __init__(self, options: Mapping[str, Any], random: Random) -> None:
        self.random = random
        self.options = options
        self.owned: dict[str, list[str]] = {}
        self.round = 0
        self.piles: dict[str, list[str]] = {}

    def event(self, public: Public) -> Event:
        """Choose a legal event in this state, which must not be over; the table changes as if it happened."""
        if not self.owned:
            names = [player["name"] for player in public["players"]]
            self.owned = deal(names, self.options.get("ruleset", "joris"), self.options.get("decks", 1), self.random)
        if public["round"] != self.round:
            self.round = public["round"]
            self.piles = {player["name"]: [] for player in public["players"]}
        act = {
            "first": self._place_first,
            "place": self._place_or_bid,
            "bid": self._bid_or_pass,
            "reveal": self._flip,
            "loss": self._lose,
        }
        return act[public["phase"]](public)

    def _place(self, name: str) -> Event:
        hand = list(self.owned[name])
        for card in self.piles[name]:
            hand.remove(card)
        self.piles[name].append(self.random.choice(hand))
        return {"event": "placed", "player": name}

    def _place_first(self, public: Public) -> Event:
        return self._place(self.random.choice([p["name"] for p in public["players"] if not p["out"] and not p["pile"]]))

    def _place_or_bid(self, public: Public) -> Event:
        hand = next(player["hand"] for player in public["players"] if player["name"] == public["turn"])
        if hand and self.random.random() < 0.6:
            return self._place(public["turn"])
        return {"event": "bid", "player": public["turn"], "number": self.random.randint(1, self._on_table())}

    def _bid_or_pass(self, public: Public) -> Event:
        if self.random.random() < 0.6:
            return {"event": "pass", "player": public["turn"]}
        number = self.random.randint(public["bid"]["number"] + 1, self._on_table())
        return {"event": "bid", "player": public["turn"], "number": number}

    def _flip(self, public: Public) -> Event:
        face_down = {player["name"]: player["pile"].count(None) for player in public["players"]}
        challenger = public["turn"]
        owners = [name for name, count in face_down.items() if count]
        owner = challenger if face_down[challenger] else self.random.choice(owners)
        card = self.piles[owner][face_down[owner] - 1]
        return {"event": "flip", "player": challenger, "owner": owner, "card": card}

    def _lose(self, public: Public) -> Event:
        loss = public["loss"]
        self.owned[loss["player"]].remove(self.random.choice(self.owned[loss["player"]]))
        return {"event": "card_lost", **loss}

    def _on_table(self) -> int:
        return sum(map(len, self.piles.values()))


def deal(names: list[str], ruleset: str, decks: int, random: Random) -> dict[str, list[str]]:
    """Deal three flowers and a skull each, as the write-up says."""
    if ruleset == "joris":
        flowers = [f"{number}{suit}" for number in range(2, 11) for suit in "DH"]
        skulls = [rank + suit for rank in "JQK" for suit in "CS"]
        random.shuffle(flowers)
        random.shuffle(skulls)
        return {name: [*flowers[3 * seat : 3 * seat + 3], skulls[seat]] for seat, name in enumerate(names)}
    kings = [f"K{suit}" for suit in SUITS] * decks
    random.shuffle(kings)
    numbers = random.sample(range(2, 11), len(names))
    suits = [random.choice(SUITS) * 3 if decks > 1 else random.sample(SUITS, 3) for _ in names]
    hands = zip(names, numbers, suits, kings, strict=False)
    return {name: [*(f"{number}{suit}" for suit in three), king] for name, number, three, king in hands}
