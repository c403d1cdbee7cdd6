"""People in front of the referee: they hear his ruling, settle what he asks, and object to what is wrong."""

from typing import Any

from linesies import rules
from linesies.referee.doubt import standing_of
from linesies.referee.entries import NOTHING, Entry, Held
from linesies.simulator.street.bystander import Bystander, Frames, Order
from linesies.simulator.street.truth import Truth
from linesies.simulator.street.umpire import rules_event

SLACK_S = 0.6  # by how much times of first motion and rest may differ


class ByPhone(Bystander):
    """A player on the street with his phone."""

    HEARD_FRAMES = 90
    PATIENCE_FRAMES = 240

    def lies_mm(self) -> dict[str, tuple[float, float]]:
        """Tell where caps lay when the referee last called them, to go on with a game that was broken off."""
        return {player: (call["x"], call["y"]) for player, call in self._story.calls.items()}

    def say(self, event: dict[str, Any]) -> Frames:
        """Tell the referee something that no camera sees, and wait until he has taken it; his questions go first."""
        yield from self._dismiss_questions()
        yield from self._submit({"order": "event", "event": event})
        yield from self._dismiss_questions()

    def _dismiss_questions(self) -> Frames:
        """Answer what is asked about things that nobody meant to do."""
        self._read()
        while self._story.pending:
            yield from [None] * self._thinking_frames
            for held in self._story.pending:
                yield from self._submit(_answer(held, {}, is_meant=False))

    def _dismissal(self, held: Held) -> Order:
        return _answer(held, {}, is_meant=False)

    def _event(self, truth: Truth) -> dict[str, Any]:
        return rules_event(truth)

    def _standing(self, game: str, state: Any) -> Any:
        return standing_of(rules.GAMES[game].public(state))

    def _is_about(self, truth: Truth, event: Any) -> bool:
        if event is None or event.get("event") != truth["event"]:
            return False
        if "t_start" not in event or "t_start" not in truth:
            return True
        return bool(event["t_start"] < truth["t_end"] + SLACK_S and truth["t_start"] < event["t_end"] + SLACK_S)

    def _answers(self, truth: Truth, event: dict[str, Any], told: list[Entry]) -> list[Order]:
        is_told = any(self._is_about(truth, entry.event) for entry in told)
        meant = None if is_told else self._meant(truth)
        return [_answer(held, event, is_meant=held is meant) for held in self._story.pending]

    def _meant(self, truth: Truth) -> Held | None:
        """Find the question about what truly happened, the one with the true shooter first."""
        about = [held for held in self._story.pending if self._is_about(truth, held.event)]
        return min(about, key=lambda held: held.event["player"] != truth["player"], default=None)


def _answer(held: Held, event: dict[str, Any], *, is_meant: bool) -> Order:
    """Settle a question by what truly happened; what did not happen at all is undone afterwards."""
    answers = [answer["event"] for answer in held.question.answers]
    settle = {"order": "settle", "about": held.question.row}
    if is_meant:
        likely = [answer for answer in answers if all(answer.get(key) == value for key, value in event.items())]
        return {**settle, "event": likely[0] if likely else event}
    return {**settle, "event": NOTHING if NOTHING in answers else answers[0]}
