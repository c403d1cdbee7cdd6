"""The house: what the people of a game agreed on beside the game's own rules."""

import msgspec

from linesies.referee.orders import House
from linesies.referee.story import Story


def house_of(story: Story) -> House:
    """Tell what this game's people agreed on."""
    return msgspec.convert((story.set_up or {}).get("appeals", {}), House)
