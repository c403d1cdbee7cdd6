"""A strip of lights at WLED's API, and a real MQTT broker: told what is ruled, and no trouble when they are away."""

import http.server
import json
import socket
import threading
import time

import pytest

from linesies.device.announcers.announcing import Announcers
from linesies.device.announcers.mqtt import Mqtt, entities
from linesies.device.announcers.wled import Wled
from linesies.device.errors import BadInput
from linesies.device.settings.settings import MqttSettings, Settings, WledSettings
from tests.brokers import running_broker
from tests.refereeing import referee_on, row, ruled, shot

PATIENCE_S = 30


class Strip:
    """A strip that answers as WLED does; remembers the states that it was sent."""

    def __init__(self):
        self.states = []
        strip = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                assert self.path == "/json/state"
                assert self.headers["Content-Type"] == "application/json"
                strip.states.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'{"success":true}')

            def log_message(self, *_):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def strip():
    made = Strip()
    yield made
    made.close()


def test_both_are_off_unless_settings_name_them():
    assert Settings().wled.address == ""
    assert Settings().mqtt.broker == ""


def test_the_strip_shows_each_meaning_in_its_colour_and_goes_dark_by_itself(strip):
    wled = Wled(WledSettings(address=strip.address, brightness=90), lit_s=0.05)
    wled.announce([ruled("5")])
    until_s = time.monotonic() + PATIENCE_S
    while len(strip.states) < 2:
        assert time.monotonic() < until_s
        time.sleep(0.01)
    assert strip.states == [{"on": True, "bri": 90, "seg": [{"col": [[0, 200, 120]], "fx": 0}]}, {"on": False}]
    wled.announce([row("proposal", {"event": "shot"})])
    wled.announce([row("order")])
    time.sleep(0.1)
    assert strip.states[2:] == [{"on": True, "bri": 90, "seg": [{"col": [[255, 140, 0]], "fx": 0}]}], "a question stays"
    wled.announce([ruled("open")])
    wled.close()
    assert strip.states[3:] == [{"on": False}, {"on": False}]


def test_a_strip_that_does_not_answer_is_told_and_delays_nobody():
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    announcers = Announcers([Wled(WledSettings(address=f"http://127.0.0.1:{port}"), lit_s=1.0)])
    announcers.announce([ruled("5")])
    announcers.close()
    assert [trouble.who for trouble in announcers.troubles()] == ["wled"]


@pytest.fixture
def broker(tmp_path):
    with running_broker(tmp_path) as broker:
        yield broker


def test_calls_and_state_are_published_and_home_assistant_finds_them(broker, tmp_path):
    path = tmp_path / "journal.sqlite"
    mqtt = Mqtt(MqttSettings(broker="127.0.0.1", port=broker.port, topic="street/1"), str(path))
    broker.wait_for(lambda: broker.kept.get("street/1/online") == "online")
    referee = referee_on(path, mqtt)
    referee.see(shot("ana", "1"))
    referee.see(shot("ana", "2", certain=False))
    broker.wait_for(lambda: broker.kept.get("street/1/state", {}).get("asked") == 1)
    assert broker.kept["street/1/state"] == {
        "game": "skully",
        "phase": referee.story.public["phase"],
        "turn": "ana",
        "winner": None,
        "asked": 1,
    }
    assert [call["code"] for call in broker.calls if call["player"] == "ana"][:1] == ["box_made"]
    assert broker.calls[-1]["rule"]
    referee.tell_camera("camera_lost", "no frame")
    broker.wait_for(lambda: broker.kept.get("street/1/trouble") == {"camera": "no frame"})
    found = {topic: body for topic, body in broker.kept.items() if topic.startswith("homeassistant/")}
    assert len(found) == len(entities("x")) == 4
    for topic, config in found.items():
        assert topic.split("/")[1] in ("sensor", "binary_sensor")
        assert config["availability_topic"] == "street/1/online"
        assert config["state_topic"].startswith("street/1/")
        assert config["unique_id"]
        assert config["device"]["identifiers"] == ["linesies"]
    referee._announcers.close()
    broker.wait_for(lambda: broker.kept["street/1/online"] == "offline")
    referee.journal.close()


def test_what_is_ruled_while_the_broker_is_away_is_published_when_it_is_back(broker, tmp_path):
    path = tmp_path / "journal.sqlite"
    mqtt = Mqtt(MqttSettings(broker="127.0.0.1", port=broker.port), str(path))
    broker.wait_for(lambda: broker.kept.get("linesies/online") == "online")
    referee = referee_on(path, mqtt)
    broker.end()
    until_s = time.monotonic() + PATIENCE_S
    while mqtt._client.is_connected():
        assert time.monotonic() < until_s
        time.sleep(0.02)
    referee.see(shot("ana", "1"))
    troubles = []
    while not troubles:
        assert time.monotonic() < until_s
        troubles = [trouble for trouble in referee.troubles() if trouble.who == "mqtt"]
    assert "no broker answers" in troubles[0].message
    broker.begin()
    broker.wait_for(lambda: any(call["code"] == "box_made" for call in broker.calls))
    referee._announcers.close()
    referee.journal.close()


def test_a_password_is_read_from_its_file_and_named_nowhere(tmp_path):
    secret = tmp_path / "password"
    settings = MqttSettings(broker="127.0.0.1", port=9, user="box", password_file=str(secret))
    with pytest.raises(BadInput, match="password_file"):
        Mqtt(settings, str(tmp_path / "journal.sqlite"))
    secret.write_text("hunter2\n")
    mqtt = Mqtt(settings, str(tmp_path / "journal.sqlite"))
    assert mqtt._client.password == "hunter2"
    assert "hunter2" not in repr(settings)
    mqtt.close()
