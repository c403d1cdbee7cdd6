"""A shot (3.2.0): by whom, in turn or out of turn, and going for what."""

from linesies.rules.skully.board import TRAPEZOIDS, WORDS
from linesies.rules.skully.early import early_hit, is_early
from linesies.rules.skully.events import ShotEvent
from linesies.rules.skully.forwards import shot_for_a_box
from linesies.rules.skully.hits import MovedVictim, effects, hits_of, killers_hit
from linesies.rules.skully.killer import hit_a_killer, hit_a_killer_and_youre_dead, killers_shot
from linesies.rules.skully.killer_round import killer_failed, shot_for_a_word
from linesies.rules.skully.play import Play
from linesies.rules.skully.skull import stuck_in_skull
from linesies.rules.skully.state import Player
from linesies.rules.skully.turns import end_turn_of_the_stuck, out_of_turn


def shot(play: Play, event: ShotEvent) -> None:
    """3.2.0: the player flicks his cap; it counts for what he goes for, if it is his turn."""
    shooter = play.players[event.player]
    hits = hits_of(play, event)
    rest = event.rest[event.player]
    behind_the_start_line(play, shooter, event)
    if shooter.name == play.turn:
        play.shots += 1
        shot_in_turn(play, shooter, hits, rest)
    else:
        out_of_turn(play, shooter.name)
        shot_out_of_turn(play, shooter, hits, rest)


def behind_the_start_line(play: Play, shooter: Player, event: ShotEvent) -> None:
    """3.2.1: players begin from anywhere behind the Start line; decision: one who did not is told so, no more."""
    if event.behind_start is False and shooter.at == "start":
        play.say("not_behind_start", "3.2.1", player=shooter.name)


def shot_in_turn(play: Play, shooter: Player, hits: list[MovedVictim], rest: str) -> None:
    """3.2: advancing through the game; what a shot does depends on what the shooter goes for."""
    play.change(shooter.name, at=rest, home=None)
    killers = killers_hit(hits)
    if shooter.is_killer:
        killers_shot(play, shooter, hits, rest)
    elif shooter.going_for in WORDS:
        shot_for_a_word(play, shooter, hits, rest)
    elif is_early(play, shooter, hits):
        early_hit(play, shooter, hits, in_turn=True)
    elif killers:
        hit_a_killer(play, shooter, hits, killers)
    else:
        shot_for_a_box(play, shooter, hits, rest)


def shot_out_of_turn(play: Play, shooter: Player, hits: list[MovedVictim], rest: str) -> None:
    """3.1, 3.0: a shot out of turn.

    Decision: it earns nothing but may cost; what it moves stays moved, and others keep what they gain.
    """
    if not shooter.is_stuck:
        play.change(shooter.name, at=rest, home=None)
    if is_early(play, shooter, hits):
        early_hit(play, shooter, hits, in_turn=False)
        return
    is_for_a_word = shooter.going_for in WORDS
    if is_for_a_word:
        killer_failed(play, shooter.name)
    for hit in hits:
        effects(play, shooter.name, hit)
    killers = killers_hit(hits)
    if killers and not shooter.is_killer and play.options.kills_for_hitting_a_killer:
        hit_a_killer_and_youre_dead(play, shooter.name, killers[0])
    elif shooter.status == "playing" and rest in TRAPEZOIDS and not is_for_a_word:
        stuck_in_skull(play, shooter.name)
    end_turn_of_the_stuck(play)
