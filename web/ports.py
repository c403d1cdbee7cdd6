"""What the page is handed: a journal to read, a way to submit orders, and the moment."""

from collections.abc import Collection
from typing import Any, Protocol


class Journal(Protocol):
    """What is written, read only; may be asked from several threads."""

    def last_id(self) -> int:
        """Return the newest row's id, 0 when nothing is written; asked twenty times a second."""
        ...

    def story_json(self, seats: Collection[str] = ()) -> dict[str, Any]:
        """Fold all rows for a phone that plays for these players: what it may not know is not in it.

        Keys: row, game, set_up, state, pending, motions, calls, entries (newest last), camera, troubles, refusal. What
        the device itself says holds `said`: {code, say: its English sentence, details} for who says it otherwise.
        """
        ...

    def preview(self, order: dict[str, Any]) -> dict[str, Any] | None:
        """Tell what an order would change if the referee took it now, None where nobody can say.

        `players` with `before` and `after`, `turn` before and after, `entries` and `out_of_turn` counted, `refused`.
        """
        ...

    def games(self) -> list[dict[str, Any]]:
        """List all games, the oldest first: `number` from 1, `game`, `players`, `begun`, `is_over`, `winners`."""
        ...

    def summary(self, number: int) -> dict[str, Any] | None:
        """Sum up the game of that number, None where there is none; only what everybody may know."""
        ...

    def events(self, number: int, seats: Collection[str] = ()) -> list[dict[str, Any]] | None:
        """List a game's start and the events that count, but for what these seats may not know yet."""
        ...


class Submit(Protocol):
    """The door for orders from people."""

    def __call__(self, order: dict[str, Any], origin: str) -> int:
        """Put an order into the referee's inbox and return its number there."""
        ...


class Device(Protocol):
    """The machine round the camera, as its owner is shown it."""

    def picture(self) -> bytes | None:
        """Give what the camera saw a moment ago as a JPEG; None if nothing is there yet, and then one is asked for."""
        ...

    def found_caps(self) -> list[dict[str, Any]] | None:
        """List the caps found on that picture, `xy` in its pixels and `diameter` in mm; None while nobody knows."""
        ...

    def storage(self) -> tuple[int, int]:
        """Tell how many bytes are free where the game is kept, and how many there are."""
        ...

    def cameras(self) -> list[dict[str, Any]]:
        """List this machine's cameras: `source`, `name`, and `is_chosen` for the one that people chose."""
        ...


class Now(Protocol):
    """The moment, which is not journaled."""

    def __call__(self) -> dict[str, Any]:
        """Return where caps are right now, lamps and buzzer, who is in the air, how the camera is; {} if unknown."""
        ...
