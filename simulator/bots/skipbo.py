"""A table of Skip-Bo: the cards that the referee does not see, and players who lay what they can, else discard."""

from collections.abc import Mapping
from random import Random
from typing import Any

Event = dict[str, Any]
Public = Mapping[str, Any]

FACES = ("1-4", "5-8", "9-12", "SB", "DISCARD2", "DRAW1")
NUMBERS_OF_FACE = {"1-4": range(1, 5), "5-8": range(5, 9), "9-12": range(9, 13), "SB": range(1, 13)}
WILDS_IN_NINE = 1  # 18 wilds in 162 cards


class SkipBoBot:
    """Remembers the hands and what lies face down; `event` says what happens next at the table.

    Cards are drawn from an endless shoe with the usual set's shares, since the referee counts no copies.
    """

    def __init__(self, options: Mapping[str, Any], random: Random) -> None:  # noqa: ARG002 - as every bot
        self.random = random
        self.hands: dict[str, list[str]] = {}
        self.game_no = 0

    def event(self, public: Public) -> Event:
        """Choose a legal event in this state, which must not be over; the table changes as if it happened."""
        if public["phase"] == "between":
            return {"event": "next_game"}
        if public["game_no"] != self.game_no:
            self.game_no = public["game_no"]
            self.hands = {player["name"]: [] for player in public["players"]}
        hidden = [p["name"] for p in public["players"] if p["stock"]["cards"] and p["stock"]["top"] is None]
        if hidden:
            return {"event": "turn_up", "player": hidden[0], "card": self._card()}
        return self._take_turn(public, public["out_of_turn"] or public["turn"])

    def _card(self) -> str:
        return "SB" if self.random.randrange(9) < WILDS_IN_NINE else str(self.random.randint(1, 12))

    def _take_turn(self, public: Public, name: str) -> Event:
        if public["owed"]:
            self.hands[name] += [self._card() for _ in range(public["owed"])]
            return {"event": "draw", "player": name, "cards": public["owed"]}
        if public["die"]["face"] is None:
            return {"event": "roll", "player": name, "face": self.random.choice(FACES)}
        moves = [*plays(public, name, self.hands[name]), *die_actions(public, name, self.hands[name])]
        if moves and self.random.random() < 0.95:
            off_stock = [move for move in moves if move.get("from") == "stock"]
            return self._out_of_hand(self.random.choice(off_stock or moves))
        if not self.hands[name]:
            return {"event": "end_turn", "player": name}
        card, pile = self.random.choice(self.hands[name]), self.random.randint(1, 4)
        return self._out_of_hand({"event": "discard", "player": name, "card": card, "pile": pile})

    def _out_of_hand(self, event: Event) -> Event:
        if event["event"] == "discard" or event.get("from") == "hand":
            self.hands[event["player"]].remove(event["card"])
        return event


def plays(public: Public, name: str, hand: list[str]) -> list[Event]:
    """List the cards that can be laid on the building piles, with and without the die, own and partner's."""
    side = next(side["players"] for side in public["sides"] if name in side["players"])
    sources: list[Event] = [{"from": "hand", "card": card} for card in hand]
    for player in public["players"]:
        if player["name"] in side:
            sources += tops_of(player)
    die = public["die"]
    offered = () if die["used"] else NUMBERS_OF_FACE.get(die["face"], ())
    moves = []
    for number, pile in enumerate(public["building"], 1):
        wanted = pile["top"] % 12 + 1
        after = {"die": wanted} if wanted in offered else None
        for source in sources:
            move = {"event": "play", "player": name, **source, "pile": number}
            if source["card"] in ("SB", str(wanted)):
                moves.append(move)
            if after and source["card"] in ("SB", str(wanted % 12 + 1)):
                moves.append(move | after)
    return moves


def tops_of(player: Mapping[str, Any]) -> list[Event]:
    """List the top cards of a player's stock and discard piles, as a play names them."""
    owner = {"owner": player["name"]}
    tops = [
        {"from": "discard", "n": n, "card": pile[-1], **owner} for n, pile in enumerate(player["discards"], 1) if pile
    ]
    top = player["stock"]["top"]
    return [{"from": "stock", "card": top, **owner}, *tops] if top else tops


def die_actions(public: Public, name: str, hand: list[str]) -> list[Event]:
    """List what the die's actions allow: an extra discard, or an opponent who draws."""
    die = public["die"]
    if die["used"] or die["face"] not in ("DISCARD2", "DRAW1"):
        return []
    if die["face"] == "DISCARD2":
        return [{"event": "discard", "player": name, "card": card, "pile": 1, "die": True} for card in hand[:1]]
    side = next(side["players"] for side in public["sides"] if name in side["players"])
    others = [player["name"] for player in public["players"] if player["name"] not in side]
    can_draw = public["draw"] + public["completed"] > 0
    return [{"event": "opponent_draws", "player": name, "opponent": other} for other in others if can_draw]
