"""A real mosquitto for tests of what is told to a broker; without it the test is skipped."""

import contextlib
import json
import shutil
import socket
import subprocess
import time

import paho.mqtt.client as paho
import pytest

PATIENCE_S = 30.0


class Broker:
    """A real mosquitto on a free port, which may be ended and begun again; remembers what was published."""

    def __init__(self, folder):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.config = folder / "mosquitto.conf"
        self.config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.kept, self.calls = {}, []
        self.begin()

    def begin(self):
        mosquitto = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.process = subprocess.Popen(
            [mosquitto, "-c", str(self.config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.phone = paho.Client(paho.CallbackAPIVersion.VERSION2)
        self.phone.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self.phone.on_message = self.hear
        until_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.phone.connect("127.0.0.1", self.port)
                break
            except OSError:
                assert time.monotonic() < until_s
                time.sleep(0.05)
        self.phone.loop_start()

    def hear(self, _client, _data, message):
        text = message.payload.decode()
        if message.topic.endswith("/call"):
            self.calls.append(json.loads(text))
        else:
            self.kept[message.topic] = text if message.topic.endswith("/online") else json.loads(text or "null")

    def wait_for(self, question):
        until_s = time.monotonic() + PATIENCE_S
        while not question():
            assert time.monotonic() < until_s, (self.kept, self.calls)
            time.sleep(0.02)

    def end(self):
        self.phone.disconnect()
        self.phone.loop_stop()
        self.process.terminate()
        self.process.wait()


@contextlib.contextmanager
def running_broker(folder):
    """A broker that runs while it is needed."""
    if not (shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")):
        pytest.skip("mosquitto is not installed (sudo apt install mosquitto)")
    made = Broker(folder)
    yield made
    made.end()
