"""What the page is handed: a journal to read, a way to submit orders, and the moment."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol


class Told(Protocol):
    """What the referee tells of the game, to be followed by phones; may be asked from several threads."""

    def last_id(self) -> int:
        """Return the newest row's id, 0 when nothing is written; asked twenty times a second."""
        ...

    def story_json(self, seats: Collection[str] = ()) -> dict[str, Any]:
        """Fold all rows for a phone that plays for these players: what it may not know is not in it.

        Keys: row, game, start_row (by which one game is told from the next), set_up, state, pending, motions, calls,
        entries (newest last), camera, troubles, refusal, and `call`, what an umpire would say now. What the device
        itself says holds `said`: {code, say: its English sentence, details} for who says it otherwise.
        """
        ...


class JournalReader(Told, Protocol):
    """What is written, read only; may be asked from several threads."""

    def players(self) -> tuple[str, ...]:
        """Name the players of the game that is on, or was last: those who have joined since included."""
        ...

    def preview(self, order: dict[str, Any]) -> dict[str, Any] | None:
        """Tell what an order would change if the referee took it now, None where nobody can say.

        `players` with `before` and `after`, `turn` before and after, `entries`, `out_of_turn` and `in_turn` counted,
        `refused`, `keep`.
        """
        ...

    def standing_before(self, row: int) -> dict[str, Any] | None:
        """Write the public state that the entry of that row met, None where there is none."""
        ...

    def uncalled(self) -> Collection[int]:
        """Name the rows of what people call first: nobody may see yet what was measured there."""
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

    def __call__(self, order: dict[str, Any], origin: str, /) -> int:
        """Put an order into the referee's inbox and return its number there."""
        ...


class CaseFile(Protocol):
    """What the calls of a row were measured from, to be sent to whoever people like."""

    def __call__(self, row: int) -> bytes | None:
        """Give one zip file, None where nothing is kept of that row."""
        ...


class Proof(Protocol):
    """What proof of this installation has found."""

    def __call__(self) -> dict[str, Any] | None:
        """Give the certificate: `at_s`, `calibration`, `program`, `found`, `findings`, and why it is `old`, or None."""
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

    def proof_walk(self) -> dict[str, Any]:
        """Tell how far a guided proof has come: `measured` places, `has_gauge` of the next one, `is_measuring`."""
        ...

    def league(self) -> dict[str, Any] | None:
        """Tell to which league the box belongs: its `hub`, and the board's `name` there; None for none."""
        ...

    def leave_league(self) -> dict[str, Any]:
        """Leave that league: `has_left`, and as `trouble` what the hub said against it or why it was not told."""
        ...

    def photographed(self, game: str) -> dict[str, Any]:
        """Tell of a game's own deck: `cards` photographed so far, `is_learning`, and `learned`: when, None if never."""
        ...

    def keep_photograph(self, game: str, card: str, jpeg: bytes) -> None:
        """Keep the photograph of a card in place of its last one; may raise OSError."""
        ...


class Remembers(Protocol):
    """Whose games are told across games, by their own choice."""

    def since(self) -> Mapping[str, int]:
        """Tell from which game on each player counts."""
        ...

    def remember(self, player: str, number: int) -> None:
        """Count a player's games from that number on; may raise OSError."""
        ...

    def forget(self, player: str) -> None:
        """Count no game of his any more; may raise OSError."""
        ...


class Nobody:
    """Remembers nobody: where there is no place to keep it."""

    def since(self) -> Mapping[str, int]:
        """Know nobody."""
        return {}

    def remember(self, player: str, number: int) -> None:
        """Have nowhere to keep it."""
        raise OSError(f"nowhere to keep {player} from game {number} on")

    def forget(self, _player: str) -> None:
        """Have nobody to forget."""


class Now(Protocol):
    """The moment, which is not journaled."""

    def __call__(self) -> dict[str, Any]:
        """Return where caps are right now, lamps and buzzer, who is in the air, how the camera is; {} if unknown."""
        ...
