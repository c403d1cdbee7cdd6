"""People set the game right (1.1): what they agree on counts, as long as it makes a game."""

from msgspec import UNSET, UnsetType

from linesies.rules.skully.board import BOX_OF, KILLER, TRAPEZOIDS, WORDS, target_before
from linesies.rules.skully.events import Correct, Edit
from linesies.rules.skully.play import Play
from linesies.rules.skully.state import Player
from linesies.rules.skully.turns import dead, end_turn, last_player_remaining, settle_placing


def correct(play: Play, event: Correct) -> str | None:
    """1.1: the rules may be customised by those who play; say why the edits make no game, else None."""
    edits = {} if isinstance(event.players, UnsetType) else event.players
    named = [name for name in play.players if name in edits]  # in starting order
    for name in named:
        fault = correct_player(play, name, edits[name])
        if fault:
            return fault
    for name in named:
        if edits[name].status == "eliminated":
            dead(play, name)
    if not play.still_in:
        return "nobody would be left in the game"
    play.streak, play.undo = {}, None
    play.say("corrected", "1.1", players=named)
    if last_player_remaining(play):
        return None
    if not isinstance(event.turn, UnsetType):
        return correct_turn(play, event.turn)
    if not can_play(play, play.turn):
        end_turn(play, "corrected")
    return None


def can_play(play: Play, name: str | None) -> bool:
    """3.2.0, 1.4: it can be the turn of whoever is in the game and not stuck."""
    return name is not None and play.players[name].status in ("playing", "killer")


def correct_turn(play: Play, name: str) -> str | None:
    """1.1, 1.5: it is this player's turn now; a placing due to the one before him counts as done."""
    if not can_play(play, name):
        return f"it cannot be the turn of {name}"
    if name != play.turn:
        settle_placing(play)
        play.turn, play.shots = name, 0
    return None


def correct_player(play: Play, name: str, edit: Edit) -> str | None:
    """1.1: one player's cap, target, status and penalty as people say they are; all else follows from them."""
    if not play.players[name].is_in:
        return f"{name} is no longer in the game"
    if play.placing is not None and play.placing.player == name:
        settle_placing(play)
    if edit.status == "eliminated":
        return None
    player = play.players[name]
    at = player.at if isinstance(edit.at, UnsetType) else edit.at
    status = corrected_status(player, edit)
    going_for = corrected_target(player, edit)
    if (status == "killer") != (going_for == KILLER):
        return f"{name} cannot be {status} and go for {going_for}"
    if status == "stuck" and at not in TRAPEZOIDS:
        return f"{name} cannot be stuck outside the skull"
    made, words = (player.made, player.words) if edit.going_for is UNSET else way_so_far(going_for, player)
    if status == "killer":
        words = ()
    box = words[-1] if made in WORDS and words else BOX_OF.get(made or "")
    home = at if at == box and status != "killer" else None
    skip = player.skip if isinstance(edit.skip, UnsetType) else edit.skip
    play.change(name, at=at, status=status, going_for=going_for, made=made, words=words, home=home, skip=skip)
    return None


def corrected_status(player: Player, edit: Edit) -> str:
    """Skull: someone stuck who is said to lie elsewhere is stuck no more."""
    if not isinstance(edit.status, UnsetType):
        return edit.status
    if player.is_stuck and not isinstance(edit.at, UnsetType) and edit.at not in TRAPEZOIDS:
        return "playing"
    return player.status


def corrected_target(player: Player, edit: Edit) -> str:
    """Killer: a killer goes for nothing but killing."""
    if not isinstance(edit.going_for, UnsetType):
        return edit.going_for
    return KILLER if edit.status == "killer" else player.going_for


def way_so_far(going_for: str, player: Player) -> tuple[str | None, tuple[str, ...]]:
    """1.4: who goes for a target has made the one before it, and of the words the first trapezoids."""
    if going_for == KILLER:
        return player.made, ()
    said = list(WORDS).index(going_for) if going_for in WORDS else 0
    return target_before(going_for), TRAPEZOIDS[:said]
