"""Going for killer (3.2.3): round the skull with "I'm a killer diller", one word for each trapezoid."""

from linesies.rules.skully.board import GOING_FOR_KILLER, TRAPEZOIDS, WORDS, target_after, target_before
from linesies.rules.skully.hits import MovedVictim, effects, killers_hit
from linesies.rules.skully.killer import hit_a_killer_and_youre_dead, killer_made
from linesies.rules.skully.play import Play
from linesies.rules.skully.state import Player
from linesies.rules.skully.turns import end_turn, shoot_again


def shot_for_a_word(play: Play, shooter: Player, hits: list[MovedVictim], rest: str) -> None:
    """3.2.3: the four shots must be made; hits earn nothing and cost nothing, unless hitting a killer is deadly."""
    killers = killers_hit(hits)
    is_deadly = bool(killers) and play.options.kills_for_hitting_a_killer
    is_made = not is_deadly and is_right_trapezoid(play, shooter, rest)
    if is_made:
        word_made(play, shooter, rest)
    elif not is_deadly:
        killer_failed(play, shooter.name)
    for hit in hits:
        hit_no_bonus(play, shooter.name, hit)
    if is_deadly:
        hit_a_killer_and_youre_dead(play, shooter.name, killers[0])
        if not play.is_over:
            end_turn(play, "eliminated")
    elif not is_made:
        end_turn(play, "killer_failed")
    elif shooter.going_for == "k4":
        killer_made(play, shooter.name, by="words")
    else:
        shoot_again(play, shooter.name)


def is_right_trapezoid(play: Play, shooter: Player, rest: str) -> bool:
    """3.2.3: one word for each trapezoid; decision: round in their order, or in any, as agreed."""
    if play.options.killer_round == "any_order":
        return rest in TRAPEZOIDS and rest not in shooter.words
    return rest == TRAPEZOIDS[list(WORDS).index(shooter.going_for)]


def word_made(play: Play, shooter: Player, rest: str) -> None:
    """3.2.3: one word for each trapezoid; the cap may be shifted within it before the next."""
    made = shooter.going_for
    play.change(shooter.name, made=made, going_for=target_after(made), home=rest, words=(*shooter.words, rest))
    play.say("word_made", "3.2.3", player=shooter.name, word=WORDS[made], at=rest)


def killer_failed(play: Play, name: str) -> None:
    """3.2.3: who fails to make the four shots must go for killer again from scratch.

    Decision: missing a word he is not stuck, wherever his cap lies.
    """
    made = target_before(GOING_FOR_KILLER)
    play.change(name, going_for=GOING_FOR_KILLER, made=made, home=None, words=())
    play.say("killer_failed", "3.2.3", player=name)


def hit_no_bonus(play: Play, shooter: str, hit: MovedVictim) -> None:
    """3.2.3: all hitting bonuses are disallowed; decision: no penalty either, and the victim keeps what it gains."""
    play.say("hit_no_bonus", "3.2.3", player=shooter, victim=hit.victim.name)
    effects(play, shooter, hit)
