"""The same cut as another camera would have seen it another day, and its cap with another print; many at once.

Shifted, turned and mirrored; in another tone, light and colours; blurred, sharpened and noisy. How much of each was
set by hand, so that people still tell the caps of most cuts.
"""

import math
from dataclasses import dataclass, replace

import torch
from torch.nn import functional

from linesies.training.caps.measured import normalised
from linesies.training.caps.stock import ROOM_PX, DrawnCuts
from linesies.vision.caps.cuts import MM_PER_PX, SIDE_PX

FAR_SHARE, FAR_PX, NEAR_PX = 0.4, 5, 1  # how often a cut is shifted far from its cap, how far, and how far else
TURNED = 0.5  # how often a cut is turned (radians) and grown
TURN, GROWTH = 0.12, 0.03
UNREGISTERED, UNREGISTERED_PX = 0.3, 0.15  # how often both pictures are apart, and by how much along either axis
PERMUTED = 0.35  # how often colours change places, so that every cap may be of every colour
ORDERS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
BLUR_REACH = 2  # px
LUMA = (0.114, 0.587, 0.299)  # of blue, green and red


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShownCuts:
    """N cuts as the nets see them: planes (N, 6, SIDE, SIDE) and slants (N, 1), and what is true of them.

    That is the cap's offset (N, 2) in mm, which of the listed it is (N,), and what is listed (N, C, facts).
    """

    planes: torch.Tensor
    leans: torch.Tensor
    offset_mm: torch.Tensor
    owner: torch.Tensor
    facts: torch.Tensor


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Taken:
    """Both pictures (N, 3, SIDE, SIDE) in stored levels, and where the cap's middle is in them (N, 2), in pixels."""

    now: torch.Tensor
    empty: torch.Tensor
    middle_px: torch.Tensor


def plain(drawn: DrawnCuts) -> ShownCuts:
    """Show cuts as they were drawn."""
    return ShownCuts(
        planes=normalised(*drawn.middles()),
        leans=drawn.leans,
        offset_mm=drawn.offset_mm,
        owner=drawn.owner,
        facts=drawn.listed.clone(),
    )


def augmented(drawn: DrawnCuts) -> ShownCuts:
    """Show cuts as they might have been; by torch's random numbers."""
    taken = _lit(_toned(_framed(drawn)))
    radii_px = torch.where(drawn.diameter_mm > 0, drawn.diameter_mm / 2, 8 + 12 * _any(taken.now)) / MM_PER_PX
    taken = _shone_on(_printed(taken, radii_px), radii_px)
    planes = _coloured(normalised(_shot(taken.now), _shot(taken.empty)))
    facts = drawn.listed.clone()
    facts[..., :3] *= torch.exp(0.04 * torch.randn_like(facts[:, :1, :3]))
    planes, facts = _permuted(planes, facts)
    is_mirrored = _any(planes) < 0.5
    ways = torch.stack([torch.where(is_mirrored, -1.0, 1.0), torch.ones_like(drawn.diameter_mm)], -1)
    return ShownCuts(
        planes=torch.where(_each(is_mirrored), planes.flip(-1), planes),
        leans=drawn.leans,
        offset_mm=taken.middle_px * MM_PER_PX * ways,
        owner=drawn.owner,
        facts=facts,
    )


def _framed(drawn: DrawnCuts) -> _Taken:
    """Look from another place near, turned and a little nearer or farther; both pictures may be apart."""
    count = drawn.now
    offset_px = drawn.offset_mm / MM_PER_PX
    wide = torch.where(_any(count) < FAR_SHARE, FAR_PX, NEAR_PX)[:, None]
    astray = torch.floor(torch.rand_like(offset_px) * (2 * wide + 1)) - wide
    shift = (offset_px.round() + astray).clamp(-ROOM_PX, ROOM_PX)
    is_turned = _any(count) < TURNED
    turn = torch.where(is_turned, TURN * _normal(count), 0.0)
    growth = torch.where(is_turned, torch.exp(GROWTH * _normal(count)), 1.0)
    across, down = torch.cos(turn), torch.sin(turn)
    turning = torch.stack([torch.stack([across, -down], -1), torch.stack([down, across], -1)], -2)
    x, y = _from_middle(drawn.now)
    steps = torch.stack([x.expand(SIDE_PX, -1), y.expand(-1, SIDE_PX)], -1)
    looked_at = (turning / growth[:, None, None])[:, None, None] @ steps[None, ..., None]
    looked_at = looked_at[..., 0] + shift[:, None, None]
    apart = torch.where(_any(count) < UNREGISTERED, UNREGISTERED_PX, 0.0)[:, None] * torch.randn_like(shift)
    relative = (turning.mT * growth[:, None, None]) @ (offset_px - shift)[..., None]
    now, empty = (
        _taken_at(one, at) for one, at in ((drawn.now, looked_at), (drawn.empty, looked_at + apart[:, None, None]))
    )
    return _Taken(now=now, empty=empty, middle_px=relative[..., 0])


