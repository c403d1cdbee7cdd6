"""A street game without a street: painted board, caps with physics, people, and a camera over them."""

from device.simulator.naming import SMALL, open_simulator, read_wishes
from device.simulator.phones import ByPhone
from device.simulator.stage import Stage, Wishes, set_stage
from device.simulator.street import SimulatedStreet
from device.simulator.umpire import rules_event

__all__ = [
    "SMALL",
    "ByPhone",
    "SimulatedStreet",
    "Stage",
    "Wishes",
    "open_simulator",
    "read_wishes",
    "rules_event",
    "set_stage",
]
