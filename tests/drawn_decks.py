"""Decks, a die and their photographs, drawn small by a few lines: numbers of two suits that share their art."""

import cv2
import numpy as np

MM = 6  # drawn pixels a millimetre
SIZE = (63 * MM, 88 * MM)
INKS = {"A": (40, 110, 20), "B": (150, 40, 60)}
PAPER = (222, 238, 242)
DIE_WORDS = {"1-4": "1-4", "5-8": "5-8", "9-12": "912", "SB": "SB", "DISCARD2": "D2", "DRAW1": "+1"}


def draw_card(suit, number):
    ink = INKS[suit]
    card = np.full((SIZE[1], SIZE[0], 3), PAPER, np.uint8)
    cv2.rectangle(card, (20, 20), (SIZE[0] - 20, SIZE[1] - 20), ink, 10)
    if suit == "A":
        cv2.circle(card, (190, 250), 90, ink, -1)
        cv2.ellipse(card, (230, 330), (60, 30), 30, 0, 360, (30, 60, 160), -1)
    else:
        cv2.fillPoly(card, [np.array([(80, 330), (200, 120), (310, 340)])], ink)
        cv2.rectangle(card, (120, 350), (260, 400), (30, 140, 200), -1)
    for _ in range(2):
        cv2.rectangle(card, (24, 24), (92, 92), ink, -1)
        cv2.putText(card, str(number), (36, 80), cv2.FONT_HERSHEY_DUPLEX, 1.7, PAPER, 5, cv2.LINE_AA)
        card = np.ascontiguousarray(card[::-1, ::-1])
    cv2.putText(card, str(number), (165, 480), cv2.FONT_HERSHEY_DUPLEX, 1.8, ink, 5, cv2.LINE_AA)
    return card


def draw_back():
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    weave = ((x // 12 + y // 12) % 2)[..., None]
    return (weave * np.array((160, 60, 40)) + (1 - weave) * np.array((230, 220, 215))).astype(np.uint8)


def draw_deck(numbers=(1, 2, 3, 6, 7, 8)):
    return {f"{suit}{number}": draw_card(suit, number) for suit in INKS for number in numbers}


def draw_die_face(name, paper=(235, 235, 240), ink=(140, 30, 20)):
    face, word = np.full((160, 160, 3), paper, np.uint8), DIE_WORDS[name]
    (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, 1, 2)
    zoom = min(120 / width, 80 / height)
    at = (int(80 - width * zoom / 2), int(80 + height * zoom / 2))
    cv2.putText(face, word, at, cv2.FONT_HERSHEY_DUPLEX, zoom, ink, 6, cv2.LINE_AA)
    return face


def draw_table(rng, size_px, colour):
    width, height = size_px
    grain = cv2.resize(rng.normal(0, 1, (12, 16)).astype(np.float32), size_px, interpolation=cv2.INTER_CUBIC)
    return np.full((height, width, 3), colour, np.float32) + 5 * grain[..., None]


def lay(table, art, corners_px):
    """Lay art onto a table so that its corners (4, 2), clockwise from the top left of its print, come to lie there."""
    height, width = art.shape[:2]
    size = table.shape[1::-1]
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, np.float32(corners_px))
    shrink = float(np.linalg.norm(np.subtract(corners_px[1], corners_px[0]))) / width
    soft = cv2.GaussianBlur(art.astype(np.float32), (0, 0), max(0.3, 0.4 / shrink))
    cover = cv2.warpPerspective(np.ones((height, width), np.float32), matrix, size)[..., None]
    table *= 1 - cover
    table += cv2.warpPerspective(soft, matrix, size, borderMode=cv2.BORDER_REPLICATE) * cover


def place(middle_px, turn_deg, px_per_mm, size_mm=(63, 88)):
    """Give the corners of a card that lies flat and turned."""
    turn = np.radians(turn_deg)
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * np.array(size_mm) * px_per_mm
    return corners @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))]) + middle_px


def expose(rng, picture, cast=(1, 1, 1), noise=2.0):
    """See a picture as a camera does: cast, a lamp to one side, blur and noise."""
    lamp = np.linspace(0.85, 1.05, picture.shape[1], dtype=np.float32)[None, :, None]
    seen = cv2.GaussianBlur(picture * lamp * np.float32(cast), (0, 0), 0.6)
    return np.clip(seen + rng.normal(0, noise, seen.shape), 0, 255).astype(np.uint8)


def photograph_of(art, *, seed=0, table=(70, 90, 60), turn_deg=5.0, size_mm=(63, 88), px_per_mm=2.4, cast=(1, 1, 1)):
    """Photograph one card, or die, on a table."""
    rng = np.random.default_rng(seed)
    size_px = (int(size_mm[0] * px_per_mm * 1.6), int(size_mm[1] * px_per_mm * 1.5))
    picture = draw_table(rng, size_px, table)
    corners = place(np.array(size_px) / 2 + rng.uniform(-4, 4, 2), turn_deg, px_per_mm, size_mm)
    lay(picture, art, corners + rng.uniform(-3, 3, (4, 2)))
    return expose(rng, picture, cast)
