"""Writes still scenes with their truth: one camera over one board, and pictures of caps that lie on it."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.canvas import Canvas
from linesies.simulator.street.cast import Pose
from linesies.simulator.street.film import JPEG_QUALITY, make_folder, write_json
from linesies.simulator.street.hand import Hand
from linesies.simulator.street.light import Light
from linesies.simulator.street.litter import pebble, person_shadow, strew
from linesies.simulator.street.shade import sun_at
from linesies.simulator.street.stage import Stage
from linesies.simulator.street.truth import Truth, board_file, camera_truth, lens_file, place_truth
from linesies.simulator.street.varied import HARD, make_world, photograph
from linesies.vision import Frame, caps_to_file

Array = NDArray[np.float64]

CLOSE_MM = 4.0  # half of the caps lie nearer than this to the paint's edge, on either side
TAP_PX = 7.0
HIDDEN = 0.15  # of a cap's points under the hand: no longer counted
TRIES = 400
SHADOWED = 0.3  # how often somebody's shadow lies on the board


def write_stills(stage: Stage, frames: int, folder: Path) -> None:
    """Write a scene of `frames` pictures into a folder."""
    make_folder(folder)
    write_json(folder / "board.json", board_file(stage.painted.board))
    write_json(folder / "lens.json", lens_file(stage.lens))
    write_json(folder / "caps.json", caps_to_file(stage.caps))
    (folder / "corners.txt").write_text(" ".join(f"{x:.0f},{y:.0f}" for x, y in _taps(stage)))
    rng = stage.rng(5)
    _write_picture(folder / "empty.jpg", _photograph(stage, [], stage.light, rng)[0], rng)
    told = []
    for i in range(frames):
        lying = _lay_out(stage, rng)
        image, tags = _photograph(stage, lying, _drifted(stage.light, rng), rng)
        _write_picture(folder / f"frame_{i}.jpg", image, rng)
        caps = [_cap_truth(stage, player, xy_mm) for player, xy_mm in lying]
        told.append({"file": f"frame_{i}.jpg", "tags": tags, "hard": False, "caps": caps})
    told.append(_hard_picture(stage, folder / "hard_0.jpg", rng))
    write_json(folder / "truth.json", {**_scene_truth(stage, folder.name), "frames": told})


def write_varied_stills(stage: Stage, frames: int, folder: Path) -> None:
    """Write a scene of a world unlike the plain ones into a folder; its caps are listed as people would list them."""
    make_folder(folder)
    world = make_world(stage)
    write_json(folder / "board.json", board_file(stage.painted.board))
    write_json(folder / "lens.json", lens_file(world.lens))
    write_json(folder / "caps.json", caps_to_file(world.caps))
    (folder / "corners.txt").write_text(" ".join(f"{x:.0f},{y:.0f}" for x, y in _taps(stage)))
    rng = stage.rng(5)
    _store(folder / "empty.jpg", photograph(stage, world, [], rng))
    told = []
    for i, hard in enumerate([*[""] * frames, str(rng.choice(HARD))]):
        lying = _lay_out(stage, rng)
        name = f"hard_{hard}.jpg" if hard else f"frame_{i}.jpg"
        _store(folder / name, photograph(stage, world, lying, rng, hard))
        caps = [_cap_truth(stage, player, xy_mm) for player, xy_mm in lying]
        told.append({"file": name, "tags": [hard or world.shade], "hard": bool(hard), "caps": caps})
    write_json(folder / "truth.json", {**_scene_truth(stage, folder.name), "frames": told})


def _store(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a picture that its camera has already packed once."""
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 97])


