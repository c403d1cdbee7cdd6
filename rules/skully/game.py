"""Skully as a game: what it begins with, which events it takes in which order of refusal, what it announces."""

from collections.abc import Callable, Mapping
from typing import Any

from linesies.rules.errors import BadStart
from linesies.rules.game import Refused, Ruling
from linesies.rules.options import read_options, read_players
from linesies.rules.skully.corrections import correct
from linesies.rules.skully.early import victim_chooses
from linesies.rules.skully.events import (
    FORMS,
    Choice,
    Correct,
    DoOver,
    Event,
    Foul,
    Join,
    Leave,
    Pause,
    PlacedEvent,
    Resume,
    ShotEvent,
    SwitchCap,
    names_in,
    player_of,
    read_event,
)
from linesies.rules.skully.hits import bad_hits, hits_of
from linesies.rules.skully.options import OPTIONS, PRESETS, Options
from linesies.rules.skully.orders import (
    blast,
    foul,
    is_tolerated,
    join,
    leave,
    may_stand_at,
    may_switch,
    moved_in_pause,
    pause,
    placed,
    resume,
    switch_cap,
    tolerated,
)
from linesies.rules.skully.play import Play
from linesies.rules.skully.shots import shot
from linesies.rules.skully.state import Player, State, public
from linesies.rules.words.skully import ENGLISH

Outcome = tuple[State, tuple[Ruling, ...]] | Refused


class Skully:
    """The street game with bottle caps, by the needlessly detailed rules."""

    name = "skully"
    version = 1
    state_type = State
    options = OPTIONS
    presets = PRESETS
    forms = FORMS
    words = ENGLISH

    def start(self, config: Mapping[str, Any]) -> tuple[State, tuple[Ruling, ...]]:
        """1.0, 3.1: two or more players in the agreed order; the first begins. BadStart says what is wrong."""
        names = read_players(config, least=2)
        agreed = read_options(config, OPTIONS)
        agreed["skull_numbers"] = tuple(agreed["skull_numbers"])
        fault = bad_teams(agreed["teams"], len(names))
        if fault:
            raise BadStart(fault)
        teams = agreed["teams"]
        players = tuple(Player(name=name, team=seat % teams if teams else None) for seat, name in enumerate(names))
        return State(options=Options(**agreed), players=players, turn=names[0]), ()

    def apply(self, state: State, event: Any) -> Outcome:
        """Rule on one event; see the contract's table for each event and what it is refused for."""
        read = read_event(event)
        if isinstance(read, Refused):
            return read
        return gate(state, read) or RULES[type(read)](state, read)

    def public(self, state: State) -> dict[str, Any]:
        """Write the whole public state."""
        return public(state)

    def view(self, state: State, player: str) -> dict[str, Any]:  # noqa: ARG002 - nothing in Skully is hidden
        """Write what a player may know: everything."""
        return public(state)


def bad_teams(teams: int, players: int) -> str | None:
    """1.0: say why so many players make no such teams; turns alternate, so each team has as many as the others."""
    if not teams or (players % teams == 0 and players > teams):
        return None
    return f'option "teams" {teams} needs {2 * teams}, {3 * teams}, ... players, not {players}'


def gate(state: State, event: Event) -> Refused | None:
    """Refuse what no event may do now, whatever else it says."""
    if state.turn is None:
        return Refused("game_over")
    if state.is_paused and not isinstance(event, Resume):
        return Refused("paused")
    players = {player.name: player for player in state.players}
    stranger = next((name for name in sorted(names_in(event)) if name not in players), None)
    if stranger is not None:
        return Refused("unknown_player", {"player": stranger})
    name = player_of(event)
    if name is not None and not isinstance(event, Join) and not players[name].is_in:
        return Refused("player_out", {"player": name})
    if state.phase == "choice" and not isinstance(event, Choice | DoOver | Pause | Resume):
        return Refused("awaiting_choice", {"players": [due.player for due in Play(state).choices]})
    return None


def done(play: Play) -> Outcome:
    """Give the new state and what was announced."""
    return play.frozen(), tuple(play.rulings)


