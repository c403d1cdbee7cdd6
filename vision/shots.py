"""From the ways of the caps that moved to what is told: a shot with its hits, or a cap placed by hand."""

from dataclasses import dataclass

from vision.contacts import Contact, Victim, toucher_of
from vision.testimony import Call, Hit, Placed, Shot
from vision.tracks import Track

LEAST_FREE_STEPS = 2
LEAST_FREE_SHARE = 0.15  # of its whole way; a hand carries a cap all the way
NUDGE_DIAMETERS = 1.2  # a hand that shifts a cap by less has touched it: a shot by the book
TIED_S = 0.03  # two caps that set off within this might both have been first


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moved:
    """One cap that does not lie where it lay: its call, and its way as far as it was seen.

    `track` is None for a cap that moved too little to be followed; `from_mm` is None for one that was not on
    the board before.
    """

    call: Call
    from_mm: tuple[float, float] | None
    track: Track | None
    is_flown: bool

    @property
    def player(self) -> str:
        """Whose cap it is."""
        return str(self.call.player)

    @property
    def way_mm(self) -> float:
        """How far it lies from where it lay."""
        if self.from_mm is None:
            return float("inf")
        dx, dy = self.call.xy_mm[0] - self.from_mm[0], self.call.xy_mm[1] - self.from_mm[1]
        return (dx * dx + dy * dy) ** 0.5


def has_flown(track: Track) -> bool:
    """Tell whether a cap went free for a part of its way, rather than in a hand."""
    way = float(((track.xy_mm[-1] - track.xy_mm[0]) ** 2).sum() ** 0.5)
    return track.free_steps >= LEAST_FREE_STEPS and track.free_way_mm >= LEAST_FREE_SHARE * way


def tell(moved: list[Moved], *, frame_s: float, t_end_s: float) -> tuple[Shot | Placed, ...]:
    """Tell what happened to the caps that moved, in order of time."""
    tracks = [m.track for m in moved if m.is_flown and m.track is not None]
    told: list[Shot | Placed] = []
    contacts = {m.player: _contact(m, tracks, frame_s) for m in moved}
    shooter = _shooter(moved, contacts)
    if shooter is not None:
        told.append(_shot(shooter, moved, contacts, t_end_s))
    for m in moved:
        if shooter is not None and (m is shooter or m.is_flown or contacts[m.player] is not None):
            continue
        told.append(_by_hand(m, t_end_s))
    return tuple(sorted(told, key=lambda event: event.t_start_s))


def _contact(m: Moved, tracks: list[Track], frame_s: float) -> Contact | None:
    if m.from_mm is None:
        return None
    victim = Victim(
        player=m.player,
        radius_mm=m.call.diameter_mm / 2,
        xy_mm=m.from_mm,
        t_start_s=None if m.track is None else m.track.t_start_s,
    )
    return toucher_of(victim, tracks, frame_s=frame_s)


def _shooter(moved: list[Moved], contacts: dict[str, Contact | None]) -> Moved | None:
    flown = [m for m in moved if m.is_flown and m.track is not None]
    first = min(flown, key=lambda m: m.track.t_start_s, default=None)
    return first


def _shot(shooter: Moved, moved: list[Moved], contacts: dict[str, Contact | None], t_end_s: float) -> Shot:
    hits = [
        Hit(by=contact.by, victim=player, t_s=contact.t_s, is_certain=contact.is_certain)
        for player, contact in contacts.items()
        if contact is not None and player != shooter.player
    ]
    hits = _reachable(shooter.player, sorted(hits, key=lambda hit: hit.t_s))
    in_shot = {shooter.player, *(hit.victim for hit in hits)}
    others = [m for m in moved if m.is_flown and m.player not in in_shot]
    calls = [m.call for m in moved if m.player in in_shot] + [m.call for m in others]
    start_s = shooter.track.t_start_s
    rivals = [m for m in moved if m is not shooter and m.is_flown and m.track.t_start_s - start_s < TIED_S]
    return Shot(
        player=shooter.player,
        hits=tuple(hits),
        calls=tuple(calls),
        t_start_s=start_s,
        t_end_s=max([t_end_s, start_s]),
        is_shooter_certain=not rivals,
    )


def _reachable(shooter: str, hits: list[Hit]) -> list[Hit]:
    """Keep the hits that the shooter's chain explains, in order of time."""
    kept: list[Hit] = []
    reached = {shooter}
    waiting = list(hits)
    while waiting:
        following = next((hit for hit in waiting if hit.by in reached), None)
        if following is None:
            break
        waiting.remove(following)
        reached.add(following.victim)
        kept.append(following)
    return sorted(kept, key=lambda hit: hit.t_s)


def _by_hand(m: Moved, t_end_s: float) -> Shot | Placed:
    start_s = m.track.t_start_s if m.track is not None else t_end_s
    end_s = m.track.t_end_s if m.track is not None else t_end_s
    if m.way_mm < NUDGE_DIAMETERS * m.call.diameter_mm:
        return Shot(
            player=m.player, hits=(), calls=(m.call,), t_start_s=start_s, t_end_s=end_s, is_shooter_certain=False
        )
    return Placed(player=m.player, call=m.call, t_start_s=start_s, t_end_s=end_s)
