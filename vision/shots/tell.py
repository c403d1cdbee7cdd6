"""From the ways of the caps that moved to what is told: a shot with its hits, or a cap placed by hand."""

from dataclasses import replace

from linesies.vision.shots.flights import has_glided
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.shooting import find_shooter, of_a_later_shot, shot_of
from linesies.vision.shots.touching import touchers_among, with_pushers
from linesies.vision.values import Expectation, Placed, Shot

<<<<<<< HEAD
from linesies.vision.shots.contacts import NEAR_MM, Contact, Victim, chain_of, cosine, has_rival, touchers_of
from linesies.vision.shots.flights import QUICKEST_HAND_S, has_glided, is_quick
from linesies.vision.shots.onset import PlaceHistory
from linesies.vision.shots.shot_odds import AIMED, LEAST_BACK, NOTHING, SURE, aim_at, back_odds, odds_of_shot
from linesies.vision.shots.tracks import FRICTION_MM_S2, Track
from linesies.vision.values import Call, Expectation, Hit, Placed, Shot

LEAST_SEEN = 2  # points of a track that are but its ends
STRAY_DIAMETERS = 2.0  # so much farther than it ends from where it lay, a sliding cap never is
=======
>>>>>>> main
TOUCH_DIAMETERS = 1.2  # a hand that shifts a cap by less has touched it: a shot by the book
LEAST_TOUCH_MM = 2.5
<<<<<<< HEAD
OVER_RADII = 0.6  # of two caps' radii: nearer than that, no two lie
NUDGED_MM = 5.0  # as near the rim must have come of what nudged a cap that hardly moved
BETWEEN_SHOTS_S = 0.15  # of rest, within which another player can hardly have shot
MENDED_S = 0.045  # by which a start reckoned from the flight may be late; before that a hand was in the way
PRIOR = 0.4  # for whoever is expected to shoot
LEAST_LEAD = 0.5  # by which one of two is worth more as the shooter, to be named
PUT_BACK_MM = 5.0  # from where it lay, people put a cap back that they took up or kicked: nothing has happened then
TIED_S = 0.05  # of two caps that set off within this, either may have been first
NOTHING_EXPECTED = Expectation()


class MovementCause(Enum):
    """What is thought to have moved a cap."""

    FLOWN = "it went by itself: it was shot, or pushed by one that was"
    LEFT_VIEW = "it went by itself, out of the picture"
    CARRIED = "it lies elsewhere, and nobody saw it go by itself: a hand may have put it there"
    TOUCHED = "it lies nearly where it lay, and something lay over it for a while: a hand may have shifted it"
    STIRRED = "it lies nearly where it lay, and no hand was over it: another cap has pushed it"
    NUDGED = "it may not have moved at all"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Movement:
    """One cap that does not lie where it lay: its call, what moved it, and its way as far as it was seen.

    `track` is None for a cap that moved too little to be followed; `from_mm` is None for one that was not on
    the board before. `history` is that of its old place; `is_clear` says that it moved beyond doubt, `is_measured` that
    the judge found it there, `is_timed` that its place showed when it set off. `past_mm` are the places in which it
    lay before `from_mm`, the latest first.
    """

    call: Call
    from_mm: tuple[float, float] | None
    track: Track | None
    cause: MovementCause
    history: PlaceHistory | None = None
    is_timed: bool = False
    is_clear: bool = True
    is_measured: bool = True
    past_mm: tuple[tuple[float, float], ...] = ()

    @property
    def back(self) -> float:
        """Weigh whether it lies again where it lay before it was moved to where this way began."""
        if not self.is_measured:
            return 0.0
        x, y = self.call.xy_mm
        return max(
            (back_odds(self.way_mm, float(np.hypot(x - was[0], y - was[1]))) for was in self.past_mm), default=0.0
        )

    @property
    def is_flown(self) -> bool:
        """Tell whether it went by itself."""
        return self.cause in (MovementCause.FLOWN, MovementCause.LEFT_VIEW)

    @property
    def is_handled(self) -> bool:
        """Tell whether a hand may have moved it."""
        return self.cause in (MovementCause.CARRIED, MovementCause.TOUCHED)

    @property
    def has_left_view(self) -> bool:
        """Tell whether it is out of the picture."""
        return self.cause is MovementCause.LEFT_VIEW

    @property
    def is_slight(self) -> bool:
        """Tell whether it may not have moved at all."""
        return self.cause is MovementCause.NUDGED

    @property
    def player(self) -> str:
        """Whose cap it is."""
        return str(self.call.player)

    @property
    def followed(self) -> Track:
        """Its way, to be asked for only where it was followed."""
        assert self.track is not None, f"{self.player}'s cap moved too little to be followed"
        return self.track

    def is_over(self, other: "Movement") -> bool:
        """Tell whether it would lie on another cap."""
        apart_mm = np.hypot(self.call.xy_mm[0] - other.call.xy_mm[0], self.call.xy_mm[1] - other.call.xy_mm[1])
        return bool(apart_mm < OVER_RADII * (self.call.diameter_mm + other.call.diameter_mm) / 2)

    @property
    def way_mm(self) -> float:
        """How far it lies from where it lay."""
        if self.from_mm is None:
            return float("inf")
        dx, dy = self.call.xy_mm[0] - self.from_mm[0], self.call.xy_mm[1] - self.from_mm[1]
        return (dx * dx + dy * dy) ** 0.5


