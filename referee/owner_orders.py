"""Orders about the set-up, not the game: a new game, the board learned again, caps named, lamps tried, switching off.

Only the referee's own phone may give them; they stand in the journal like any other.
"""

import math
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from linesies import rules
from linesies.calibration.seats import misfit, seats_of
from linesies.games import GAMES, Cards
from linesies.referee.appeals import House
from linesies.referee.saying import Saying, Unheeded
from linesies.referee.story import Story

CAMERA = re.compile(r"(picamera2|v4l2):\d{1,2}")
SIMULATED = "sim:"  # how the source of a simulated game begins


class NotNow(Unheeded):
    """An order about the set-up that cannot be carried out; `saying` says why."""


def check_housekeeping(order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    """Complete an order about the set-up; raises NotNow."""
    return {"order": order["order"], **CHECKS[order["order"]](order, story)}


def _new_game(order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    start = order.get("start")
    set_up = story.set_up or {}
    _refuse_simulated(story, "simulated_players")
    try:
        rules.start(start)
    except rules.BadStart as fault:
        raise NotNow(_bad_start(fault)) from None
    _refuse_misfit(start, set_up)
    needs_caps = GAMES[start["game"]].needs_caps
    if needs_caps and "board" not in set_up:
        raise NotNow(Saying("board_first"))
    caps = {cap["player"] for cap in set_up.get("caps", ())}
    capless = [name for name in start["players"] if name not in caps] if needs_caps else []
    if capless:
        raise NotNow(Saying("capless", {"players": capless}))
    return {"start": start, **_house(order)}


def _refuse_misfit(start: Mapping[str, Any], set_up: Mapping[str, Any]) -> None:
    """Refuse a card game that the mat in view has no room for; where no mat is, it is played by phone alone."""
    seen = GAMES[start["game"]].seen
    zones = [region["name"] for region in set_up.get("board", {}).get("regions", ())]
    if not isinstance(seen, Cards) or not seats_of(zones):
        return
    fault = misfit(zones, seen.between, start["players"])
    if fault is not None:
        raise NotNow(Saying("bad_start", why=fault))


def _bad_start(fault: rules.BadStart) -> Saying:
    """Say why a game cannot begin: most often too few or too many play."""
    if not isinstance(fault, rules.WrongNumber):
        return Saying("bad_start", why=str(fault))
    if fault.number < fault.least:
        return Saying("too_few_players", {"least": fault.least})
    return Saying("too_many_players", {"most": fault.most})


def _house(order: Mapping[str, Any]) -> dict[str, Any]:
    """Take what else these people agreed on, where they say so."""
    if order.get("appeals") is None:
        return {}
    try:
        house = msgspec.convert(order["appeals"], House)
    except msgspec.ValidationError as fault:
        raise NotNow(Saying("not_understood", why=f'"appeals": {fault}')) from None
    return {"house": {"appeals": msgspec.to_builtins(house)}}


def _calibrate(order: Mapping[str, Any], _story: Story) -> dict[str, Any]:
    corners = order.get("corners")
    is_four = isinstance(corners, list) and len(corners) == 4
    if corners is not None and not (is_four and all(_is_point(corner) for corner in corners)):
        why = '"corners" must be four positions in the picture, clockwise from the corner of box 1'
        raise NotNow(Saying("not_understood", why=why))
    try:
        board = msgspec.convert(order.get("board"), DrawnBoard | None)
    except msgspec.ValidationError as fault:
        raise NotNow(Saying("not_understood", why=f'"board": {fault}')) from None
    return {"corners": corners, **({} if board is None else {"board": msgspec.to_builtins(board)})}


class DrawnBoard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which board it is, and how long its outer side is (mm) where it is not as the book has it."""

    kind: Literal["street", "table"] = "street"
    side: Annotated[float, msgspec.Meta(ge=200, le=6000)] | None = None


def _caps(order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    """Check the caps that people tapped on the picture; everyone who plays needs one."""
    _refuse_simulated(story, "simulated_caps")
    try:
        told = msgspec.convert(order.get("caps"), list[TappedCap])
    except msgspec.ValidationError as fault:
        raise NotNow(Saying("not_understood", why=f'"caps": {fault}')) from None
    names = [cap.player for cap in told]
    if len(set(names)) < len(names) or not names:
        raise NotNow(Saying("one_cap_each"))
    is_on = story.public is not None and story.public["phase"] != "over"
    capless = [name for name in story.start["players"] if name not in names] if is_on else []
    if capless:
        raise NotNow(Saying("plays_capless", {"players": capless}))
    return {"caps": msgspec.to_builtins(told)}


class TappedCap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cap tapped at `xy` (pixels of the camera's picture), and what people say of it."""

    player: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    xy: tuple[float, float]
    kind: Literal["crown", "crown_upturned", "lid", "lid_open", "ring", "glide"] = "crown"
    diameter: Annotated[float, msgspec.Meta(ge=5, le=100)] | None = None  # None: as it looks


def _camera(order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    _refuse_simulated(story, "simulated_camera")
    source = order.get("source")
    if not isinstance(source, str) or not CAMERA.fullmatch(source):
        raise NotNow(Saying("no_such_camera", why='"source" must be like picamera2:0 or v4l2:0'))
    return {"source": source}


def _is_point(corner: Any) -> bool:
    is_pair = isinstance(corner, list) and len(corner) == 2
    return is_pair and all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in corner)


def _shut_down(_order: Mapping[str, Any], story: Story) -> dict[str, Any]:
    _refuse_simulated(story, "simulated_box")
    return {}


def _refuse_simulated(story: Story, code: str) -> None:
    if str((story.set_up or {}).get("source", "")).startswith(SIMULATED):
        raise NotNow(Saying(code))


def _plain(_order: Mapping[str, Any], _story: Story) -> dict[str, Any]:
    return {}


CHECKS: Mapping[str, Callable[[Mapping[str, Any], Story], dict[str, Any]]] = {
    "new_game": _new_game,
    "calibrate": _calibrate,
    "caps": _caps,
    "camera": _camera,
    "test": _plain,
    "shut_down": _shut_down,
}