def _taken_at(picture: torch.Tensor, at_px: torch.Tensor) -> torch.Tensor:
    half = picture.shape[-1] / 2
    return functional.grid_sample(picture, at_px / half, padding_mode="border", align_corners=False)


def _toned(taken: _Taken) -> _Taken:
    """Give both pictures another tone curve, and each one a little of its own."""
    both = torch.where(_any(taken.now) < 0.5, torch.exp(0.15 * _normal(taken.now)), 1.0)
    own = torch.where(_any(taken.now) < 0.3, torch.exp(0.03 * _normal(taken.now)), 1.0)
    now, empty = (
        255 * (one.clamp(0, 255) / 255) ** _each(power) for one, power in ((taken.now, both * own), (taken.empty, both))
    )
    return replace(taken, now=now, empty=empty)


def _lit(taken: _Taken) -> _Taken:
    """Let light lie unevenly on what is there now: in soft fields, and beyond the edge of a shadow."""
    now = taken.now
    amount = torch.where(_any(now) < 0.5, 0.08 * _normal(now).abs(), 0.0)
    field = _smooth(now[:, :1], coarse=4)
    x, y = _from_middle(now)
    way = 2 * math.pi * _any(now)
    beyond = x * _each(torch.cos(way)) + y * _each(torch.sin(way)) - _each(9 * _normal(now))
    edge = torch.sigmoid(beyond / _each(0.3 + 2 * _any(now)))
    dark = torch.where(_any(now) < 0.12, 0.1 + 0.4 * _any(now), 0.0)
    return replace(taken, now=now * torch.exp(_each(amount) * field) * (1 - _each(dark) * edge))


def _printed(taken: _Taken, radii_px: torch.Tensor) -> _Taken:
    """Print something on a disc within the cap, or on what lies in its place."""
    now = taken.now
    disc = torch.sigmoid(2 * (_each(radii_px * (0.35 + 0.6 * _any(now))) - _away(taken, taken.middle_px)))
    amount = torch.where(_any(now) < 0.3, 0.15 * _normal(now).abs(), 0.0)
    printed = 0.6 * _smooth(now, coarse=10) + _smooth(now[:, :1], coarse=10)
    return replace(taken, now=now * torch.exp((_each(amount) * printed * disc).clamp(-1, 1)))


def _shone_on(taken: _Taken, radii_px: torch.Tensor) -> _Taken:
    """Let a small highlight shine on some."""
    now = taken.now
    at_px = taken.middle_px + 0.4 * radii_px[:, None] * torch.randn_like(taken.middle_px)
    glow = torch.exp(-((_away(taken, at_px) / _each(0.7 + 1.8 * _any(now))) ** 2) / 2)
    amount = torch.where(_any(now) < 0.15, 140 * _any(now), 0.0)
    return replace(taken, now=now + _each(amount) * glow)


def _shot(picture: torch.Tensor) -> torch.Tensor:
    """Take half of the pictures anew: exposed otherwise, blurred or sharpened, coloured coarsely, noisy."""
    exposed = picture * _each(torch.exp(0.08 * _normal(picture)))
    blurred = _blurred(exposed, 0.3 + 0.6 * _any(picture))
    sharpened = exposed + _each(1.2 * _any(picture)) * (exposed - _blurred(exposed, torch.ones_like(_any(picture))))
    way = _each(_any(picture))
    out = torch.where(way < 0.4, blurred, torch.where(way < 0.75, sharpened, exposed))
    out = out + _each(6 * _any(picture)) * torch.randn_like(out)
    luma = (out * torch.tensor(LUMA, device=out.device)[:, None, None]).sum(1, keepdim=True)
    coarse = functional.avg_pool2d(out - luma, 2)
    coarse = luma + functional.interpolate(coarse, size=out.shape[-2:], mode="bilinear", align_corners=False)
    out = torch.where(_each(_any(out) < 0.3), coarse, out)
    return torch.where(_each(_any(out) < 0.5), out, picture)