=======
NOTHING_EXPECTED = Expectation()


>>>>>>> main
def tell(
    moved: list[Movement], *, frame_s: float, t_end_s: float, expected: Expectation = NOTHING_EXPECTED
) -> tuple[Shot | Placed, ...]:
    """Tell what happened to the caps that moved, in order of time; who is `expected` to shoot settles a tie."""
    moved = with_pushers([m.timed() for m in moved], frame_s)
    touchers = touchers_among(moved, frame_s)
    later = of_a_later_shot(moved, touchers)
    if later:
        parts = ([m for m in moved if m not in later], later)
        ends_s = (max(m.followed.t_end_s for m in parts[0] if m.is_flown), t_end_s)
        return tuple(
            event
            for part, end_s in zip(parts, ends_s, strict=True)
            for event in tell(part, frame_s=frame_s, t_end_s=end_s, expected=expected)
        )
<<<<<<< HEAD
    shooter, is_sure = _shooter(moved, expected.shooter, frame_s)
    odds = NOTHING if shooter is None else _odds(shooter, expected)
    told: list[Shot | Placed] = []
    if shooter is not None and odds > NOTHING:
        shot = _shot(shooter, moved, touchers, t_end_s)
        is_aimed = aim_at(shooter.followed, shooter.history) == AIMED
        told.append(replace(shot, is_aimed=is_aimed, is_shooter_certain=is_sure and (odds >= SURE or not is_aimed)))
=======
    shooter, is_sure = find_shooter(moved, expected.shooter, frame_s)
    told: list[Shot | Placed] = []
    if shooter is not None:
        told.append(replace(shot_of(shooter, moved, touchers, t_end_s), is_shooter_certain=is_sure))
>>>>>>> main
    for m in moved:
        is_in_shot = bool(told) and (m is shooter or m.is_flown or bool(touchers[m.player]))
        if not is_in_shot and _is_news(m, expected):
            told.append(_placed(m, t_end_s) if m.is_flown else _by_hand(m, t_end_s, expected))
    return tuple(sorted(told, key=lambda event: event.t_start_s))


<<<<<<< HEAD
def _odds(shooter: Movement, expected: Expectation) -> float:
    is_in_turn = expected.shooter in (None, shooter.player)
    return odds_of_shot(shooter.followed, shooter.history, is_in_turn=is_in_turn, back=shooter.back)


def _is_news(m: Movement, expected: Expectation) -> bool:
    """Tell whether people need to hear of a cap that nobody shot: not of one put back, unless it was to be."""
    is_moved = m.is_handled or m.cause is MovementCause.FLOWN
    if not (is_moved and m.is_measured) or m.way_mm < LEAST_TOUCH_MM:
        return False
    is_back = m.way_mm < PUT_BACK_MM or m.back >= LEAST_BACK
    return not is_back or m.player in expected.placing or m.player in expected.put_back


def _of_a_later_shot(moved: list[Movement], touchers: dict[str, tuple[Contact, ...]]) -> list[Movement]:
    """Find the caps that flew only after the first that flew, and all that flew with them, had come to rest.

    One that nothing can have touched needs no pause before it.
    """
    flown = sorted((m for m in moved if m.is_flown and m.track is not None), key=lambda m: m.followed.t_start_s)
    rest_s = flown[0].followed.t_end_s if flown else 0.0
    for i, m in enumerate(flown):
        if m.followed.t_start_s > rest_s + (BETWEEN_SHOTS_S if touchers[m.player] else 0.0):
            return flown[i:]
        rest_s = max(rest_s, m.followed.t_end_s)
    return []


