"""What is asked of simulated people: how many play, what they agree on, and how they behave."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """What people agree on and how they behave; None leaves it to the game and its seed.

    `options` is JSON, or "drawn" by the seed; `fidget` is how often, between two turns, somebody does what does not
    count, from 0 to below 1.
    """

    players: int | None = None
    options: str | None = None
    preset: str | None = None
    fidget: float = 0.0

    def as_options(self) -> dict[str, str]:
        """Write what was asked for as a simulated source's options.

        >>> Customs(players=3, fidget=0.2).as_options()
        {'players': '3', 'fidget': '0.2'}
        """
        return {name: str(wish) for name, wish in asdict(self).items() if wish not in (None, 0.0)}
