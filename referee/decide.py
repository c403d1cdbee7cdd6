"""What follows from something seen or ordered: the rows to be written. Pure; `referee` writes and announces them.

A cause is what vision saw, or an order with who gave it. Its way runs forward: it is made into rows, the story is told
on with them, and then everything is ruled on that waits for nobody. What can't be ruled on yet is held, in its order.
"""

from dataclasses import dataclass

from linesies.referee.consequences import beginning
from linesies.referee.doubt import Elsewhere, Policy, ask_people
from linesies.referee.folding import foretold
from linesies.referee.heeding import heed
from linesies.referee.rows import Draft, Submitted
from linesies.referee.ruling import rulings_on
from linesies.referee.story import Story
from linesies.referee.testimony import Seen, testify
from linesies.rules import Json

Cause = Seen | Submitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What decisions rest on beside the story: the number of the next row, the second readings, the settings."""

    first: int
    elsewhere: Elsewhere
    policy: Policy = ask_people


def decide(story: Story, cause: Cause, at: Circumstances) -> tuple[Draft, ...]:
    """Write what follows from a cause, with all that can be ruled on after it."""
    if isinstance(cause, Submitted):
        drafts = heed(story, cause, at.first)
    else:
        drafts = testify(story, cause, at.first, elsewhere=at.elsewhere, policy=at.policy)
    return (*drafts, *rulings_on(foretold(story, drafts, at.first)))


def begin(story: Story, set_up: Json, start: Json, first: int) -> tuple[Draft, ...]:
    """Write the rows that begin a game, the first of that number; raises rules.BadStart."""
    drafts = beginning(story, first, set_up, start)
    return (*drafts, *rulings_on(foretold(story, drafts, first)))
