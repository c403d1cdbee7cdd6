"""Types that several threads read messages as: none of them is met for the first time by two threads at once."""

import subprocess
import sys

READ_AT_ONCE = """
import sys, threading
sys.setswitchinterval(1e-6)
import msgspec
from linesies.referee.known_types import know_types, read_types
from linesies.device.announcers import pushing
from linesies.league import hub
know_types()
for kind in list(read_types()):
    barrier, config = threading.Barrier(4), kind.__struct_config__
    sent = dict.fromkeys(kind.__struct_encode_fields__) | {config.tag_field: config.tag}
    def read():
        barrier.wait()
        try:
            msgspec.convert(sent, kind)
        except (TypeError, msgspec.ValidationError):
            pass
    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_threads_that_read_types_at_once_after_they_are_known_do_not_end_the_process():
    done = subprocess.run([sys.executable, "-c", READ_AT_ONCE], timeout=300, check=False)
    assert done.returncode == 0
