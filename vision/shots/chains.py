"""Who hit whom: of all who may have touched whom, the chain that runs from the shooter to the most caps."""

from dataclasses import dataclass
from itertools import product

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.shots.contacts import Contact
from linesies.vision.values import Hit


@dataclass(frozen=True)
class ChainTuning(Tuning):
    """Which of several touchers a cap's hit is told of."""

    order_s: float = tuned(
        0.02,
        title="by which a touch may seem earlier than the one that set its toucher in motion",
        unit="s",
        low=0,
        high=0.2,
        source="a frame at 50 a second",
    )
    rival_mm: float = tuned(
        5.0,
        title="doubt between two touchers below which it is for people to say which",
        unit="mm",
        low=0.5,
        high=30,
        source=by_hand_in("92a8cc6"),
    )


CHAIN = ChainTuning()

MOST_TOUCHERS = 4  # of one victim are tried


def in_order(shooter: str, hits: list[Hit]) -> list[Hit]:
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


def chain_of(shooter: str, touchers: dict[str, tuple[Contact, ...]]) -> dict[str, Contact]:
    """Choose one toucher a victim, so that the hits run from the shooter to as many victims as possible.

    Nobody touches before being touched; of several such chains the likeliest.
    """
    victims = [player for player in touchers if player != shooter and touchers[player]]
    best: tuple[tuple[float, float], dict[str, Contact]] = ((0.0, 0.0), {})
    for choice in product(*([*touchers[victim][:MOST_TOUCHERS], None] for victim in victims)):
        chain = {victim: contact for victim, contact in zip(victims, choice, strict=True) if contact is not None}
        worth = (len(chain), -sum(contact.doubt for contact in chain.values()))
        if worth > best[0] and all(_is_reached(victim, shooter, chain) for victim in chain):
            best = (worth, chain)
    return best[1]


def has_rival(victim: str, shooter: str, chain: dict[str, Contact], touchers: dict[str, tuple[Contact, ...]]) -> bool:
    """Tell whether another cap of the chain may as well have touched a victim first."""
    others = [contact for contact in touchers[victim] if contact.by != chain[victim].by]
    return any(
        contact.doubt < chain[victim].doubt + CHAIN.rival_mm
        and _is_reached(victim, shooter, {**chain, victim: contact})
        for contact in others
    )


def _is_reached(victim: str, shooter: str, chain: dict[str, Contact]) -> bool:
    """Follow a victim's touchers back in time to the shooter."""
    seen = {victim}
    while (by := chain[victim].by) != shooter:
        if by in seen or by not in chain or chain[by].t_s > chain[victim].t_s + CHAIN.order_s:
            return False
        seen.add(by)
        victim = by
    return True