def _coloured(planes: torch.Tensor) -> torch.Tensor:
    """Change all colours of both pictures alike: by gains, and in half of them by a matrix that keeps grey."""
    count = len(planes)
    gains = torch.exp(0.06 * torch.randn(count, 3, 1, device=planes.device) + 0.1 * _normal(planes)[:, None, None])
    mixed = torch.where(_any(planes) < 0.5, 0.05, 0.0)[:, None, None] * torch.randn(count, 3, 3, device=planes.device)
    matrix = torch.eye(3, device=planes.device) + mixed
    matrix = gains * matrix / matrix.sum(2, keepdim=True)
    both = matrix[:, None] @ planes.unflatten(1, (2, 3)).flatten(3)
    return both.clamp_min(0).reshape(planes.shape)


def _permuted(planes: torch.Tensor, facts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Let colours change places in some, as they are seen and listed."""
    orders = torch.tensor(ORDERS, device=planes.device)
    chosen = torch.where(_any(planes) < PERMUTED, torch.floor(len(ORDERS) * _any(planes)), 0.0).long()
    order = orders[chosen]
    seen = planes.unflatten(1, (2, 3)).flatten(3)
    seen = seen.gather(2, order[:, None, :, None].expand(seen.shape)).reshape(planes.shape)
    colours = facts[..., :3].gather(2, order[:, None].expand(-1, facts.shape[1], -1))
    return seen, torch.cat([colours, facts[..., 3:]], -1)


def _any(of: torch.Tensor) -> torch.Tensor:
    """Draw a number from 0 to 1 for each of a batch (N,)."""
    return torch.rand(len(of), device=of.device)


def _normal(of: torch.Tensor) -> torch.Tensor:
    """Draw a normal number for each of a batch (N,)."""
    return torch.randn(len(of), device=of.device)


def _each(numbers: torch.Tensor) -> torch.Tensor:
    """Lay numbers (N,) out beside pictures (N, C, H, W)."""
    return numbers[:, None, None, None]


def _smooth(like: torch.Tensor, *, coarse: int) -> torch.Tensor:
    """Draw smooth fields of about unit deviation, as many as `like` (N, C, H, W) has, from so many points a side."""
    points = torch.randn(*like.shape[:2], coarse, coarse, device=like.device)
    return functional.interpolate(points, size=like.shape[-2:], mode="bicubic", align_corners=False)


def _from_middle(like: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Tell how far the pixels of a cut lie from its middle: x (SIDE,) and y (SIDE, 1)."""
    along = torch.arange(SIDE_PX, device=like.device) - (SIDE_PX - 1) / 2
    return along, along[:, None]


def _away(taken: _Taken, at_px: torch.Tensor) -> torch.Tensor:
    """Tell how far each pixel (N, 1, SIDE, SIDE) lies from points (N, 2)."""
    x, y = _from_middle(taken.now)
    return torch.hypot(x - _each(at_px[:, 0]), y - _each(at_px[:, 1]))


def _blurred(picture: torch.Tensor, sigma_px: torch.Tensor) -> torch.Tensor:
    """Blur each of a batch of pictures by its own sigma (N,)."""
    steps = torch.arange(-BLUR_REACH, BLUR_REACH + 1, device=picture.device)
    weights = torch.exp(-((steps / sigma_px[:, None]) ** 2) / 2)
    weights = weights / weights.sum(1, keepdim=True)
    height, width = picture.shape[-2:]
    room = BLUR_REACH, BLUR_REACH
    tall = functional.pad(picture, (0, 0, *room), mode="replicate")
    down = sum(_each(weights[:, i]) * tall[:, :, i : i + height] for i in range(len(steps)))
    wide = functional.pad(down, (*room, 0, 0), mode="replicate")
    return sum(_each(weights[:, i]) * wide[..., i : i + width] for i in range(len(steps)))
