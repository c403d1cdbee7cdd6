"""Hit: who was hit in a shot, and what that does to the victim (3.0, 3.2.0, 3.3.1)."""

from msgspec import Struct

from linesies.rules.skully.board import BOX_OF, TRAPEZOIDS, WORDS, target_after
from linesies.rules.skully.events import ShotEvent
from linesies.rules.skully.play import Play
from linesies.rules.skully.skull import freed, stuck_in_skull
from linesies.rules.skully.state import Player


class MovedVictim(Struct, frozen=True):
    """A victim as he stood before the shot, and where his cap came to rest; None if it did not move."""

    victim: Player
    rest: str | None
    are_lines_skull: bool = False

    @property
    def trapezoid(self) -> str | None:
        """3.3.1: the trapezoid it lay in, None if in none.

        Where the lines are the skull's: of one stuck upon them, the trapezoid in which it last lay completely.
        """
        at, home = self.victim.at, self.victim.home
        return next((place for place in (at, home if self.victim.is_stuck else None) if place in TRAPEZOIDS), None)

    @property
    def stays_in_skull(self) -> bool:
        """3.3.1: it was stuck, and is not out of the skull; its lines belong to it where that was agreed on."""
        lines = ("skull_line",) if self.are_lines_skull else ()
        return self.victim.is_stuck and self.rest in (*TRAPEZOIDS, *lines)

    @property
    def has_left_trapezoid(self) -> bool:
        """3.3.1: it lay entirely in a trapezoid and left it; decision: be it for a line of the skull.

        Where those lines are the skull's, one stuck must leave them, too.
        """
        if self.rest in (None, self.victim.at) or (self.are_lines_skull and self.stays_in_skull):
            return False
        return self.trapezoid is not None

    @property
    def gains_target(self) -> bool:
        """3.2.0: it was hit into the box that its player goes for.

        Decision: moved within the box it already lay in, it gains nothing; nor by a hit into the trapezoid of a word.
        """
        return self.rest not in (None, self.victim.at) and self.rest == BOX_OF.get(self.victim.going_for)


def hits_of(play: Play, shot: ShotEvent) -> list[MovedVictim]:
    """3.3.1, Hit: every cap hit but the shooter's own.

    Decision: each counts once, however often and through however many others it was hit; all are the shooter's.
    """
    names = dict.fromkeys(victim for _, victim in shot.hits if victim != shot.player)
    return [hit_of(play, play.players[name], shot.rest.get(name)) for name in names]


def hit_of(play: Play, victim: Player, rest: str | None) -> MovedVictim:
    """3.3.1: a victim and its rest, read by whose the lines of the skull are."""
    return MovedVictim(victim, rest, play.options.gives_lines_to_the_skull)


def bad_hits(play: Play, shot: ShotEvent) -> str | None:
    """Hit, 3.0: say what cannot be true of a shot, None if all can.

    Decision: every cap that lies somewhere can be hit, also behind the start line, out of town or off the board.
    """
    touched = {shot.player}
    for by, victim in shot.hits:
        if by not in touched:
            return f"{by} hits before being hit"
        if by == victim:
            return f"{by} cannot hit himself"
        if play.players[victim].at in ("hand", "out"):
            return f"the cap of {victim} does not lie there to be hit"
        touched.add(victim)
    if shot.player not in shot.rest:
        return f"where did the cap of {shot.player} come to rest?"
    stray = next((name for name in shot.rest if name not in touched), None)
    return f"the cap of {stray} moved without being hit" if stray is not None else None


def killers_hit(hits: list[MovedVictim]) -> list[str]:
    """3.3.1: name the killers among the victims, in order of contact."""
    return [hit.victim.name for hit in hits if hit.victim.is_killer]


def effects(play: Play, by: str, hit: MovedVictim) -> None:
    """3.0, 3.2.0, 3.3.1: the victim lies where it was hit to; it may be freed, stuck, or in the box it goes for.

    Decision: a killer is never stuck, and the board gives him nothing.
    """
    victim, rest = hit.victim, hit.rest
    if rest is None:
        return
    play.change(victim.name, at=rest, home=rest if rest == victim.home else None)
    if victim.is_killer:
        return
    if hit.stays_in_skull:
        stays_stuck(play, hit)
    elif victim.is_stuck:
        freed(play, victim.name, by)
    elif rest in TRAPEZOIDS and rest != victim.at and victim.going_for not in WORDS:
        stuck_in_skull(play, victim.name)
    if hit.gains_target:
        hit_into_the_box_he_goes_for(play, victim)


def stays_stuck(play: Play, hit: MovedVictim) -> None:
    """3.3.1: it remains stuck; where the lines are the skull's, it is at home where it last lay completely."""
    if hit.are_lines_skull:
        play.change(hit.victim.name, home=hit.rest if hit.rest in TRAPEZOIDS else hit.trapezoid)


def hit_into_the_box_he_goes_for(play: Play, victim: Player) -> None:
    """3.2.0: a player obtains the box when his cap is hit into it by another, and may use it when his turn comes."""
    box = victim.going_for
    play.change(victim.name, made=box, going_for=target_after(box), home=BOX_OF[box])
    box_made(play, victim.name, box, by="hit")


def box_made(play: Play, name: str, target: str, *, by: str) -> None:
    """3.2.1 from Start to 2, 3.2.2 from there on, 3.2.3 going for killer: the box is obtained."""
    rule = {"1f": "3.2.1", "2f": "3.2.1", "13k": "3.2.3"}.get(target, "3.2.2")
    play.say("box_made", rule, player=name, box=target, by=by)