def _timed(m: Movement) -> Movement:
    """Put right when a cap set off, where its place shows it."""
    if m.history is None or m.track is None or not m.is_flown:
        return m
    t_s = m.history.set_off_s(missed_s=m.followed.t_start_s)
    if t_s is None or not m.followed.t_start_s - MENDED_S < t_s < m.followed.t_end_s:
        return m
    return replace(m, track=m.followed.set_off_at(t_s), is_timed=True)


def _with_pushers(moved: list[Movement], frame_s: float) -> list[Movement]:
    """Take a cap for flown, though a hand hid its flight, where a cap that flew can have been pushed by it alone."""
    flown = [m for m in moved if m.is_flown and m.track is not None and m.from_mm is not None]
    others = [m for m in moved if m.track is not None and m.from_mm is not None and not m.is_flown]
    pushers: dict[str, Movement] = {}
    for m in flown:
        if _is_pushed(_touchers_of(m, [other.followed for other in flown], frame_s)):
            continue
        slid = {other.player: _slid_into(m, other) for other in others}
        found = _touchers_of(m, [other.followed for other in slid.values()], frame_s)
        if _is_pushed(found) and found[0].doubt < NEAR_MM:
            pushers[found[0].by] = _flown_by(slid[found[0].by], found[0].t_s)
    if not pushers:
        return moved
    return _with_pushers([pushers.get(m.player, m) for m in moved], frame_s)


def _slid_into(victim: Movement, m: Movement) -> Movement:
    """Let a cap that nobody saw on its way have slid it, as fast as friction lets it, when the victim set off."""
    if (len(m.followed.t_s) > LEAST_SEEN and not _has_strayed(m)) or not m.is_clear:
        return m
    took_s = min((2 * m.way_mm / FRICTION_MM_S2) ** 0.5, m.followed.t_end_s - m.followed.t_start_s)
    ends = m.followed.xy_mm[[0, -1]]
    shares = np.linspace(0, 1, 33)
    apart_mm = np.hypot(*(ends[0] + shares[:, None] * (ends[1] - ends[0]) - victim.from_mm).T)
    touch_mm = max(apart_mm.min(), (m.call.diameter_mm + victim.call.diameter_mm) / 2)
    meet = shares[np.flatnonzero(apart_mm <= touch_mm)[0]]
    start_s = victim.followed.t_start_s - took_s * meet
    start_s = float(np.clip(start_s, m.followed.t_start_s, m.followed.t_end_s - took_s))
    times_s = np.array([start_s, start_s + took_s])
    return replace(m, track=replace(m.followed, t_s=times_s, xy_mm=ends, is_free=np.zeros(2, bool)))


def _has_strayed(m: Movement) -> bool:
    """Tell whether what was taken for a cap on its way was a hand: farther off than a cap slides that ends there."""
    farthest_mm = float(np.hypot(*(m.followed.xy_mm - m.followed.xy_mm[0]).T).max())
    return farthest_mm > m.way_mm + STRAY_DIAMETERS * m.call.diameter_mm


def _flown_by(m: Movement, touched_s: float) -> Movement:
    """Take a cap for flown that touched another at a time; what it did long before, it did in a hand."""
    start_s = max(m.followed.t_start_s, touched_s - QUICKEST_HAND_S)
    return replace(m, cause=MovementCause.FLOWN, track=m.followed.set_off_at(start_s))


def _touchers(moved: list[Movement], frame_s: float) -> dict[str, tuple[Contact, ...]]:
    """Find who may have touched whom; who was touched moved by itself, and may have touched others in turn."""
    movers = [m for m in moved if m.track is not None and (m.is_flown or is_quick(m.track))]
    while True:
        tracks = [m.followed for m in movers]
        touchers = {m.player: _touchers_of(m, tracks, frame_s) for m in moved}
        pushed = [m for m in moved if m not in movers and m.track is not None and _is_pushed(touchers[m.player])]
        if not pushed:
            return touchers
        movers += pushed


def _is_pushed(touchers: tuple[Contact, ...]) -> bool:
    return bool(touchers) and touchers[0].is_certain


def _touchers_of(m: Movement, tracks: list[Track], frame_s: float) -> tuple[Contact, ...]:
    """Find who may have touched a cap; one that hardly moved, only those that came close and pushed it that way."""
    found = _near(m, tracks, frame_s)
    if not m.is_slight:
        return found
    return tuple(contact for contact in found if contact.is_certain and contact.apart_mm <= NUDGED_MM)


