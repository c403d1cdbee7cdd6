"""Skull: being stuck in it and getting out (3.2.0, 3.3.1)."""

from linesies.rules.skully.play import Play


def stuck_in_skull(play: Play, name: str) -> None:
    """3.2.0, Skull, Dead: a cap that lies completely in the skull is dead until it is struck out.

    Decision: a cap in 13 is not stuck, whatever it goes for.
    """
    play.change(name, status="stuck")
    play.say("stuck_in_skull", "3.2.0", player=name, at=play.players[name].at)


def freed(play: Play, name: str, by: str) -> None:
    """3.3.1, Skull: hit out of the skull, the victim is back in the game; decision: onto its lines is out."""
    play.change(name, status="playing")
    play.say("freed", "3.3.1", player=name, by=by)
