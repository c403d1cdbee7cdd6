"""The state of a game of Skully: frozen values, and how the contract writes them."""

from typing import Any

from msgspec import Struct

from linesies.rules.skully.options import Options


class Player(Struct, frozen=True, kw_only=True):
    """One player: how he stands, what he goes for, where his cap lies, what he owes."""

    name: str
    status: str = "playing"  # playing, stuck, killer, eliminated, left, winner
    going_for: str = "1f"
    made: str | None = None
    at: str = "start"
    home: str | None = None
    skip: int = 0
    words: tuple[str, ...] = ()
    team: int | None = None

    @property
    def side(self) -> str | int:
        """Name what the player wins with: his team, or himself alone."""
        return self.name if self.team is None else self.team

    @property
    def is_in(self) -> bool:
        """Tell whether he is still in the game."""
        return self.status in ("playing", "stuck", "killer", "winner")

    @property
    def is_killer(self) -> bool:
        """Tell whether he has made killer."""
        return self.status == "killer"

    @property
    def is_stuck(self) -> bool:
        """Tell whether he is stuck in the skull."""
        return self.status == "stuck"


class PlacingDue(Struct, frozen=True, tag="placing"):
    """The player's cap is in his hand, to be placed in this box."""

    player: str
    box: str


class ChoiceDue(Struct, frozen=True, tag="choice"):
    """The player, hit early, chooses whether his cap stays or goes back; whether the hitter's turn ends by it."""

    player: str
    by: str
    back: str
    ends_turn: bool


Due = PlacingDue | ChoiceDue


class DoOverOf(Struct, frozen=True):
    """What a do-over would undo: whose shot or foul, the state before it, and whether it blasted a cap off."""

    player: str
    before: "State"
    is_blast: bool


class State(Struct, frozen=True, kw_only=True):
    """Everything that rules depend on."""

    options: Options
    players: tuple[Player, ...]
    turn: str | None
    shots: int = 0
    is_paused: bool = False
    awaiting: tuple[Due, ...] = ()
    streak: tuple[tuple[str, int], ...] = ()
    undo: DoOverOf | None = None

    @property
    def phase(self) -> str:
        """Name what the game waits for."""
        if self.turn is None:
            return "over"
        if self.is_paused:
            return "paused"
        if any(isinstance(due, ChoiceDue) for due in self.awaiting):
            return "choice"
        return "place" if self.awaiting else "shoot"


def public(state: State) -> dict[str, Any]:
    """Write the whole public state with the contract's keys; nothing in Skully is hidden.

    Where teams play, it also lists them and who has won.
    """
    return {
        "game": "skully",
        "phase": state.phase,
        "turn": state.turn,
        "shots": state.shots,
        "awaiting": [_due_json(due) for due in state.awaiting],
        "streak": dict(state.streak),
        "do_over": state.undo.player if state.undo else None,
        "winner": next((player.name for player in state.players if player.status == "winner"), None),
        "players": [_player_json(player) for player in state.players],
        **(_teams_json(state) if state.options.teams else {}),
    }


def _teams_json(state: State) -> dict[str, Any]:
    teams = [[player.name for player in state.players if player.team == team] for team in range(state.options.teams)]
    won = next((player.team for player in state.players if player.status == "winner"), None)
    return {"teams": teams, "winners": None if won is None else teams[won]}


def _due_json(due: Due) -> dict[str, str]:
    if isinstance(due, PlacingDue):
        return {"player": due.player, "what": "place", "box": due.box}
    return {"player": due.player, "what": "choice", "by": due.by, "back": due.back}


def _player_json(player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "status": player.status,
        "going_for": player.going_for,
        "made": player.made,
        "at": player.at,
        "home": player.home,
        "skip": player.skip,
        "words": list(player.words),
    }
