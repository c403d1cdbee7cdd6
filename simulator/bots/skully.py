"""Somebody who plays Skully by chance, but legally, from what the public state shows and nothing else."""

from collections.abc import Mapping
from random import Random
from typing import Any

Event = dict[str, Any]
Public = Mapping[str, Any]

BOXES = tuple(str(n) for n in range(1, 14))
TRAPEZOIDS = ("skull1", "skull2", "skull3", "skull4")
ANYWHERE = (*BOXES, *TRAPEZOIDS, "skull_line", "line", "line", "open", "open", "open", "off")
CAN_BE_HIT = {"start", "town", *ANYWHERE}
HITS_A_CAP = {"killer": 0.7}  # going for -> chance; a killer aims at caps, anybody else at a box
HITS_ITS_TARGET = 0.6
WORD_TRAPEZOID = {"k1": "skull1", "k2": "skull2", "k3": "skull3", "k4": "skull4"}


class SkullyBot:
    """Plays all the players of one game; `options` are those agreed on, chance comes in from outside."""

    def __init__(self, options: Mapping[str, Any], random: Random) -> None:
        self.options = options
        self.random = random

    def event(self, public: Public) -> Event:
        """Choose an event that is legal in this state; the game must not be over."""
        match public["phase"]:
            case "paused":
                return {"event": "resume", "at": {player["name"]: player["at"] for player in public["players"]}}
            case "choice":
                return self._choice(public)
            case "place":
                return self._placing(public, public["awaiting"][0]["box"])
            case _:
                return self._free(public)

    def _choice(self, public: Public) -> Event:
        due = self.random.choice([due for due in public["awaiting"] if due["what"] == "choice"])
        return {"event": "choice", "player": due["player"], "choice": self.random.choice(("stay", "back"))}

    def _placing(self, public: Public, box: str) -> Event:
        event = {"event": "placed", "player": public["turn"], "at": box}
        if self.random.random() < 0.3:
            event |= {"at": "line" if box in BOXES[:12] else "skull_line", "of": box}
        return event

    def _free(self, public: Public) -> Event:
        """Mostly shoot; now and then do what people also do."""
        chance = self.random.random()
        turn = _player(public, public["turn"])
        still_in = [player for player in public["players"] if player["at"] != "out"]
        if chance < 0.02:
            return self._shot(public, self.random.choice(still_in))  # perhaps out of turn
        if chance < 0.05:
            return self._foul(self.random.choice(still_in))
        if chance < 0.07 and turn["home"]:
            return self._placing(public, turn["home"])
        return self._order(public, still_in, chance) or self._shot(public, turn)

    def _order(self, public: Public, still_in: list[Mapping[str, Any]], chance: float) -> Event | None:
        somebody = self.random.choice(still_in)["name"]
        if 0.07 < chance < 0.08 and public["do_over"]:
            return {"event": "do_over"}
        if 0.08 < chance < 0.085 and self.options["marksies"]:
            return {"event": "pause"}
        if 0.085 < chance < 0.09:
            return {"event": "switch_cap", "player": somebody, "reason": "damaged"}
        if 0.09 < chance < 0.095:
            return {"event": "correct", "players": {somebody: {"skip": self.random.randrange(3)}}}
        if 0.095 < chance < 0.096:
            return {"event": "leave", "player": somebody}
        return None

    def _foul(self, player: Mapping[str, Any]) -> Event:
        kinds = ("false_start", "kick", "hand_move", "hold", "roll", "spin")
        event = {"event": "foul", "player": player["name"], "kind": self.random.choice(kinds)}
        return event | ({"at": self.random.choice(ANYWHERE)} if self.random.random() < 0.5 else {})

    def _shot(self, public: Public, shooter: Mapping[str, Any]) -> Event:
        rest = {shooter["name"]: self._rest(shooter)}
        hits: list[list[str]] = []
        others = [player for player in public["players"] if player is not shooter and player["at"] in CAN_BE_HIT]
        by = shooter["name"]
        while others and self.random.random() < HITS_A_CAP.get(shooter["going_for"], 0.2):
            victim = self.random.choice(others)
            others.remove(victim)
            hits.append([by, victim["name"]])
            by = self.random.choice([shooter["name"], victim["name"]])
            if self.random.random() < 0.9:
                rest[victim["name"]] = self._rest(victim, HITS_ITS_TARGET / 3)
        return {"event": "shot", "player": shooter["name"], "hits": hits, "rest": rest}

    def _rest(self, player: Mapping[str, Any], on_target: float = HITS_ITS_TARGET) -> str:
        goal = player["going_for"]
        if goal != "killer" and self.random.random() < on_target:
            return WORD_TRAPEZOID.get(goal) or goal.rstrip("fbk")
        return self.random.choice(ANYWHERE)


def _player(public: Public, name: str) -> Mapping[str, Any]:
    return next(player for player in public["players"] if player["name"] == name)
