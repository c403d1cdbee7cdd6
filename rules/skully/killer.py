"""Killer (3.2.4): how one becomes one, what a killer does, and what hitting a killer does (3.3.1)."""

from linesies.rules.skully.board import KILLER, is_region
from linesies.rules.skully.hits import MovedVictim, effects
from linesies.rules.skully.play import Play
from linesies.rules.skully.state import Player
from linesies.rules.skully.turns import dead, end_turn, last_player_remaining, shoot_again


def killer_made(play: Play, name: str, *, by: str) -> None:
    """3.2.4 by the words, 3.3.1 by a hit, Out of Town: a new killer goes out of town and stays there.

    Decision: he does not shoot at once, his turn ends.
    """
    play.change(name, status="killer", going_for=KILLER, at="town", home=None, words=())
    play.say("killer_made", "3.2.4" if by == "words" else "3.3.1", player=name, by=by)
    end_turn(play, "made_killer")


def hit_a_killer(play: Play, shooter: Player, hits: list[MovedVictim], killers: list[str]) -> None:
    """3.3.1: hitting a killer earns no box; the hitter becomes a killer at once or is removed, as agreed.

    Decision: through a chain of caps, too.
    """
    for hit in hits:
        effects(play, shooter.name, hit)
    if play.options.kills_for_hitting_a_killer:
        hit_a_killer_and_youre_dead(play, shooter.name, killers[0])
        if not play.is_over:
            end_turn(play, "eliminated")
    else:
        hit_a_killer_be_a_killer(play, shooter.name)


def hit_a_killer_be_a_killer(play: Play, name: str) -> None:
    """3.3.1, Hit a killer, be a killer: the bonus; he goes out of town, and his turn ends."""
    killer_made(play, name, by="hit")


def hit_a_killer_and_youre_dead(play: Play, name: str, killer: str) -> None:
    """3.3.1, Hit a killer and you're dead: the penalty; it may end the game."""
    dead(play, name)
    play.say("eliminated", "3.3.1", player=name, by=killer)
    last_player_remaining(play)


def killers_shot(play: Play, shooter: Player, hits: list[MovedVictim], rest: str) -> None:
    """3.2.4, Killer: a killer eliminates others by hits; missing his prey ends his turn.

    Decision: after an elimination he goes on; hitting only others than his prey is a miss; he is never stuck.
    """
    before = play.streak
    play.streak = {}
    for hit in hits:
        if hit.victim.is_killer:
            killer_eliminates_killer(play, shooter.name, hit.victim.name)
        else:
            consecutive_hit(play, shooter.name, hit, before.get(hit.victim.name, 0) + 1)
    if last_player_remaining(play):
        return
    hit_names = {hit.victim.name for hit in hits}
    goes_on = bool(hits) and (not before or bool(hit_names & before.keys()))
    goes_on = owns_board(play, shooter, rest) or goes_on
    if goes_on:
        shoot_again(play, shooter.name, "3.2.4")
    else:
        end_turn(play, "miss")


def consecutive_hit(play: Play, shooter: str, hit: MovedVictim, count: int) -> None:
    """3.2.4: a non-killer is eliminated by consecutive hits, three unless agreed otherwise.

    Decision: of several hit by one shot each is counted, in order of contact; alive they keep what they gain.
    """
    victim = hit.victim.name
    play.say("killer_hit", "3.2.4", player=shooter, victim=victim, count=count)
    if count >= play.options.killer_hits:
        dead(play, victim)
        play.say("eliminated", "3.2.4", player=victim, by=shooter)
    else:
        play.streak[victim] = count
        effects(play, shooter, hit)


def killer_eliminates_killer(play: Play, shooter: str, victim: str) -> None:
    """3.2.4: a killer eliminates another killer with a single hit."""
    dead(play, victim)
    play.say("eliminated", "3.2.4", player=victim, by=shooter)


def owns_board(play: Play, shooter: Player, rest: str) -> bool:
    """3.2.4, alternate rule: a killer shoots into a box or the skull, may move in it, and goes on.

    Decision: tapping about within the one he came from does not count.
    """
    came_from = shooter.home or shooter.at
    if not play.options.lets_killers_own_the_board or not is_region(rest) or rest == came_from:
        return False
    play.change(shooter.name, home=rest)
    play.say("killer_box", "3.2.4", player=shooter.name, at=rest)
    return True