def _hard_picture(stage: Stage, path: Path, rng: np.random.Generator) -> Truth:
    """Take a picture with a hand that comes close to a cap, or over it; tells which caps it hides."""
    lying = _lay_out(stage, rng)
    canvas = _scene(stage, lying, stage.light, rng)[0]
    without = canvas.picture()
    _, xy_mm = lying[int(rng.integers(len(lying)))]
    away = rng.uniform(-25, 60)
    bearing_rad = float(rng.uniform(-np.pi, np.pi))
    tip = xy_mm - away * np.array([np.cos(bearing_rad), np.sin(bearing_rad)])
    hand = Hand(
        tip_mm=tip.astype(np.float32),
        bearing_rad=bearing_rad,
        lift_mm=0.0,
        person=int(rng.integers(6)),
        gesture="point",
    )
    planes = canvas.frame([], (hand,))
    with_hand = Frame.from_yuv420(planes, number=0, t_s=0.0, is_full_range=True).bgr
    hidden = np.abs(with_hand.astype(int) - without).max(axis=2) > 45
    _write_picture(path, with_hand, rng)
    caps = [_cap_truth(stage, p, at) for p, at in lying]
    occluded = [p for p, at in lying if _is_hidden(stage, p, at, hidden)]
    return {"file": path.name, "tags": ["hand"], "hard": True, "occluded": occluded, "caps": caps}


def _is_hidden(stage: Stage, player: str, xy_mm: Array, hidden: NDArray[np.bool_]) -> bool:
    """Tell whether anything noticeable of a cap is under the hand."""
    radius = next(cap.diameter_mm for cap in stage.caps if cap.player == player) / 2
    around = np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 24)])
    points = np.vstack([xy_mm + share * radius * around for share in (0.4, 0.8)])
    px = np.rint(stage.view.mm_to_px(points, 4.0)).astype(int)
    inside = px[(px >= 0).all(axis=1) & (px < np.array(stage.lens.size_px)).all(axis=1)]
    return bool(hidden[inside[:, 1], inside[:, 0]].mean() > HIDDEN)


def _photograph(
    stage: Stage, lying: list[tuple[str, Array]], light: Light, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], list[str]]:
    """Take one picture (H, W, 3), b, g, r, without noise, and tell what is special about it."""
    canvas, tags = _scene(stage, lying, light, rng)
    return canvas.picture(), tags


def _scene(
    stage: Stage, lying: list[tuple[str, Array]], light: Light, rng: np.random.Generator
) -> tuple[Canvas, list[str]]:
    """Strew litter, let shadows fall and lay caps down."""
    size_mm = stage.painted.board.size_mm[0]
    albedo = stage.albedo.copy()
    strew(albedo, stage.view, rng, size_mm)
    is_shadowed = light.softness < 0.1 and bool(lying) and rng.random() < SHADOWED
    sun = (
        person_shadow(stage.view, light.per_mm, rng, size_mm) if is_shadowed else np.ones(albedo.shape[:2], np.float32)
    )
    lit = albedo * (light.sky_rgb + light.sun_rgb * sun[..., None]) * _falloff(stage, light, rng)
    canvas = Canvas(lit.astype(np.float32), stage.ground_mm, stage.view, light, rng)
    for i in range(int(rng.integers(0, 6))):
        canvas.put(f"pebble {i}", pebble(rng), Pose(xy_mm=rng.uniform(-0.2, 1.2, 2).astype(np.float32) * size_mm))
    solids = {s.cap.player: s for s in stage.solids}
    for player, xy_mm in lying:
        pose = Pose(xy_mm=xy_mm.astype(np.float32), angle_rad=float(rng.uniform(0, 2 * np.pi)))
        canvas.put(player, solids[player], pose, sun=sun_at(sun, stage.view, xy_mm))
    return canvas, ["person_shadow"] if is_shadowed else []


def _falloff(stage: Stage, light: Light, rng: np.random.Generator) -> NDArray[np.float32]:
    """Tell how a lamp's light (H, W, 1) falls off across the board; the sky's does not."""
    if light.name != "indoor":
        return np.float32(rng.uniform(0.94, 1.06)) * np.ones((1, 1, 1), np.float32)
    size_mm = stage.painted.board.size_mm[0]
    lamp = rng.uniform(-0.2, 1.2, 2) * size_mm
    away2 = ((stage.ground_mm - lamp.astype(np.float32)) ** 2).sum(axis=-1)
    return (1.1 / (1 + away2 / np.float32((1.9 * size_mm) ** 2))).astype(np.float32)[..., None]


