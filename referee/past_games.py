"""The games that a journal holds, one after the other."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from linesies.referee.folding import fold
from linesies.referee.rows import Row
from linesies.referee.story import Story


@dataclass(frozen=True, slots=True)
class Games:
    """What is folded so far: games that others followed, and the story that goes on."""

    past: tuple[Story, ...] = ()
    story: Story = field(default_factory=Story)

    def told_on(self, rows: Iterable[Row]) -> "Games":
        """Fold further rows."""
        past, story = list(self.past), self.story
        for row in rows:
            if row.kind == "start" and story.start is not None:
                past.append(story)
            story = fold([row], story)
        return Games(tuple(past), story)

    @property
    def all(self) -> tuple[Story, ...]:
        """List all games that have begun, the oldest first."""
        return self.past if self.story.start is None else (*self.past, self.story)


def games_of(rows: Iterable[Row]) -> tuple[Story, ...]:
    """Fold a whole journal into its games, the oldest first."""
    return Games().told_on(rows).all