def _near(m: Movement, tracks: list[Track], frame_s: float) -> tuple[Contact, ...]:
    if m.from_mm is None:
        return ()
    way_mm = (m.call.xy_mm[0] - m.from_mm[0], m.call.xy_mm[1] - m.from_mm[1])
    has_stayed = m.track is None or m.way_mm < HARDLY_DIAMETERS * m.call.diameter_mm
    victim = Victim(
        player=m.player,
        radius_mm=m.call.diameter_mm / 2,
        xy_mm=m.from_mm,
        t_start_s=None if has_stayed else m.followed.t_start_s,
        ways_mm=(way_mm,) if m.track is None else (tuple(m.followed.first_way_mm), way_mm),
        is_timed=m.is_timed and not has_stayed,
    )
    found = touchers_of(victim, tracks, frame_s=frame_s) or touchers_of(
        replace(victim, is_timed=False), tracks, frame_s=frame_s
    )
    if not found or not has_stayed or m.history is None:
        return found
    t_s = m.history.set_off_s(missed_s=found[0].t_s)
    timed = victim if t_s is None else replace(victim, t_start_s=t_s, is_timed=True)
    return touchers_of(timed, tracks, frame_s=frame_s) or found


def _shooter(moved: list[Movement], expected: str | None, frame_s: float) -> tuple[Movement | None, bool]:
    """Find the cap that set off first, and whether that is sure.

    On a tie it is the one that went towards the others and they away from it.
    """
    tracks = {m.player: m.track for m in moved if m.is_flown and m.track is not None}
    if not tracks:
        return None, False
    first_s = min(track.t_start_s for track in tracks.values())
    tied = {p: track for p, track in tracks.items() if track.t_start_s - first_s < max(TIED_S, 2.2 * frame_s)}

    def worth(player: str) -> float:
        track = tied[player]
        pushes = [(other, other.xy_mm[0] - track.xy_mm[0]) for other in tied.values() if other is not track]
        along = sum(cosine(track.first_way_mm, push) + cosine(other.first_way_mm, push) for other, push in pushes)
        return along - (track.t_start_s - first_s) / TIED_S + (PRIOR if player == expected else 0.0)

    best, *others = sorted(tied, key=worth, reverse=True)
    is_sure = not others or worth(best) - worth(others[0]) > LEAST_LEAD
    return next(m for m in moved if m.player == best), is_sure


def _shot(shooter: Movement, moved: list[Movement], touchers: dict[str, tuple[Contact, ...]], t_end_s: float) -> Shot:
    chain = chain_of(shooter.player, touchers)
    hits = [
        Hit(
            by=contact.by,
            victim=m.player,
            t_s=contact.t_s,
            is_certain=contact.is_certain and m.is_clear and not has_rival(m.player, shooter.player, chain, touchers),
        )
        for m in moved
        if (contact := chain.get(m.player)) is not None
    ]
    hits = _in_order(shooter.player, sorted(hits, key=lambda hit: hit.t_s))
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


def _in_order(shooter: str, hits: list[Hit]) -> list[Hit]:
    """Put hits in order of time, but none before its hitter was hit."""
    ordered: list[Hit] = []
    reached = {shooter}
    waiting = list(hits)
    while waiting:
        following = next(hit for hit in waiting if hit.by in reached)
        waiting.remove(following)
        reached.add(following.victim)
        ordered.append(following)
    return ordered


=======
>>>>>>> main
def _by_hand(m: Movement, t_end_s: float, expected: Expectation) -> Shot | Placed:
    """Tell of a cap that a hand moved: touched or shot under it, where its owner may be shooting, else put back."""
    is_touch = m.way_mm < TOUCH_DIAMETERS * m.call.diameter_mm and expected.may_shoot(m.player)
    if is_touch or (expected.awaits_shot_of(m.player) and m.track is not None and has_glided(m.track)):
        start_s, end_s = _times_s(m, t_end_s)
        return Shot(
            player=m.player,
            hits=(),
            calls=(m.call,),
            t_start_s=start_s,
            t_end_s=end_s,
            is_shooter_certain=False,
            from_mm=m.from_mm,
        )
    return _placed(m, t_end_s)


def _placed(m: Movement, t_end_s: float) -> Placed:
    start_s, end_s = _times_s(m, t_end_s)
    return Placed(player=m.player, call=m.call, t_start_s=start_s, t_end_s=end_s)


def _times_s(m: Movement, t_end_s: float) -> tuple[float, float]:
    """Tell when it was moved; of a cap that was not followed, only when all was at rest again."""
    return (t_end_s, t_end_s) if m.track is None else (m.track.t_start_s, m.track.t_end_s)
