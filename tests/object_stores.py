"""Stores of objects for tests: one that speaks S3, in a process of its own (moto), and one that never says a word."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

SETTINGS = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",  # nobody else is asked who we are
}
BUCKET = "league"
STARTS_S = 60


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@contextlib.contextmanager
def s3_server(**settings):
    """Run one with a bucket while it is needed; gives its address and what ends it. Settings are moto's own."""
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-W", "ignore", "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=os.environ | SETTINGS | settings, **quiet) as process:
        try:
            until_s = time.monotonic() + STARTS_S
            while not has_bucket(address):
                assert process.poll() is None
                assert time.monotonic() < until_s
                time.sleep(0.1)
            yield address, process.kill
        finally:
            process.kill()


def has_bucket(address):
    """Make the bucket, once anybody answers."""
    made = urllib.request.Request(f"{address}/{BUCKET}", method="PUT")
    with contextlib.suppress(OSError), urllib.request.urlopen(made, timeout=60):
        return True
    return False


@contextlib.contextmanager
def silent_server():
    """Takes every line, and never says a word; gives its address."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        yield f"http://127.0.0.1:{silent.getsockname()[1]}"


@contextlib.contextmanager
def reached_at(address, **settings):
    """Let `s3://` be what answers at an address."""
    s3fs = pytest.importorskip("s3fs")
    s3fs.S3FileSystem.clear_instance_cache()
    with pytest.MonkeyPatch.context() as environment:
        for name, value in {**SETTINGS, "AWS_ENDPOINT_URL_S3": address, **settings}.items():
            environment.setenv(name, value)
        yield
    s3fs.S3FileSystem.clear_instance_cache()
