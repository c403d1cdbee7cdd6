"""From Start to 2 (3.2.1): whoever hits another cap before he has reached 2 forwards starts over."""

from msgspec.structs import replace

from linesies.rules.skully.board import EARLY
from linesies.rules.skully.events import Choice
from linesies.rules.skully.hits import MovedVictim, effects, hit_of, killers_hit
from linesies.rules.skully.killer import hit_a_killer_and_youre_dead
from linesies.rules.skully.play import Play
from linesies.rules.skully.state import ChoiceDue, Player
from linesies.rules.skully.turns import end_turn, end_turn_of_the_stuck


def is_early(play: Play, shooter: Player, hits: list[MovedVictim]) -> bool:
    """3.2.1: nobody may hit others to get a box until he has reached 2 forwards.

    Decision: a hit on the way into 2 is early, contact comes first; this binds the hitter, whoever the victim is.
    """
    return bool(hits) and shooter.going_for in EARLY and play.options.early_hits == "start_over"


def early_hit(play: Play, shooter: Player, hits: list[MovedVictim], *, in_turn: bool) -> None:
    """3.2.1: he forfeits his turn and starts over; the victim has the choice to stay or to go back.

    Decision: bonuses are barred, penalties are not: hitting a killer may be deadly, but makes no killer.
    """
    play.say("early_hit", "3.2.1", player=shooter.name, victims=[hit.victim.name for hit in hits])
    killers = killers_hit(hits)
    if killers and play.options.kills_for_hitting_a_killer:
        hit_a_killer_and_youre_dead(play, shooter.name, killers[0])
        if play.is_over:
            return
    else:
        start_over(play, shooter.name)
    for hit in hits:
        choice_due(play, shooter.name, hit, ends_turn=in_turn)
    if in_turn and not play.choices:
        end_turn(play, "early_hit")


def start_over(play: Play, name: str) -> None:
    """3.2.1: he must start over; decision: from behind the start line, going for 1 forwards."""
    play.change(name, status="playing", going_for="1f", made=None, at="start", home=None)
    play.say("start_over", "3.2.1", player=name)


def choice_due(play: Play, by: str, hit: MovedVictim, *, ends_turn: bool) -> None:
    """3.2.1: the victim may leave his cap where it is or return it; decision: each that moved; all else waits."""
    victim = hit.victim
    if hit.rest is None:
        return
    play.change(victim.name, at=hit.rest)
    play.awaiting.append(ChoiceDue(victim.name, by, victim.at, ends_turn))
    play.say("choice_due", "3.2.1", player=victim.name, back=victim.at)


def victim_chooses(play: Play, due: ChoiceDue, event: Choice) -> None:
    """3.2.1: the victim of an early hit chooses; after the last choice the hitter's turn ends."""
    play.awaiting.remove(due)
    if event.choice == "stay":
        victim_stays(play, due)
    else:
        victim_back(play, due)
    if not due.ends_turn:
        end_turn_of_the_stuck(play)
    elif not play.choices:
        end_turn(play, "early_hit")


def victim_stays(play: Play, due: ChoiceDue) -> None:
    """3.2.1: the cap stays where it is, with all that a hit does."""
    victim = play.players[due.player]
    play.say("victim_stays", "3.2.1", player=victim.name, at=victim.at)
    effects(play, due.by, hit_of(play, replace(victim, at=due.back), victim.at))


def victim_back(play: Play, due: ChoiceDue) -> None:
    """3.2.1: the cap returns to its original place."""
    play.change(due.player, at=due.back)
    play.say("victim_back", "3.2.1", player=due.player, at=due.back)
