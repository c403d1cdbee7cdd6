"""What the program makes of cuts before it asks a net, on tensors: many at once, on the machine that teaches.

It must be the same as `normalised` and `pair_inputs` give in `vision/caps`; `check` holds it against them.
"""

import numpy as np
import torch

from linesies.calibration import to_linear
from linesies.vision.caps import cuts, owners
from linesies.vision.caps.cuts import AWAY_MM, BRIGHTEST, CLIPPED, FEWEST, GROUND_MM, LEAST_LIGHT, MOST_GAIN, TOO_DARK
from linesies.vision.caps.owners import BANDS, INSIDE, LEAST_LEVEL, LOG_SIZE, USUAL_MM

LIGHT = torch.from_numpy(to_linear(np.arange(256, dtype=np.uint8)[None])[0].astype(np.float32))
AWAY = torch.from_numpy(AWAY_MM.ravel().astype(np.float32))
SOFT = 8  # a band's edge, as `band_weights` has it
ALIKE = 0.02  # the middle of an even number of ratios is taken otherwise here


def normalised(now: torch.Tensor, empty: torch.Tensor) -> torch.Tensor:
    """Divide the light out of cuts (N, 3, SIDE, SIDE) in stored levels: planes (N, 6, SIDE, SIDE)."""
    stored = torch.cat([now, empty], 1).clamp(0, 255).round().flatten(2)
    light = LIGHT.to(stored.device)[stored.long()]
    ground = (AWAY > GROUND_MM).to(stored.device)
    level, lit = stored[..., ground], light[..., ground] + LEAST_LIGHT
    is_told = (level > TOO_DARK) & (level < CLIPPED)
    tells = is_told[:, :3] & is_told[:, 3:]
    ratios = torch.where(tells, lit[:, :3] / lit[:, 3:], torch.nan)
    middle = torch.nanmedian(ratios, -1).values.clamp(1 / MOST_GAIN, MOST_GAIN)
    gains = torch.where(tells.sum(-1) > FEWEST, middle, torch.ones_like(middle))
    gained = torch.cat([light[:, :3] / gains[..., None], light[:, 3:]], 1)
    return gained.clamp(0, BRIGHTEST**2).sqrt().unflatten(2, now.shape[-2:])


def pair_inputs(planes: torch.Tensor, facts: torch.Tensor) -> torch.Tensor:
    """Measure what is listed (N, C, facts), all of it numbers, in the cuts (N, 6, SIDE, SIDE): (N, C, inputs)."""
    diameters_mm = USUAL_MM * torch.exp(facts[..., LOG_SIZE])
    away = AWAY.to(planes.device) / (diameters_mm[..., None, None] / 2)
    low, high = (torch.tensor(edge, device=planes.device)[:, None] for edge in zip(*BANDS, strict=True))
    inside = ((away - low) * SOFT + 0.5).clamp(0, 1) * ((high - away) * SOFT + 0.5).clamp(0, 1) + 1e-6
    weights = inside / inside.sum(-1, keepdim=True)
    bands = torch.einsum("nkp,ncbp->ncbk", planes.flatten(2), weights)
    seen, told = bands[:, :, :INSIDE, :3], facts[:, :, None, :3]
    seen_level, told_level = (one.norm(dim=-1, keepdim=True) + LEAST_LEVEL for one in (seen, told))
    parts = (bands, seen - told, seen / seen_level - told / told_level, torch.log(seen_level / told_level))
    return torch.cat([*(part.flatten(2) for part in parts), facts], -1)


def check(now: torch.Tensor, empty: torch.Tensor, facts: torch.Tensor) -> None:
    """Hold both against the program's own on some cuts of one scene, which lists `facts` (C, facts); exits if apart."""
    planes = normalised(now, empty).cpu()
    pictures = (one.permute(0, 2, 3, 1).cpu().numpy().astype(np.uint8) for one in (now, empty))
    by_program = cuts.normalised(*pictures)
    listed = facts[torch.isfinite(facts[:, 0])]
    pairs = pair_inputs(planes, listed.cpu()[None].expand(len(planes), -1, -1)).numpy()
    plain = listed.cpu().numpy()
    weights = owners.band_weights(USUAL_MM * np.exp(plain[:, LOG_SIZE].astype(float)))
    apart = (planes.numpy() - by_program, pairs - owners.pair_inputs(by_program, plain, weights))
    if any(np.abs(one).max(initial=0) > ALIKE for one in apart):
        raise SystemExit("training/caps/measured.py no longer measures as vision/caps does; teach nothing by it")
