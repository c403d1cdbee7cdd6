"""Train the two readers of cards on drawn decks (needs the extra `training`).

    python -m linesies.training.reader FOLDER --minutes 80 [--from READERS.pt] [--index-alone] [--fonts DIR]
    python -m linesies.training.reader.export FOLDER/readers.pt vision/cards/nets

Decks come from `linesies.training.decks`, drawn by lot with the fonts found on this machine (Debian's `fonts-*`
packages); an eighth of the font families is held out for judging. One core, a second draws the samples; bfloat16,
AdamW, the rate falling along a cosine over the given minutes. Every few minutes the state is saved, and the share
of right best guesses on held-out fonts told. The seed fixes the decks and the start; how many steps the minutes
hold depends on the machine.
"""

import argparse
import logging
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from linesies.training.decks import find_fonts, split_fonts
from linesies.training.reader.nets import INDEX_HEADS, WHOLE_HEADS, IndexNet, WholeNet, loss_of
from linesies.training.reader.samples import Sample, Samples, batch_of
from linesies.training.reader.stream import SampleStream
from linesies.vision.cards.read import glyphs

BATCH = 56
STOCK = 6000  # samples at hand; each is learned from several times, moved and lit a little differently
RATE = 1.5e-3
NONES_KEPT = 0.5  # corners with nothing to read are the most common and the easiest

log = logging.getLogger("reader")


def main() -> None:
    """Train until the minutes are over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=80)
    parser.add_argument("--from", dest="start", type=Path)
    parser.add_argument("--fonts", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--index-alone", action="store_true", help="leave the whole-card net as it is")
    parser.add_argument("--last", type=float, default=0.0, help="the rate's share at the end")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(given.seed)
    given.folder.mkdir(parents=True, exist_ok=True)
    Training(given).run()


class Training:
    """Both nets, their optimiser and a stock of samples."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.rng = np.random.default_rng(given.seed)
        known, self.held_out = split_fonts(self._fonts())
        self.stream = SampleStream(given.seed, known)
        self.index, self.whole = IndexNet(), WholeNet()
        if given.start:
            state = torch.load(given.start)
            self.index.load_state_dict(state["index"], strict=False)
            self.whole.load_state_dict(state["whole"])
        for net in (self.index, self.whole):
            net.to(memory_format=torch.channels_last)
        self.optimiser = torch.optim.AdamW(
            [*self.index.parameters(), *self.whole.parameters()], RATE, weight_decay=0.02
        )
        self.stock: list[Sample] = []
        self.drawn = 0

    def _fonts(self) -> tuple[Path, ...]:
        """Find the fonts once a folder: to look through a thousand takes a while."""
        listed = self.given.folder / "fonts.txt"
        if not listed.exists():
            listed.write_text("\n".join(map(str, find_fonts(self.given.fonts))))
        return tuple(Path(line) for line in listed.read_text().splitlines())

    def run(self) -> None:
        """Train, report and save until the time is over."""
        tests = self._draw_tests()
        for _ in range(30):
            self.stock += self.stream.ready(at_least_one=True)
        begin = reported = time.monotonic()
        step, losses = 0, []
        while (share := (time.monotonic() - begin) / (60 * self.given.minutes)) < 1:
            for group in self.optimiser.param_groups:
                wave = 0.5 * (1 + np.cos(np.pi * share))
                fallen = self.given.last + (1 - self.given.last) * wave
                group["lr"] = self.given.rate * min(1.0, (step + 1) / 300) * fallen
            self._restock()
            losses.append(self._step())
            step += 1
            if time.monotonic() - reported > 180:
                reported = time.monotonic()
                minutes, loss = (reported - begin) / 60, np.mean(losses[-200:])
                log.info(
                    "%.1f min, step %d, %d drawn, loss %.3f, %s", minutes, step, self.drawn, loss, self._judge(tests)
                )
                self._save()
        log.info("%s", self._judge(tests))
        self._save()

    def _restock(self) -> None:
        """Put fresh samples into the stock, in place of any once it is full."""
        fresh = self.stream.ready(at_least_one=False)
        self.drawn += len(fresh)
        for sample in fresh:
            if len(self.stock) < STOCK:
                self.stock.append(sample)
            else:
                self.stock[self.rng.integers(len(self.stock))] = sample

    def _step(self) -> float:
        """Learn from one batch."""
        chosen = [self.stock[i] for i in self.rng.integers(len(self.stock), size=BATCH)]
        corners, corner_labels, wholes, whole_labels = batch_of(chosen)
        telling = (corner_labels[:, 0] != glyphs.NONE_GLYPH) | (self.rng.random(len(corner_labels)) < NONES_KEPT)
        loss = self._loss(self.index, corners[telling], corner_labels[telling], INDEX_HEADS)
        if not self.given.index_alone:
            loss = loss + self._loss(self.whole, wholes, whole_labels, WHOLE_HEADS)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_([*self.index.parameters(), *self.whole.parameters()], 5.0)
        self.optimiser.step()
        return loss.item()

    def _loss(self, net: nn.Module, pictures: np.ndarray, labels: np.ndarray, heads: tuple[int, ...]) -> torch.Tensor:
        """Move and light the pictures a little, and compare answers with labels."""
        shift = self.rng.integers(-2, 3, 2)
        tensor = torch.from_numpy(np.roll(pictures, tuple(shift), (1, 2))).permute(0, 3, 1, 2).float()
        gain = torch.from_numpy(np.exp(self.rng.normal(0, 0.08, (len(pictures), 3, 1, 1))).astype(np.float32))
        offset = torch.from_numpy(self.rng.normal(0, 6, (len(pictures), 1, 1, 1)).astype(np.float32))
        tensor = (tensor * gain + offset).clamp(0, 255).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(tensor)
        return loss_of(logits, torch.from_numpy(labels), heads)

    def _draw_tests(self) -> tuple[np.ndarray, ...]:
        """Draw samples of decks in fonts that training never sees; once a folder, too."""
        kept = self.given.folder / "held_out.npz"
        if not kept.exists():
            unseen = Samples(np.random.default_rng(12345), stock=24, fonts=self.held_out)
            for _ in range(23):
                unseen.renew()
            np.savez(kept, *batch_of([unseen.draw() for _ in range(600)]))
        with np.load(kept) as arrays:
            return tuple(arrays.values())

    def _judge(self, tests: tuple[np.ndarray, ...]) -> str:
        """Tell the share of right best guesses on the held-out decks, a net and a head."""
        said = []
        corners, corner_labels, wholes, whole_labels = tests
        nets = ((self.index, corners, corner_labels, INDEX_HEADS), (self.whole, wholes, whole_labels, WHOLE_HEADS))
        for net, pictures, labels, heads in nets:
            net.eval()
            with torch.no_grad():
                logits = net(torch.from_numpy(pictures).permute(0, 3, 1, 2).float())
            net.train()
            for k, part in enumerate(logits.split(heads, 1)):
                asked = labels[:, k] >= 0
                said.append(f"{(part.argmax(1).numpy() == labels[:, k])[asked].mean():.3f}")
        return "held out: index " + "/".join(said[:2]) + " whole " + "/".join(said[2:])

    def _save(self) -> None:
        torch.save(
            {"index": self.index.state_dict(), "whole": self.whole.state_dict()}, self.given.folder / "readers.pt"
        )


if __name__ == "__main__":
    main()
