"""Completing orders about the set-up, not the game: a new game, the board learned again, caps named, a camera chosen.

Only the referee's own phone may give them; they stand in the journal like any other.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from linesies import rules
from linesies.calibration import misfit, seats_of
from linesies.games import GAMES, CardsOnMat
from linesies.referee.names import LONGEST, is_name
from linesies.referee.orders import (
    Calibrate,
    CallMatch,
    ChooseCamera,
    LearnCards,
    NameCaps,
    NewGame,
    OwnersOrder,
    PrintedMat,
    Prove,
    Proving,
    PutRight,
    ShutDown,
    TappedCap,
    TryLamps,
)
from linesies.referee.rows import Ordered
from linesies.referee.saying import Saying
from linesies.referee.story import Story
from linesies.rules import Json

SIMULATED = "sim:"  # how the source of a simulated game begins


def complete_owners(order: OwnersOrder, story: Story) -> Ordered | Saying:
    """Complete an order about the set-up, or say why it cannot be carried out."""
    fault = _fault_of(order, story)
    if fault is not None:
        return fault
    match order:
        case NewGame(start=start, appeals=None):
            return Ordered(order="new_game", start=start)
        case NewGame(start=start, appeals=appeals):
            return Ordered(order="new_game", start=start, house={"appeals": msgspec.to_builtins(appeals)})
        case _:
            return msgspec.convert(msgspec.to_builtins(order), Ordered)


def _fault_of(order: OwnersOrder, story: Story) -> Saying | None:
    match order:
        case NewGame():
            return _simulated("simulated_players", story) or _fault_of_game(order.start, story)
        case NameCaps():
            return _simulated("simulated_caps", story) or _fault_of_caps(order.caps, story)
        case ChooseCamera():
            return _simulated("simulated_camera", story)
        case ShutDown():
            return _simulated("simulated_box", story)
        case Calibrate() | LearnCards() | Prove() | PutRight():
            return _fault_of_board(order, story)
        case TryLamps() | CallMatch():
            return None


def _fault_of_board(order: Calibrate | LearnCards | Proving, story: Story) -> Saying | None:
    match order:
        case Prove() | PutRight():
            return _simulated("simulated_camera", story) or _fault_of_proof(story.set_up or {})
        case LearnCards(game=game):
            return None if game in GAMES and GAMES[game].has_own_deck else Saying("no_own_deck")
        case Calibrate(mat=PrintedMat() as mat):
            return _fault_of_mat(mat)
        case _:
            return None


def _fault_of_proof(set_up: Json) -> Saying | None:
    if "board" not in set_up:
        return Saying("board_first")
    return None if set_up.get("caps") else Saying("caps_first")


def _fault_of_mat(mat: PrintedMat) -> Saying | None:
    seen = GAMES[mat.game].seen if mat.game in GAMES else None
    if not isinstance(seen, CardsOnMat):
        return Saying("bad_start", why=f'"game" must be one that is played on a mat, not {mat.game!r}')
    return Saying("too_many_players", {"most": seen.most}) if mat.seats > seen.most else None


def _fault_of_game(start: Any, story: Story) -> Saying | None:
    try:
        rules.start(start)
    except rules.BadStart as fault:
        return _bad_start(fault)
    if not all(is_name(name) for name in start["players"]):
        return Saying("bad_name", {"most": LONGEST})
    set_up = story.set_up or {}
    return _fault_of_caps_there(start, set_up) if GAMES[start["game"]].needs_caps else _misfit(start, set_up)


def _fault_of_caps_there(start: Json, set_up: Json) -> Saying | None:
    caps = {cap["player"] for cap in set_up.get("caps", ())}
    capless = [name for name in start["players"] if name not in caps]
    if "board" not in set_up:
        return Saying("board_first")
    return Saying("capless", {"players": capless}) if capless else None


def _misfit(start: Json, set_up: Json) -> Saying | None:
    """Find that the mat in view has no room for a card game; where no mat is, it is played by phone alone."""
    seen = GAMES[start["game"]].seen
    zones = [region["name"] for region in set_up.get("board", {}).get("regions", ())]
    if not isinstance(seen, CardsOnMat) or not seats_of(zones):
        return None
    fault = misfit(zones, seen.between, start["players"])
    return None if fault is None else Saying("bad_start", why=fault)


def _bad_start(fault: rules.BadStart) -> Saying:
    """Say why a game cannot begin: most often too few or too many play."""
    if not isinstance(fault, rules.WrongNumber):
        return Saying("bad_start", why=str(fault))
    if fault.number < fault.least:
        return Saying("too_few_players", {"least": fault.least})
    return Saying("too_many_players", {"most": fault.most})


def _fault_of_caps(caps: Sequence[TappedCap], story: Story) -> Saying | None:
    """Look at the caps that people tapped on the picture; everyone who plays needs one."""
    names = [cap.player for cap in caps]
    if not all(is_name(name) for name in names):
        return Saying("bad_name", {"most": LONGEST})
    if len(set(names)) < len(names) or not names:
        return Saying("one_cap_each")
    capless = [] if story.is_over else [name for name in story.players if name not in names]
    return Saying("plays_capless", {"players": capless}) if capless else None


def _simulated(code: str, story: Story) -> Saying | None:
    return Saying(code) if str((story.set_up or {}).get("source", "")).startswith(SIMULATED) else None
