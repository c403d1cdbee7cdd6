"""A cap leaves a place in which nobody thought that it lay: something else was taken for it at first, or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from linesies.vision.shots.cap_state import CapPhase, CapState
from linesies.vision.shots.lookalike import Lookalike
from linesies.vision.shots.looking import Lit, is_new_about
from linesies.vision.shots.place import presence_at
from linesies.vision.shots.registering import Noticed, Steady
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.scenery import Scenery


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unmasked:
    """How all lookalikes look now, and the caps that some were which have left, by their players."""

    lookalikes: tuple[Lookalike, ...]
    caps: Mapping[str, Lookalike]


def unmask(noticed: Noticed, lit: Lit, steady: Steady, scenery: Scenery, state: SceneState) -> Unmasked | None:
    """Look at the lookalikes: one that has left was the cap, unless that cap is seen to have left its own place."""
    if not state.lookalikes:
        return None
    seen = tuple(_looked_at(one, noticed, lit, steady, scenery) for one in state.lookalikes)
    left = [one for one in seen if one.has_left(state.t_s) and _may_be_elsewhere(state.caps[one.player])]
    return Unmasked(
        lookalikes=tuple(one for one in seen if one not in left),
        caps={one.player: one for one in reversed(left)},  # of two at once, the likeliest
    )


def _looked_at(one: Lookalike, noticed: Noticed, lit: Lit, steady: Steady, scenery: Scenery) -> Lookalike:
    """Look at a lookalike's place where anything is new about it; its history goes on in any case."""
    presence, share_beside = one.presence, one.history.share_beside
    if is_new_about(one.history, noticed):
        presence = presence_at(one.place, scenery.background, lit.small)
        share_beside = one.history.beside.share_changed(scenery.background, lit.small)
    history = one.history.after(steady.frame, share_beside=share_beside)
    return one.looked_at(presence, history, steady.frame.t_s)


def _may_be_elsewhere(cap: CapState) -> bool:
    """Tell whether a cap has not shown yet, by leaving its own place, that it lay there."""
    is_unseen = cap.phase is CapPhase.NOWHERE and not cap.is_news
    is_sought = cap.phase is CapPhase.LEFT and cap.is_unmasked  # what has left before may have been litter
    return is_unseen or is_sought or cap.phase in (CapPhase.RESTING, CapPhase.HIDDEN)
