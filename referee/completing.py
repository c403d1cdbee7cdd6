"""Completing orders: each is checked against the story, and told as fully as the journal is to have it.

What a player may not do alone is completed with who is `asked` and who has `agreed`; somebody's *agree* or *decline*
answers it, and the order by which the last one agrees is the order itself. A player's appeal is answered the same way;
once it is decided, the order is the correction itself, or *deny*: see `appeals`.
"""

from linesies.referee.appeals import new_appeal
from linesies.referee.game_orders import complete_on_game
from linesies.referee.motions import answer, move
from linesies.referee.orders import Agree, AnyOrder, Appeal, Decline, OwnersOrder
from linesies.referee.owner_orders import complete_owners
from linesies.referee.rows import Ordered
from linesies.referee.saying import Saying
from linesies.referee.story import Story


def complete(order: AnyOrder, story: Story, player: str | None) -> Ordered | Saying:
    """Complete an order given by a player, or by somebody who needs no agreement (None); or say why it makes no sense.

    Without `asked` it acts at once.
    """
    if isinstance(order, OwnersOrder):
        return complete_owners(order, story) if player is None else Saying("referee_only")
    if story.start is None:
        return Saying("no_game")
    if isinstance(order, Agree | Decline):
        return answer(order, story, player)
    if isinstance(order, Appeal):
        return new_appeal(order, story, player)
    told = complete_on_game(order, story)
    if isinstance(told, Saying) or player is None:
        return told
    return move(told, story, player)
