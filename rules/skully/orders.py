"""What people do by hand or say: placing, choosing, fouls, do-over, marksies, switchsies, leaving."""

from msgspec import UnsetType

from linesies.rules.skully.board import PAIR, TRAPEZOIDS, WORDS
from linesies.rules.skully.events import DoOver, Foul, PlacedEvent, Resume, SwitchCap
from linesies.rules.skully.killer_round import killer_failed
from linesies.rules.skully.play import Play
from linesies.rules.skully.skull import stuck_in_skull
from linesies.rules.skully.state import PlacingDue, Player
from linesies.rules.skully.turns import dead, end_turn, last_player_remaining, out_of_turn, settle_placing

TOLERATED = {"hold": "Holdsies", "roll": "Rollsies", "spin": "Spinsies"}  # foul -> heading of its game option


def may_stand_at(play: Play, box: str, event: PlacedEvent) -> bool:
    """3.2.0: within a box he has obtained a player may put his cap anywhere, the lines of the box included."""
    if event.at == box:
        return True
    if isinstance(event.of, UnsetType) or event.at != (
        "line" if event.of.isdigit() and event.of != "13" else "skull_line"
    ):
        return False
    return event.of == box or (play.options.linesies and is_connected_line(box, event.of))


def is_connected_line(box: str, of: str) -> bool:
    """Linesies: also lines connected to those of his box: its pair's, and from 13 or a trapezoid all the skull's."""
    in_skull = ("13", *TRAPEZOIDS)
    return PAIR.get(box) == of or (box in in_skull and of in (*in_skull, "skull"))


def placed(play: Play, box: str, event: PlacedEvent) -> None:
    """3.2.0, 3.2.2: the player puts his cap into the box obtained, or shifts it within the box where it lies."""
    play.awaiting = [due for due in play.awaiting if not isinstance(due, PlacingDue)]
    play.change(event.player, at=event.at, home=box)
    play.say("placed", "3.2.0", player=event.player, box=box, at=event.at)


def is_tolerated(play: Play, event: Foul) -> bool:
    """Holdsies, Rollsies, Spinsies: baby stuff, tolerated if agreed on."""
    return {"hold": play.options.holdsies, "roll": play.options.rollsies, "spin": play.options.spinsies}.get(
        event.kind, False
    )


def tolerated(play: Play, event: Foul) -> None:
    """Holdsies, Rollsies, Spinsies: said, without any effect."""
    play.say("tolerated", TOLERATED[event.kind], player=event.player, kind=event.kind)


def foul(play: Play, event: Foul) -> None:
    """3.2.0: an undue touch costs the turn, or the next one; decision: so do a kick and a wrong move of the hand."""
    name = event.player
    in_turn = name == play.turn
    play.say("foul", "3.2.0", player=name, kind=event.kind)
    if in_turn:
        settle_placing(play)
    else:
        out_of_turn(play, name)
    is_for_a_word = play.players[name].going_for in WORDS
    if is_for_a_word:
        killer_failed(play, name)
    if event.kind == "false_start":
        false_start(play, event, is_for_a_word=is_for_a_word)
    if in_turn:
        end_turn(play, "foul")


def false_start(play: Play, event: Foul, *, is_for_a_word: bool) -> None:
    """3.2.0: a false start is judged to be a shot; decision: it earns nothing, and the cap stays where it slid to."""
    player = play.players[event.player]
    if player.is_stuck:
        return
    play.change(player.name, home=None)
    if isinstance(event.at, UnsetType):
        return
    play.change(player.name, at=event.at)
    if event.at in TRAPEZOIDS and not player.is_killer and not is_for_a_word:
        stuck_in_skull(play, player.name)


def blast(play: Play, event: DoOver) -> str | None:
    """Blastsies, Blasting: where they are not played, a hit that sent its victim off the board may be done over."""
    if event.reason != "blast":
        return None
    if play.options.blastsies:
        return "blastsies_allowed"
    return None if play.undo is not None and play.undo.is_blast else "blast_exempt"


def moved_in_pause(play: Play, event: Resume) -> str | None:
    """Marksies: a cap that does not lie where it was marked; marksies cannot be used to gain an advantage."""
    marked = {} if isinstance(event.at, UnsetType) else event.at
    return next((name for name, at in marked.items() if play.players[name].at != at), None)


def pause(play: Play) -> None:
    """Marksies: play is suspended, the caps are marked and taken up."""
    play.is_paused = True
    play.say("paused", "Marksies")


def resume(play: Play) -> None:
    """Marksies: the caps lie where they were marked, play goes on."""
    play.is_paused = False
    play.say("resumed", "Marksies")


def may_switch(play: Play, event: SwitchCap) -> bool:
    """Switchsies: a damaged cap always; at will never, when one's turn begins, or any time, as agreed."""
    at_turns_begin = event.player == play.turn and play.shots == 0
    at_will = {"no": False, "turn": at_turns_begin, "any": True}[play.options.switchsies]
    return event.reason == "damaged" or at_will


def switch_cap(play: Play, event: SwitchCap) -> None:
    """Switchsies: the player goes on with another cap."""
    play.say("cap_switched", "Switchsies", player=event.player, reason=event.reason)


def leave(play: Play, name: str) -> None:
    """1.1: decision by local convention: whoever goes home is out of the game; his turn ends."""
    dead(play, name, status="left")
    play.undo = None
    play.say("left", "1.1", player=name)
    if not last_player_remaining(play) and name == play.turn:
        end_turn(play, "left")


def join(play: Play, name: str) -> None:
    """1.1: decision by agreement: a player joins late, or comes back, as the last in order and from 1 forwards."""
    play.players.pop(name, None)
    play.players[name] = Player(name=name, team=team_short_of_players(play))
    play.undo = None
    play.say("joined", "1.1", player=name)


def team_short_of_players(play: Play) -> int | None:
    """1.0: decision: a player who joins late goes to the team with the fewest still in, the first of several."""
    sides = [player.team for player in play.still_in]
    return min(range(play.options.teams), key=sides.count, default=None)
