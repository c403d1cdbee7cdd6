"""Calls and state for a smart home, through an MQTT broker; Home Assistant finds them by itself (its MQTT discovery).

Topics, below the one from settings:
    online    "online", or "offline" as soon as the broker misses us; kept
    state     {"game", "phase", "turn", "winner", "asked"}; kept, sent whenever it changes
    call      {"row", "player", "code", "rule", "text"}, one message a ruling
    trouble   {"who": "what", ...} that fails beside the game, "camera" among them; kept
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from linesies.device.errors import BadInput
from linesies.device.journal.journal import Journal
from linesies.device.settings.settings import MqttSettings
from linesies.referee.folding import story_of
from linesies.referee.rows import Row
from linesies.referee.saying import messages_of
from linesies.referee.secrets import secret_rows
from linesies.referee.story import Story

ONCE = 1  # at least once: the broker acknowledges
FAREWELL_S = 1.0
DEVICE = {"identifiers": ["linesies"], "name": "Linesies", "model": "camera referee"}


class Mqtt:
    """The announcer at a broker; remembers the story, as the journal tells it, and the state last sent."""

    name = "mqtt"

    def __init__(self, settings: MqttSettings, journal_path: str) -> None:
        self._topic = settings.topic.strip("/")
        self._discovery = settings.discovery.strip("/")
        self._address = f"{settings.broker}:{settings.port}"
        self._journal_path = journal_path
        self._journal: Journal | None = None
        self._story = Story()
        self._sent: dict[str, str] = {}
        self._client = paho.Client(CallbackAPIVersion.VERSION2)
        if settings.user:
            self._client.username_pw_set(settings.user, _password(settings.password_file))
        self._client.will_set(f"{self._topic}/online", "offline", qos=ONCE, retain=True)
        self._client.on_connect = self._greet
        self._client.reconnect_delay_set(min_delay=1, max_delay=30)
        self._client.connect_async(settings.broker, settings.port)
        self._client.loop_start()

    def announce(self, rows: Sequence[Row]) -> None:
        """Publish what was ruled and how things stand; raises OSError while there is no broker, who hears it later."""
        if self._journal is None:
            self._journal = Journal(self._journal_path)  # a connection of this thread's own
        self._story = story_of(self._journal, self._story)
        secret = secret_rows(self._story)
        for row in rows:
            for ruling in row.body.get("rulings", ()) if row.kind == "ruled" and row.id not in secret else ():
                told = {key: ruling.get(key) for key in ("player", "code", "rule", "text")}
                self._publish("call", {"row": row.id, **told})
        self._publish_changed("state", state_json(self._story))
        self._publish_changed("trouble", troubles_json(self._story))
        if not self._client.is_connected():
            raise OSError(f"no broker answers at {self._address}; what is ruled is published once it does")

    def close(self) -> None:
        """Say that we go, and hang up."""
        if self._client.is_connected():
            self._client.publish(f"{self._topic}/online", "offline", qos=ONCE, retain=True).wait_for_publish(FAREWELL_S)
        self._client.disconnect()
        self._client.loop_stop()
        if self._journal is not None:
            self._journal.close()

    def _greet(self, client: paho.Client, *_: object) -> None:
        """Whenever the broker has answered: tell that we are there, and Home Assistant what there is to see."""
        client.publish(f"{self._topic}/online", "online", qos=ONCE, retain=True)
        if self._discovery:
            for kind, key, config in entities(self._topic):
                topic = f"{self._discovery}/{kind}/linesies/{key}/config"
                client.publish(topic, json.dumps(config), qos=ONCE, retain=True)

    def _publish(self, name: str, body: Any, *, retain: bool = False) -> None:
        self._client.publish(f"{self._topic}/{name}", json.dumps(body, ensure_ascii=False), qos=ONCE, retain=retain)

    def _publish_changed(self, name: str, body: Any) -> None:
        text = json.dumps(body)
        if self._sent.get(name) != text:
            self._sent[name] = text
            self._publish(name, body, retain=True)


def state_json(story: Story) -> dict[str, Any]:
    """Write how the game stands, as far as everybody may know it."""
    public = story.public or {}
    return {
        "game": (story.start or {}).get("game"),
        "phase": public.get("phase"),
        "turn": public.get("turn"),
        "winner": public.get("winner"),
        "asked": len(story.pending),
    }


def troubles_json(story: Story) -> dict[str, str]:
    """Write what fails, the camera's trouble among it."""
    is_well = story.camera.get("event") in (None, "camera_back")
    camera = {} if is_well else {"camera": story.camera["message"]}
    return {**messages_of(story.troubles), **camera}


def entities(topic: str) -> list[tuple[str, str, dict[str, Any]]]:
    """List what Home Assistant is to show: its kind, a key, and its configuration."""
    shared = {"availability_topic": f"{topic}/online", "device": DEVICE}

    def sensor(key: str, name: str, about: str, template: str, **more: Any) -> tuple[str, str, dict[str, Any]]:
        config = {"name": name, "unique_id": f"linesies_{key}", "state_topic": f"{topic}/{about}"}
        return "sensor", key, {**config, "value_template": template, **shared, **more}

    return [
        sensor("turn", "Turn", "state", "{{ value_json.turn or value_json.winner }}", icon="mdi:account"),
        sensor("phase", "Phase", "state", "{{ value_json.phase }}"),
        sensor("call", "Call", "call", "{{ value_json.text[:255] }}", json_attributes_topic=f"{topic}/call"),
        (
            "binary_sensor",
            "trouble",
            {
                "name": "Trouble",
                "unique_id": "linesies_trouble",
                "device_class": "problem",
                "state_topic": f"{topic}/trouble",
                "value_template": "{{ 'ON' if value_json else 'OFF' }}",
                "json_attributes_topic": f"{topic}/trouble",
                **shared,
            },
        ),
    ]


def _password(file: str) -> str | None:
    if not file:
        return None
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as fault:
        raise BadInput(f"[mqtt] password_file: {file} cannot be read ({fault}); name a file that we may read") from None
