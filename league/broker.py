"""How a whole league stands, at an MQTT broker: kept messages, each sent again only when it has changed.

Topics, below the one that was named:
    online             "online", or "offline" as soon as the broker misses us
    board/BOARD        a board as the hub's page has it, by its key; empty once it has left
    tournament/NUMBER  {"name", "winner", "ranking", "waiting", "gone"}
    calls              which match is called to which board
"""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from linesies.league.errors import BadInput

ONCE = 1  # at least once: the broker acknowledges
PORT = 1883
TOPIC = "linesies/league"


def broker_address(address: str) -> SplitResult:
    """Read the address of a broker; raises BadInput for what is none."""
    try:
        named = urlsplit(address)
        is_one = named.scheme == "mqtt" and bool(named.hostname) and named.port != 0
    except ValueError:
        is_one = False
    if not is_one:
        raise BadInput(f"--mqtt: {address} is no address of a broker; write it as mqtt://HOST/{TOPIC}")
    return named


class Broker:
    """Tells a broker as long as the hub lives; remembers what it was told last."""

    def __init__(self, address: str, tell: Callable[[], Mapping[str, Any]]) -> None:
        named = broker_address(address)
        self._tell = tell
        self._sent: dict[str, str] = {}
        self._topic = named.path.strip("/") or TOPIC
        self._client = paho.Client(CallbackAPIVersion.VERSION2)
        if named.username:
            self._client.username_pw_set(unquote(named.username), unquote(named.password or ""))
        self._client.will_set(f"{self._topic}/online", "offline", qos=ONCE, retain=True)
        self._client.on_connect = self._greet
        self._client.reconnect_delay_set(min_delay=1, max_delay=30)
        self._client.connect_async(named.hostname or "", named.port or PORT)
        self._client.loop_start()

    def look(self) -> None:
        """Publish what has changed; while there is no broker it waits for him."""
        told = {name: json.dumps(body, ensure_ascii=False) for name, body in self._tell().items()}
        for name in {**self._sent, **told}:
            text = told.get(name, "")  # an empty message takes a kept one away
            if self._sent.get(name) != text:
                self._publish(name, text)
        self._sent = told

    def _greet(self, *_: object) -> None:
        self._publish("online", "online")
        for name, text in self._sent.items():  # a broker that was begun anew may have lost them
            self._publish(name, text)

    def _publish(self, name: str, text: str) -> None:
        self._client.publish(f"{self._topic}/{name}", text, qos=ONCE, retain=True)
