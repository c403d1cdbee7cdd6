"""Tournaments: who plays whom, told from what the organiser has said and from nothing else. Pure.

`told(deeds)` folds a plan, results and departures into all matches drawn so far and, in the end, the ranking. A result
that is taken back or corrected is told anew from there on; what then no longer fits is named, not lost.
"""

from linesies.league.tournament.deeds import Deed, HeadStart, Left, MatchEnded, Missed, TournamentOpened
from linesies.league.tournament.plan import BadPlan, Plan
from linesies.league.tournament.tournament import Standing, Tournament, TournamentMatch, told

__all__ = [
    "BadPlan",
    "Deed",
    "HeadStart",
    "Left",
    "MatchEnded",
    "Missed",
    "Plan",
    "Standing",
    "Tournament",
    "TournamentMatch",
    "TournamentOpened",
    "told",
]
