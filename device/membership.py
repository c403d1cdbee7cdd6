"""Whether this box belongs to a league: at which hub, under which name, and which chain of rows it tells there."""

import secrets
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import msgspec

from linesies.device.errors import BadInput

EPOCH_BYTES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """A hub's address, what the board is called there, and the name of the chain that it tells."""

    hub: str
    name: str
    place: str
    epoch: str


def new_epoch() -> str:
    """Name a chain of rows that was never told before."""
    return secrets.token_hex(EPOCH_BYTES)


def membership_file(state: Path) -> Path:
    """Name the file in which a box keeps that it belongs to a league."""
    return state / "league.json"


def key_file(state: Path) -> Path:
    """Name the file of the box's key, which only its owner may read."""
    return state / "league.key"


def pictures_file(state: Path) -> Path:
    """Name the file that is there from before pictures are offered to a hub until it knows that none are any longer."""
    return state / "league.pictures"


def read_membership(state: Path) -> Membership | None:
    """Read to which league a box belongs, None for none; raises BadInput for a file that cannot be read."""
    file = membership_file(state)
    try:
        return msgspec.json.decode(file.read_bytes(), type=Membership)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as fault:
        raise BadInput(f"{file}: cannot be read ({fault}); join the league again: `linesies join`") from None


def write_membership(state: Path, membership: Membership) -> None:
    """Keep to which league a box belongs, whole or not at all."""
    state.mkdir(parents=True, exist_ok=True)
    fresh = membership_file(state).with_suffix(".new")
    fresh.write_bytes(msgspec.json.encode(asdict(membership)))
    fresh.replace(membership_file(state))


def with_new_epoch(membership: Membership) -> Membership:
    """Belong to the same league with a chain of rows that it has not seen."""
    return replace(membership, epoch=new_epoch())


def forget_membership(state: Path) -> None:
    """Belong to no league; the key stays, so that whoever joins again is the same board."""
    membership_file(state).unlink(missing_ok=True)
