"""Moments: how things stood publicly before an entry, for who says what happened then."""

from typing import Any

from linesies import rules
from linesies.referee.retelling import state_before
from linesies.referee.story import Story


def standing_before(story: Story, row: int) -> dict[str, Any] | None:
    """Write the public state that an entry met, None where there is no such entry."""
    entry = story.entry(row)
    if entry is None or story.start is None:
        return None
    return rules.GAMES[story.game_name].public(state_before(story, entry))
