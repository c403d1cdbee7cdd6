"""Who sits where at the mat in view: as the game began, and as people have come and gone since. Pure."""

from dataclasses import dataclass

from linesies.calibration import Seating, seat_for, seated, seats_of, sits_after
from linesies.referee.story import Story
from linesies.rules import Json


@dataclass(frozen=True, slots=True)
class Sitting:
    """The seats of a mat, whose each is, and which of these people have gone home."""

    seats: tuple[str, ...]
    seating: Seating
    gone: frozenset[str] = frozenset()

    def after(self, event: Json) -> "Sitting":
        """Give how people sit after an event of the game; only who leaves and who joins changes it."""
        name = str(event.get("player"))
        if event.get("event") == "leave":
            return Sitting(self.seats, self.seating, self.gone | {name})
        seat = self.seat_for(name) if event.get("event") == "join" else None
        if seat is None:
            return self
        return Sitting(self.seats, {**self.seating, seat: name}, self.gone - {name})

    def seat_for(self, name: str) -> str | None:
        """Name the seat that somebody who joins is to take."""
        return seat_for(name, self.seats, self.seating, self.gone)

    def placed(self, join: Json) -> Json:
        """Say of somebody who joins behind whom he sits down; who has a seat of his own comes back to his place."""
        name = str(join["player"])
        seat = self.seat_for(name)
        if seat is None or self.seating.get(seat) == name:
            return join
        return {**join, "after": sits_after(seat, self.seats, self.seating)}


def sitting_of(story: Story) -> Sitting:
    """Tell how the people of the game that is on sit; without a mat nobody has a seat."""
    zones = [region["name"] for region in (story.set_up or {}).get("board", {}).get("regions", ())]
    sitting = Sitting(seats_of(zones), seated(zones, (story.start or {}).get("players", ())))
    for entry in story.entries if sitting.seats else ():
        sitting = sitting.after(entry.acts) if entry.is_effective else sitting
    return sitting
