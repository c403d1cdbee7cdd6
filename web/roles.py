"""Roles: anyone watches, a player sits in his seat, the referee owns the device; and the door by which one enters."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a phone may do: its kind, the players it plays for, and its name among paired phones."""

    kind: str = "watcher"
    seats: tuple[str, ...] = ()
    phone: str = ""

    @property
    def can_order(self) -> bool:
        """Tell whether it may order anything at all."""
        return self.kind != "watcher"

    @property
    def is_referee(self) -> bool:
        """Tell whether it may do what it likes."""
        return self.kind == "referee"

    def as_json(self) -> dict[str, Any]:
        """Write what the phone is told of itself."""
        return {"role": self.kind, "seats": list(self.seats), "phone": self.phone}


class Paired(Protocol):
    """A paired phone, as the referee is shown it."""

    @property
    def name(self) -> str:
        """Name it without giving its token away."""
        ...

    @property
    def role(self) -> Role:
        """Tell what it may do."""
        ...

    @property
    def since_s(self) -> float:
        """Tell since when, in unix time."""
        ...


class Doorkeeper(Protocol):
    """Who lets phones in; tokens are browsers', codes are shown on the device."""

    is_open: bool  # no code is asked for: whoever sees the page may order

    def role(self, token: str) -> Role:
        """Tell what the phone with this token may do."""
        ...

    def enter(self, token: str, code: str) -> str | None:
        """Let a phone in by a code; returns its new token, None for a wrong code."""
        ...

    def sit(self, token: str, player: str) -> str:
        """Seat a phone without a code; returns its new token."""
        ...

    def codes(self, players: Iterable[str]) -> dict[str, str]:
        """Give the code of each player's seat, and under "" the referee's."""
        ...

    def all(self) -> Iterable[Paired]:
        """List the paired phones."""
        ...

    def revoke(self, phone: str) -> bool:
        """Take everything back from a phone."""
        ...


class Anyone:
    """Lets no phone in: all are alike, and may order or only watch."""

    def __init__(self, *, may_order: bool) -> None:
        self.is_open = may_order

    def role(self, _token: str) -> Role:
        """Give everyone the same role."""
        return Role(kind="referee" if self.is_open else "watcher")

    def enter(self, _token: str, _code: str) -> str | None:
        """Know no code."""
        return None

    def sit(self, token: str, _player: str) -> str:
        """Know no seats."""
        return token

    def codes(self, _players: Iterable[str]) -> dict[str, str]:
        """Have none."""
        return {}

    def all(self) -> Iterable[Paired]:
        """Know none."""
        return ()

    def revoke(self, _phone: str) -> bool:
        """Have nothing to take back."""
        return False
