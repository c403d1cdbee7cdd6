"""Cards drawn on felt, with known corners, for tests of finding them."""

import cv2
import numpy as np

SIZE_PX = (1280, 720)


def face(rng):
    """A card of 8 px/mm: pips on white, or a lattice in a white frame."""
    card = np.full((704, 504, 3), 245, np.uint8)
    ink = (30, 30, 30) if rng.random() < 0.5 else (40, 40, 200)
    if rng.random() < 0.3:
        ys, xs = np.indices((640, 440))
        card[32:-32, 32:-32][((xs + ys) // 18 % 2 == 0) | ((xs - ys) // 18 % 2 == 0)] = (140, 60, 30)
        return card
    for x in (150, 354):
        for y in (150, 352, 554):
            cv2.circle(card, (x, y), 45, ink, -1, cv2.LINE_AA)
    for _ in range(2):
        cv2.putText(card, "6", (25, 90), cv2.FONT_HERSHEY_SIMPLEX, 3, ink, 10, cv2.LINE_AA)
        cv2.circle(card, (50, 130), 24, ink, -1, cv2.LINE_AA)
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def draw_table(quads, rng):
    """Lay cards on felt, drawn four times finer, blurred and noisy as a camera's picture."""
    fine = 3
    size = (SIZE_PX[0] * fine, SIZE_PX[1] * fine)
    table = np.full((size[1], size[0], 3), (70, 110, 40), np.float32)
    table += cv2.resize(rng.normal(0, 4, (size[1] // 4, size[0] // 4, 3)), size)
    flat = np.array([(-0.5, -0.5), (503.5, -0.5), (503.5, 703.5), (-0.5, 703.5)], np.float32)
    shape = np.zeros((704, 504), np.float32)
    cv2.rectangle(shape, (28, 28), (475, 675), 1.0, -1)
    shape = cv2.dilate(shape, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (57, 57)))
    for quad in quads:
        to_px = cv2.getPerspectiveTransform(flat, ((quad + 0.5) * fine - 0.5).astype(np.float32))
        share = cv2.warpPerspective(shape, to_px, size)[..., None]
        shade = cv2.GaussianBlur(np.roll(share[..., 0], (6, 6), (0, 1)), (0, 0), 8)[..., None]
        table = table * (1 - 0.3 * shade) * (1 - share) + cv2.warpPerspective(face(rng), to_px, size) * share
    small = cv2.resize(table, SIZE_PX, interpolation=cv2.INTER_AREA)
    return np.clip(cv2.GaussianBlur(small, (0, 0), 0.6) + rng.normal(0, 2, small.shape), 0, 255).astype(np.uint8)


def corner_error_px(found, true):
    return min(np.hypot(*(np.roll(found, turn, 0) - true).T).mean() for turn in range(4))
