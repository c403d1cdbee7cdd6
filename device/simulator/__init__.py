"""A street game without a street: painted board, caps with physics, people, and a camera over them."""

from device.simulator.naming import open_simulator
from device.simulator.stage import Stage, Wishes, set_stage
from device.simulator.street import SimulatedStreet

__all__ = ["SimulatedStreet", "Stage", "Wishes", "open_simulator", "set_stage"]
