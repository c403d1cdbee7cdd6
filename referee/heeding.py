"""Heeding an order: it is read, completed, and written with its consequences; or why it makes no sense. Pure."""

from collections.abc import Sequence

from linesies.referee.agreement import givers, player_of
from linesies.referee.completing import complete
from linesies.referee.consequences import consequences_of
from linesies.referee.drafting import order_draft, unheeded
from linesies.referee.orders import read_order
from linesies.referee.rows import Draft, Submitted
from linesies.referee.saying import Saying
from linesies.referee.story import Story


def heed(story: Story, sent: Submitted, first: int) -> Sequence[Draft]:
    """Write an order, the first row of that number, and what follows from it but for rulings on what it reports."""
    order = read_order(sent.body)
    player = player_of(sent.origin)
    told = Saying("not_understood", why=order) if isinstance(order, str) else complete(order, story, player)
    if isinstance(told, Saying):
        return unheeded(sent, told, first)
    follows = consequences_of(story, told, givers(sent.origin, told.agreed), first) if told.is_agreed else []
    return [order_draft(sent.origin, told), *follows]