def apply_shot(state: State, event: ShotEvent) -> Outcome:
    """3.2.0: a shot, remembered for a do-over."""
    play = Play(state)
    if play.players[event.player].at == "hand":
        return Refused("must_place", {"player": event.player})
    fault = bad_hits(play, event)
    if fault:
        return Refused("bad_hits", {"fault": fault})
    is_blast = any(hit.rest == "off" for hit in hits_of(play, event))
    play.remember(event.player, state, is_blast=is_blast)
    shot(play, event)
    return done(play)


def apply_placed(state: State, event: PlacedEvent) -> Outcome:
    """3.2.0, 3.2.2: placing by hand, on one's turn, into a box obtained or within it."""
    play = Play(state)
    if event.player != play.turn:
        return Refused("not_your_turn", {"player": event.player})
    box = play.placing.box if play.placing is not None else play.players[event.player].home
    if box is None:
        return Refused("not_in_box", {"player": event.player})
    if not may_stand_at(play, box, event):
        return Refused("bad_place", {"box": box})
    placed(play, box, event)
    return done(play)


def apply_choice(state: State, event: Choice) -> Outcome:
    """3.2.1: the victim of an early hit says what becomes of his cap."""
    play = Play(state)
    due = next((due for due in play.choices if due.player == event.player), None)
    if due is None:
        return Refused("no_choice", {"player": event.player})
    victim_chooses(play, due, event)
    return done(play)


def apply_foul(state: State, event: Foul) -> Outcome:
    """3.2.0: an undue touch, remembered for a do-over, or tolerated."""
    play = Play(state)
    if event.kind == "false_start" and play.players[event.player].at == "hand":
        return Refused("must_place", {"player": event.player})
    if is_tolerated(play, event):
        tolerated(play, event)
    else:
        play.remember(event.player, state)
        foul(play, event)
    return done(play)


def apply_do_over(state: State, event: DoOver) -> Outcome:
    """Do-over, Blastsies: the state from just before the last shot or foul, once."""
    play = Play(state)
    if play.undo is None:
        return Refused("nothing_to_redo")
    refusal = blast(play, event)
    if refusal:
        return Refused(refusal)
    play.say(
        "do_over", "Blastsies" if event.reason == "blast" else "Do-over", player=play.undo.player, reason=event.reason
    )
    return play.undo.before, tuple(play.rulings)


def apply_pause(state: State, event: Pause) -> Outcome:  # noqa: ARG001 - a pause says nothing more
    """Marksies: play stops, if that was agreed on."""
    play = Play(state)
    if not play.options.marksies:
        return Refused("no_marksies")
    pause(play)
    return done(play)


def apply_resume(state: State, event: Resume) -> Outcome:
    """Marksies: play goes on with every cap where it was."""
    play = Play(state)
    if not play.is_paused:
        return Refused("not_paused")
    moved = moved_in_pause(play, event)
    if moved is not None:
        return Refused("moved_in_pause", {"player": moved})
    resume(play)
    return done(play)


def apply_switch_cap(state: State, event: SwitchCap) -> Outcome:
    """Switchsies: another cap, if that was agreed on or the old one is damaged."""
    play = Play(state)
    if not may_switch(play, event):
        return Refused("no_switchsies", {"player": event.player})
    switch_cap(play, event)
    return done(play)


def apply_leave(state: State, event: Leave) -> Outcome:
    """1.1: a player leaves."""
    play = Play(state)
    leave(play, event.player)
    return done(play)


def apply_join(state: State, event: Join) -> Outcome:
    """1.1: a player joins late, or comes back after leaving; who was eliminated does not."""
    play = Play(state)
    known = play.players.get(event.player)
    if known is not None and known.is_in:
        return Refused("already_in", {"player": event.player})
    if known is not None and known.status != "left":
        return Refused("player_out", {"player": event.player})
    join(play, event.player)
    return done(play)


def apply_correct(state: State, event: Correct) -> Outcome:
    """1.1: people set the game right."""
    play = Play(state)
    fault = correct(play, event)
    return Refused("bad_correction", {"fault": fault}) if fault else done(play)


RULES: Mapping[type, Callable[[State, Any], Outcome]] = {
    ShotEvent: apply_shot,
    PlacedEvent: apply_placed,
    Choice: apply_choice,
    Foul: apply_foul,
    DoOver: apply_do_over,
    Pause: apply_pause,
    Resume: apply_resume,
    SwitchCap: apply_switch_cap,
    Leave: apply_leave,
    Join: apply_join,
    Correct: apply_correct,
}

SKULLY = Skully()
