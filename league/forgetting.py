"""Forgetting a person by a tap: the key of his name is shredded, and what he played stays without it or pictures."""

from linesies.league.errors import BadInput
from linesies.league.files import Files
from linesies.league.game_result import is_free
from linesies.league.schedule import Schedule
from linesies.league.standings import Standings
from linesies.league.store import Store, ring


def forget(name: str, *, store: Store, files: Files, schedule: Schedule, standings: Standings) -> bool:
    """Forget whoever is called so; tells whether there was anybody. Raises BadInput for who plays yet.

    What his board tells of him after that would bring the name back.
    """
    known = name.casefold()
    for titled in schedule.tournaments().values():
        entrants = {one.casefold() for one in titled.now.plan.entrants} - {one.casefold() for one in titled.now.gone}
        if titled.now.winner is None and known in entrants:
            raise BadInput(f"{name} takes part in {titled.name}, which is not over; tap “has left” there first")
    for board in standings.boards().values():
        story = standings.story(board)
        if not is_free(story) and known in {one.casefold() for one in story.players}:
            raise BadInput(f"{name} plays at {board.name}; forget after that game")
    files.forget_games_of(name)
    is_done = store.names.forget(name)
    with store.engine.begin() as connection:
        ring(connection)
    return is_done
