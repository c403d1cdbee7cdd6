"""Samples drawn beside the training, by a process of their own."""

import multiprocessing
import queue
from pathlib import Path

import cv2
import numpy as np

from linesies.training.reader.samples import Sample, Samples

CHUNK = 16
STOCK = 150  # decks at hand
DECK_EVERY = 64  # samples


class SampleStream:
    """Draws samples in a process of its own and hands over those that are ready."""

    def __init__(self, seed: int, fonts: tuple[Path, ...]) -> None:
        context = multiprocessing.get_context("spawn")
        self._queue: multiprocessing.Queue[list[Sample]] = context.Queue(maxsize=12)
        self._process = context.Process(target=_draw_for_ever, args=(self._queue, seed, fonts), daemon=True)
        self._process.start()

    def ready(self, *, at_least_one: bool) -> list[Sample]:
        """Take a chunk if there is one; wait for it if one is needed."""
        try:
            return self._queue.get(block=at_least_one)
        except queue.Empty:
            return []


def _draw_for_ever(out: "multiprocessing.Queue[list[Sample]]", seed: int, fonts: tuple[Path, ...]) -> None:
    """Draw chunks of samples; decks are renewed quickly at first, then now and then."""
    cv2.setNumThreads(1)
    samples = Samples(np.random.default_rng(seed), stock=STOCK, fonts=fonts)
    for _ in range(3):
        samples.renew()
    drawn = 0
    while True:
        out.put([samples.draw() for _ in range(CHUNK)])
        drawn += CHUNK
        if drawn % (CHUNK if drawn < CHUNK * STOCK else DECK_EVERY) < CHUNK:
            samples.renew()
