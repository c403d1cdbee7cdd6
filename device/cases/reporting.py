"""What a sweep came to, in words: how many calls are as they were, and each that today's program would change."""

import base64
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from string import Template

import cv2

from linesies.device.cases.archives import open_archive
from linesies.device.cases.case import read_case_in
from linesies.device.cases.picturing import case_picture
from linesies.device.cases.rejudging import TOO_LITTLE
from linesies.device.cases.results import Line
from linesies.device.errors import BadInput

CHANGES = {
    "same": "the same to the last bit",
    "moved": "on the same side, by other numbers",
    "certain": "too close then, certain now",
    "doubtful": "certain then, too close now",
    "flipped": "called otherwise",
    "not_seen": "no cap seen now",
    "unreadable": "cannot be measured",
}
UNCHANGED = ("same", "moved")
TOLD = 20  # changes that are told one by one
DRAWN = 200  # changes on a page, the gravest first
PAGE = Template("""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Calls measured again</title>
<style>body{font:1rem/1.5 system-ui;max-width:70rem;margin:2rem auto;padding:0 1rem}ul{padding:0}
li{list-style:none;display:inline-block;width:20rem;vertical-align:top;margin:0 1rem 2rem 0}img{width:100%}</style>
<h1>Calls measured again</h1>$summary<ul>$cases</ul></html>
""")


@dataclass(slots=True)
class Report:
    """What is told of lines, which are taken one by one and not kept but for those that changed."""

    count: int = 0
    same_program: int = 0
    settled: int = 0
    wrong: int = 0
    unasked: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    changed: list[Line] = field(default_factory=list)

    def take(self, line: Line) -> None:
        """Take one more."""
        self.count += 1
        self.same_program += line["same_program"]
        self.settled += line["settled"] is not None
        self.wrong += line["wrong"]
        self.unasked += line["why"] == TOO_LITTLE
        self.changes[line["change"]] += 1
        if line["change"] not in UNCHANGED:
            self.changed.append(line)

    def summary(self) -> Iterator[str]:
        """Say how many there are of each kind."""
        yield f"{self.count} calls measured again, {self.same_program} of them by the program that called them"
        yield from (f"{self.changes[change]:6} {words}" for change, words in CHANGES.items() if self.changes[change])
        if self.unasked:
            yield f"{self.unasked:6} keep too little of the picture to ask whether a cap lies there"
        if self.settled:
            settled = f"{self.settled:6} were settled by people"
            yield f"{settled}, of which {self.wrong} are called with certainty otherwise now"

    def told(self) -> Iterator[str]:
        """Say all that a terminal shows."""
        yield from self.summary()
        yield from (f"{line['case']}: {words_of(line)}" for line in self.changed[:TOLD])
        if len(self.changed) > TOLD:
            yield f"and {len(self.changed) - TOLD} more; --results keeps them all"


def report_of(lines: Iterable[Line]) -> Report:
    """Take all of these."""
    report = Report()
    for line in lines:
        report.take(line)
    return report


def by_program(lines: Iterable[Line]) -> dict[str, Report]:
    """Take all of these, apart by the program that measured them."""
    reports: dict[str, Report] = {}
    for line in lines:
        reports.setdefault(line["program"], Report()).take(line)
    return reports


def words_of(line: Line) -> str:
    """Say how a call has changed."""
    how = f" ({line['why']})"
    if line["was"] is not None and line["now"] is not None:
        was, now = line["was"], line["now"]
        how = f": {was['location']} {was['gap']:+.2f} mm, now {now['location']} {now['gap']:+.2f} mm"
    return f"{CHANGES[line['change']]}{how}"


def page_of(reports: Sequence[Report]) -> str:
    """Make a page of what changed, each with its picture as it was called."""
    summary = "".join(f"<p>{'<br>'.join(map(escape, report.summary()))}</p>" for report in reports)
    changed = sorted((line for report in reports for line in report.changed), key=_grave)[:DRAWN]
    return PAGE.substitute(summary=summary, cases="".join(f"<li>{_shown(line)}</li>" for line in changed))


def _grave(line: Line) -> tuple[bool, int]:
    return not line["wrong"], -list(CHANGES).index(line["change"])


def _shown(line: Line) -> str:
    told = escape(f"{line['case']}: {words_of(line)}" + (f"; settled: {line['settled']}" if line["settled"] else ""))
    try:
        archive = open_archive(line["archive"])
        picture = case_picture(archive, read_case_in(archive, line["case"]))
    except BadInput as fault:
        return f"<p>{told}</p><p>no picture: {escape(str(fault))}</p>"
    data = base64.b64encode(cv2.imencode(".jpg", picture)[1].tobytes()).decode()
    return f'<img alt="" src="data:image/jpeg;base64,{data}"><p>{told}</p>'
