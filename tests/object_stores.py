"""Stores of objects for tests: one that speaks S3, in a process of its own (moto), and one that never says a word."""

import contextlib
import http.client
import http.server
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from urllib.parse import urlsplit

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
def slow_before(address, *, writing_s):
    """Stand before a store, and let whatever is written take so long; gives the address."""

    class Slow(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # in which the store's libraries ask whether to go on

        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.command == "PUT":
                time.sleep(writing_s)
            with contextlib.closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)) as line:
                line.request(self.command, self.path, body, dict(self.headers))
                answer = line.getresponse()
                told = answer.read()
            self.send_response_only(answer.status, answer.reason)
            for name, value in answer.getheaders():
                if name.lower() not in ("transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(told)

        do_HEAD = do_PUT = do_POST = do_DELETE = do_GET  # noqa: N815 - as the library calls them

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


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