def _drifted(light: Light, rng: np.random.Generator) -> Light:
    """Let the sun wander a little from picture to picture."""
    turn = rng.normal(0, 0.05)
    c, s = np.cos(turn), np.sin(turn)
    x, y = light.per_mm
    return replace(light, per_mm=np.array([c * x - s * y, s * x + c * y], np.float32))


def _lay_out(stage: Stage, rng: np.random.Generator) -> list[tuple[str, Array]]:
    """Choose where caps lie: half of them close to the edge of some line, none on another."""
    size_mm = stage.painted.board.size_mm[0]
    lying: list[tuple[str, Array]] = []
    caps = {cap.player: cap for cap in stage.caps}
    for player in rng.permutation(list(caps))[: int(rng.integers(5, 7))]:
        radius = caps[str(player)].diameter_mm / 2
        for _ in range(TRIES):
            is_close = rng.random() < 0.5
            xy_mm = beside_a_line(stage, radius, rng) if is_close else rng.uniform(-0.06, 1.06, 2) * size_mm
            room = all(np.hypot(*(xy_mm - at)) > radius + caps[p].diameter_mm / 2 + 0.4 for p, at in lying)
            if room and stage.view.is_in_picture(xy_mm + 2 * radius) and stage.view.is_in_picture(xy_mm - 2 * radius):
                lying.append((str(player), xy_mm))
                break
    return lying


def beside_a_line(stage: Stage, radius_mm: float, rng: np.random.Generator) -> Array:
    """Choose where a cap lies close to the edge of some line."""
    lines = stage.painted.survey.lines
    line = lines[int(rng.integers(len(lines)))]
    i = int(rng.integers(1, len(line.left_mm) - 1))
    edge = line.left_mm if rng.random() < 0.5 else line.right_mm
    away = edge[i] - line.middle_mm[i]
    return edge[i] + away / np.hypot(*away) * (radius_mm + rng.uniform(-CLOSE_MM, CLOSE_MM))


def _taps(stage: Stage) -> Array:
    width, height = stage.painted.board.size_mm
    corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
    return stage.view.mm_to_px(corners) + stage.rng(2).normal(0, TAP_PX, (4, 2))


def _write_picture(path: Path, image: NDArray[np.uint8], rng: np.random.Generator) -> None:
    """Write a picture with a sensor's noise, which its colour filter has smeared a little."""
    noise = cv2.GaussianBlur(rng.normal(0, 3.2, image.shape).astype(np.float32), (0, 0), 0.6)
    noisy = np.clip(image + noise + 0.5, 0, 255).astype(np.uint8)
    cv2.imwrite(str(path), noisy, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY - 3])


def _cap_truth(stage: Stage, player: str, xy_mm: Array) -> Truth:
    cap = next(c for c in stage.caps if c.player == player)
    place = place_truth(stage.truth, cap, xy_mm)
    nearest = _nearest_kind(stage, xy_mm)
    return {"player": player, "kind": cap.kind, "height": cap.height_mm, "nearest": nearest, **place}


def _nearest_kind(stage: Stage, xy_mm: Array) -> str:
    nearest = min(stage.painted.survey.lines, key=lambda line: np.hypot(*(line.outline_mm - xy_mm).T).min())
    return nearest.line_class or "line"


def _scene_truth(stage: Stage, name: str) -> Truth:
    painted = stage.painted
    return {
        "name": name,
        "board": stage.kind,
        "ground": stage.ground,
        "paint": stage.paint,
        "light": stage.light.name,
        "shadow": None if stage.light.softness >= 1 else stage.light.per_mm.tolist(),  # mm a mm of height
        "camera": camera_truth(stage.view),
        "painted": {
            "regions": [{"name": r.name, "polygon": r.polygon_mm.round(2).tolist()} for r in painted.regions],
            "lines": [
                {"kind": line.line_class or "line", "outline": line.outline_mm.round(2).tolist()}
                for line in painted.survey.lines
            ],
        },
    }
