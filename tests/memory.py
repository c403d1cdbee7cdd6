"""What processes hold of memory together, as /proc/*/smaps tells it (Linux).

What is theirs alone, and what they have copied, is added up by proportional shares. Of a file's pages, a library's
above all, each piece is counted once, as large as the process has it that holds most of it. So the sum does not depend
on who else on this machine happens to use the same libraries, as the plain sum of shares does.
"""

import re
from contextlib import suppress
from pathlib import Path

AREA = re.compile(r"^[0-9a-f]+-[0-9a-f]+ \S+ ([0-9a-f]+) \S+ \d+ *(.*)$")


def areas_of(process_id):
    """A process's areas of memory: what file's, from where on, and kB by kind; none once it is gone."""
    areas = []
    with suppress(OSError):
        for line in Path(f"/proc/{process_id}/smaps").read_text().splitlines():
            if found := AREA.match(line):
                areas.append((found[2] if found[2].startswith("/") else "", found[1], {}))
            elif (told := line.split())[-1] == "kB":
                areas[-1][2][told[0].rstrip(":")] = int(told[1])
    return areas


def held_mb(process_ids):
    """The processes' memory together, in MB of 1024 kB, and each one's part that is not a file's."""
    files, own_kb = {}, dict.fromkeys(process_ids, 0)
    for number in process_ids:
        mapped = {}
        for name, offset, kb in areas_of(number):
            own_kb[number] += kb["Pss"] if not name else kb["Anonymous"]
            if name:
                mapped[name, offset] = mapped.get((name, offset), 0) + kb["Rss"] - kb["Anonymous"]
        for area, kb in mapped.items():
            files[area] = max(files.get(area, 0), kb)
    own_mb = {number: kb / 1024 for number, kb in own_kb.items()}
    return sum(own_mb.values()) + sum(files.values()) / 1024, own_mb
