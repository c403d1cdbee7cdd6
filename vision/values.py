"""What vision says it saw: calls on caps at rest, shots, caps placed by hand, a moved camera.

These values cross to the referee; `as_json` writes them in the vocabulary of `linesies rule` and the contract.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linesies.vision.exhibit import Exhibit  # its pixels are arrays, and the page does without those


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Where one cap lies: the centre of its footprint, region, gap to the paint and how sure that is.

    `player` is None for a cap that nobody listed. `is_certain` stands by the sign of `gap_mm`. `cap_share` is how
    likely the player's cap lies there at all, where it was followed to; None: nobody looked.
    """

    player: str | None
    xy_mm: tuple[float, float]
    diameter_mm: float
    location: str
    gap_mm: float
    sigma_mm: float
    is_certain: bool
    cap_share: float | None = None
    exhibit: "Exhibit | None" = field(default=None, compare=False, repr=False)  # None: followed there, not measured

    def as_json(self) -> dict[str, Any]:
        """Write the call with the contract's keys, `player` left out when nobody's."""
        call = {
            "x": round(self.xy_mm[0], 2),
            "y": round(self.xy_mm[1], 2),
            "diameter": round(self.diameter_mm, 2),
            "location": self.location,
            "gap": round(self.gap_mm, 3),
            "sigma": round(self.sigma_mm, 3),
            "certain": self.is_certain,
        }
        return call if self.player is None else {"player": self.player, **call}


@dataclass(frozen=True, slots=True, kw_only=True)
class Resemblance:
    """A board point where a listed player's cap may lie, whether it is called there or not, and by what share."""

    player: str
    xy_mm: tuple[float, float]
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """All caps of one frame: those of listed players, and cap-like things that match nobody's.

    `not_seen_mm` are outlines, points (x, y) on the board, within which glare hides everything: no cap is claimed
    there, nor denied. `resemblances` are all places where a listed cap may lie, the likeliest first. One that
    `is_registered` shows the calibrated ground; of another nothing is told.
    """

    caps: tuple[Call, ...]
    unknown: tuple[Call, ...]
    not_seen_mm: tuple[tuple[tuple[float, float], ...], ...] = ()
    resemblances: tuple[Resemblance, ...] = ()
    is_registered: bool = True

    def as_json(self) -> dict[str, Any]:
        """Write the judgement with the contract's keys, without the frame's number."""
        not_seen = [[[round(x, 1), round(y, 1)] for x, y in outline] for outline in self.not_seen_mm]
        calls = {"caps": [c.as_json() for c in self.caps], "unknown": [c.as_json() for c in self.unknown]}
        return {**calls, "not_seen": not_seen} if not_seen else calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """First contact of one cap with another: seconds of the source, and whether vision stands by it."""

    by: str
    victim: str
    t_s: float
    is_certain: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One shot: who, whom it touched in order, and where each cap that moved came to rest."""

    player: str
    hits: tuple[Hit, ...]
    calls: tuple[Call, ...]  # of each cap that moved
    t_start_s: float  # first motion
    t_end_s: float  # all at rest
    is_shooter_certain: bool = True
    is_aimed: bool = True  # something waited beside the shooter's cap before it set off
    from_mm: tuple[float, float] | None = None  # where the shooter's cap lay before
    is_behind_start: bool = True  # False: it was flicked from before the start line, where it had to lie behind
    ways: Mapping[str, tuple[tuple[float, float, float], ...]] = field(default_factory=dict, compare=False)
    """Each cap's tracked way, for people to watch: seconds since `t_start_s`, x and y (mm); decides nothing."""

    def as_json(self) -> dict[str, Any]:
        """Write the shot as an event of `linesies rule`, with times, calls and ways."""
        ways = {"ways": {player: [list(point) for point in way] for player, way in self.ways.items()}}
        behind = {} if self.is_behind_start else {"behind_start": False}
        return {
            "event": "shot",
            "player": self.player,
            "hits": [[hit.by, hit.victim] for hit in self.hits],
            "rest": {call.player: call.location for call in self.calls},
            "t_start": round(self.t_start_s, 4),
            "t_end": round(self.t_end_s, 4),
            "calls": {call.player: call.as_json() for call in self.calls},
            **(ways if self.ways else {}),
            **behind,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A cap that a hand put down."""

    player: str
    call: Call
    t_start_s: float
    t_end_s: float
    of: str | None = None  # the box whose line it was put on

    def as_json(self) -> dict[str, Any]:
        """Write the placing as an event of `linesies rule`, with times and the call."""
        of = {} if self.of is None else {"of": self.of}
        return {
            "event": "placed",
            "player": self.player,
            "at": self.call.location,
            **of,
            "t_start": round(self.t_start_s, 4),
            "t_end": round(self.t_end_s, 4),
            "calls": {self.player: self.call.as_json()},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraMoved:
    """The picture no longer fits the calibration; nothing is judged until it does again."""

    t_s: float

    def as_json(self) -> dict[str, Any]:
        """Write the report as the contract's event."""
        return {"event": "camera_moved", "t": round(self.t_s, 4)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraLeaned:
    """The camera has leaned by so much since it was calibrated, or (0) is as calibrated again; play goes on."""

    px: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What the rules await next; never overrules what is seen.

    Whose shot, which caps are to be placed where, whose may be put back where they lay, whose each seat of a mat is
    (where nothing is said: the players' in their order), and the game's public state.
    """

    shooter: str | None = None
    placing: dict[str, str] = field(default_factory=dict)
    put_back: frozenset[str] = frozenset()
    seating: Mapping[str, str] = field(default_factory=dict)
    public: Mapping[str, Any] | None = None

    def may_shoot(self, player: str) -> bool:
        """Tell whether this player may be the next to shoot, rather than to put his cap back."""
        return self.shooter in (None, player) and player not in self.put_back

    def awaits_shot_of(self, player: str) -> bool:
        """Tell whether all that this player may do next with his cap is to shoot it."""
        return self.shooter == player and player not in self.placing and player not in self.put_back


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """How things stand right now, for the live picture: where each cap is, and whether anything moves."""

    t_s: float
    is_at_rest: bool
    caps_mm: dict[str, tuple[float, float]] = field(default_factory=dict)


Event = Shot | Placed | CameraMoved
