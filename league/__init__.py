"""The league: many boards, one evening. A hub gathers what boards announced; it never rules anew.

A board stays complete alone. What it and a hub say to one another stands in `wire.py`, who a board is in `identity.py`;
both are all that a board needs. The hub is the rest: `chain.py` says which rows join on to those it holds, `store.py`
keeps them in PostgreSQL, `standings.py` folds them, `hub.py` answers boards and shows people. Tournaments are told by
`tournament/` from what `schedule.py` keeps; `organising.py` is the organiser's door.
"""

from linesies.league.identity import Identity, is_signed
from linesies.league.wire import HubAnswer, Joining, Leaving, Pushed, Refusal, Told

__all__ = ["HubAnswer", "Identity", "Joining", "Leaving", "Pushed", "Refusal", "Told", "is_signed"]
