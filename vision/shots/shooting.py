"""A shot: who shot, who was hit in it, and which caps flew only in a later one."""

from dataclasses import dataclass

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import BY_HAND, Tuning, tuned
from linesies.vision.shots.chains import chain_of, has_rival, in_order
from linesies.vision.shots.contacts import Contact
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.track import cosine
from linesies.vision.values import Hit, Shot


@dataclass(frozen=True)
class ShootingTuning(Tuning):
    """Who shot, of several that set off together."""

    between_shots_s: float = tuned(
        0.15,
        title="rest within which another player can hardly have shot",
        unit="s",
        low=0.02,
        high=1,
        source="physiology: nobody reacts to what is seen in less than 0.2 s",
    )
    prior: float = tuned(
        0.4, title="what being expected to shoot counts", unit="1", low=0, high=3, source=by_hand_in("0753346")
    )
    sure: float = tuned(
        0.5,
        title="lead over all others from which the shooter is sure",
        unit="1",
        low=0.05,
        high=3,
        source=by_hand_in("0753346"),
    )
    tied_s: float = tuned(
        0.05,
        title="within which of the first either may have set off first",
        unit="s",
        low=0.01,
        high=0.3,
        source=by_hand_in("9d3b1db"),
    )
    tied_frames: float = tuned(
        2.2, title="likewise in frames, where these last longer", unit="1", low=1, high=6, source=BY_HAND
    )


SHOOTING = ShootingTuning()


def of_a_later_shot(moved: list[Movement], touchers: dict[str, tuple[Contact, ...]]) -> list[Movement]:
    """Find the caps that flew only after the first that flew, and all that flew with them, had come to rest.

    One that nothing can have touched needs no pause before it. A cap that was only pushed goes with what pushed it.
    """
    flown = sorted((m for m in moved if m.is_seen_flying and m.track is not None), key=lambda m: m.followed.t_start_s)
    rest_s = flown[0].followed.t_end_s if flown else 0.0
    for i, m in enumerate(flown):
        if m.followed.t_start_s > rest_s + (SHOOTING.between_shots_s if touchers[m.player] else 0.0):
            return [*flown[i:], *_pushed_by(flown[i:], moved, touchers)]
        rest_s = max(rest_s, m.followed.t_end_s)
    return []


def _pushed_by(late: list[Movement], moved: list[Movement], touchers: dict[str, tuple[Contact, ...]]) -> list[Movement]:
    """Find the caps without a way of their own that one of these pushed."""
    players = {m.player for m in late}
    still = [m for m in moved if m.track is None]
    return [m for m in still if any(contact.by in players for contact in touchers[m.player][:1])]


def find_shooter(moved: list[Movement], expected: str | None, frame_s: float) -> tuple[Movement | None, bool]:
    """Find the cap that set off first, and whether that is sure.

    On a tie it is the one that went towards the others and they away from it.
    """
    flown = [m for m in moved if m.is_flown and m.track is not None]
    seen = [m for m in flown if m.is_seen_flying]
    tracks = {m.player: m.followed for m in seen or flown}
    if not tracks:
        return None, False
    first_s = min(track.t_start_s for track in tracks.values())
    tied = {
        p: track
        for p, track in tracks.items()
        if track.t_start_s - first_s < max(SHOOTING.tied_s, SHOOTING.tied_frames * frame_s)
    }

    def worth(player: str) -> float:
        track = tied[player]
        pushes = [(other, other.xy_mm[0] - track.xy_mm[0]) for other in tied.values() if other is not track]
        along = sum(cosine(track.first_way_mm, push) + cosine(other.first_way_mm, push) for other, push in pushes)
        return along - (track.t_start_s - first_s) / SHOOTING.tied_s + (SHOOTING.prior if player == expected else 0.0)

    best, *others = sorted(tied, key=worth, reverse=True)
    is_sure = not others or worth(best) - worth(others[0]) > SHOOTING.sure
    return next(m for m in moved if m.player == best), is_sure


def _hits(shooter: Movement, moved: list[Movement], touchers: dict[str, tuple[Contact, ...]]) -> list[Hit]:
    """Find who touched whom, in order; certain only where both were surely seen all along."""
    chain = chain_of(shooter.player, touchers)
    sure = {m.player for m in moved if m.is_sure}
    hits = [
        Hit(
            by=contact.by,
            victim=m.player,
            t_s=contact.t_s,
            is_certain=contact.is_certain
            and m.is_clear
            and {contact.by, m.player} <= sure
            and not has_rival(m.player, shooter.player, chain, touchers),
        )
        for m in moved
        if (contact := chain.get(m.player)) is not None
    ]
    return in_order(shooter.player, sorted(hits, key=lambda hit: hit.t_s))


def shot_of(shooter: Movement, moved: list[Movement], touchers: dict[str, tuple[Contact, ...]], t_end_s: float) -> Shot:
    """Tell a shot, with its hits in order."""
    hits = _hits(shooter, moved, touchers)
    in_shot = {shooter.player, *(hit.victim for hit in hits)}
    # a cap that flew in the same shot was touched by somebody, though the pictures don't show by whom
    unseen = [m for m in moved if m.is_flown and m.player not in in_shot]
    hits += [Hit(by=shooter.player, victim=m.player, t_s=m.followed.t_start_s, is_certain=False) for m in unseen]
    in_shot |= {m.player for m in unseen}
    return Shot(
        player=shooter.player,
        hits=tuple(hits),
        calls=tuple(m.call for m in moved if m.player in in_shot),
        t_start_s=shooter.followed.t_start_s,
        t_end_s=max(t_end_s, shooter.followed.t_start_s),
        from_mm=shooter.from_mm,
        ways={m.player: m.followed.way(shooter.followed.t_start_s) for m in moved if m.player in in_shot and m.track},
    )
