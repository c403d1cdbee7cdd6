"""The games that a journal holds, one after the other."""

from collections.abc import Iterable

from device.journal.journal import Row
from device.journal.story import Story, fold


def games_of(rows: Iterable[Row]) -> list[Story]:
    """Fold a whole journal into its games, the oldest first."""
    games: list[Story] = []
    story = Story()
    for row in rows:
        if row.kind == "start" and story.start is not None:
            games.append(story)
        story = fold([row], story)
    return games if story.start is None else [*games, story]
