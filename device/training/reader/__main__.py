"""Train the two readers, `index_reader.onnx` and `whole_reader.onnx`, on drawn decks (needs the extra `training`).

    python -m device.training.reader FOLDER --minutes 80 [--from FOLDER/readers.pt] [--fonts DIR] [--seed 1]

Decks come from `device.training.decks`, drawn by lot with the fonts found on this machine (Debian's `fonts-*` packages);
families whose name's checksum is divisible by 8 are held out for judging. One core, bfloat16, AdamW; the rate falls along
a cosine over the given minutes. Every few minutes the state is saved and the held-out measure printed. The same
seed, fonts and number of steps give the same nets; a time limit cuts at a step that depends on the machine.
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch

from device.training.decks import find_fonts, split_fonts
from device.training.reader.nets import INDEX_HEADS, WHOLE_HEADS, ReaderNet, loss_of
from device.training.reader.samples import Sample, Samples, batch_of
from vision.cards.indices import INDEX_PX, WHOLE_PX

BATCH = 48
REUSES = 3  # a drawn sample is learned from this often, each time moved and lit a little differently
DECK_EVERY = 2500  # samples
RATE = 2e-3


def main() -> None:
    """Train until the minutes are over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=80)
    parser.add_argument("--from", dest="start", type=Path)
    parser.add_argument("--fonts", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--last", type=float, default=0.0, help="the rate's share at the end")
    given = parser.parse_args()
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
        known, held_out = split_fonts(find_fonts(given.fonts))
        self.samples = Samples(self.rng, stock=48, fonts=known)
        self.unseen = Samples(np.random.default_rng(12345), stock=24, fonts=held_out)
        self.index, self.whole = ReaderNet(INDEX_PX, INDEX_HEADS), ReaderNet(WHOLE_PX, WHOLE_HEADS)
        if given.start:
            state = torch.load(given.start)
            self.index.load_state_dict(state["index"])
            self.whole.load_state_dict(state["whole"])
        for net in (self.index, self.whole):
            net.to(memory_format=torch.channels_last)
        self.optimiser = torch.optim.AdamW(
            [*self.index.parameters(), *self.whole.parameters()], RATE, weight_decay=0.02
        )
        self.stock: list[Sample] = []

    def run(self) -> None:
        """Train, report and save until the time is over."""
        for _ in range(10):
            self.samples.renew()
        tests = self._draw_tests()
        begin, step, drawn, losses = time.monotonic(), 0, 0, []
        reported = begin
        while (share := (time.monotonic() - begin) / (60 * self.given.minutes)) < 1:
            for group in self.optimiser.param_groups:
                wave = 0.5 * (1 + np.cos(np.pi * share))
                group["lr"] = RATE * min(1.0, (step + 1) / 300) * (self.given.last + (1 - self.given.last) * wave)
            for _ in range(BATCH // REUSES):
                self._draw_one()
                drawn += 1
                if drawn % (DECK_EVERY if drawn > 20000 else 500) == 0:
                    self.samples.renew()
            losses.append(self._step(step))
            step += 1
            if time.monotonic() - reported > 150:
                reported = time.monotonic()
                print(
                    f"{(reported - begin) / 60:.1f} min step {step} drawn {drawn} loss {np.mean(losses[-200:]):.3f}",
                    end=" ",
                )
                print(self._judge(tests), flush=True)
                self._save()
        print(self._judge(tests))
        self._save()

    def _draw_one(self) -> None:
        """Put a fresh sample into the stock, in place of any one once it is full."""
        sample = self.samples.draw()
        if len(self.stock) < 4000:
            self.stock.append(sample)
        else:
            self.stock[self.rng.integers(len(self.stock))] = sample

    def _step(self, step: int) -> float:
        """Learn from one batch; the whole-card net every other time."""
        chosen = [self.stock[i] for i in self.rng.integers(len(self.stock), size=BATCH)]
        corners, corner_labels, wholes, whole_labels = batch_of(chosen)
        loss = self._loss(self.index, corners, corner_labels, INDEX_HEADS)
        if step % 2 == 0:
            loss = loss + self._loss(self.whole, wholes, whole_labels, WHOLE_HEADS)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*self.index.parameters(), *self.whole.parameters()], 5.0)
        self.optimiser.step()
        return loss.item()

    def _loss(self, net: ReaderNet, pictures: np.ndarray, labels: np.ndarray, heads: tuple[int, ...]) -> torch.Tensor:
        """Move and light the pictures a little, and compare answers with labels."""
        shift = self.rng.integers(-2, 3, 2)
        tensor = torch.from_numpy(np.roll(pictures, tuple(shift), (1, 2))).permute(0, 3, 1, 2).float()
        gain = torch.from_numpy(np.exp(self.rng.normal(0, 0.08, (len(pictures), 3, 1, 1))).astype(np.float32))
        offset = torch.from_numpy(self.rng.normal(0, 6, (len(pictures), 1, 1, 1)).astype(np.float32))
        tensor = (tensor * gain + offset).clamp(0, 255).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = net(tensor)
        return loss_of(logits, torch.from_numpy(labels), heads)

    def _draw_tests(self) -> tuple:
        """Draw samples of decks in fonts that training never sees."""
        for _ in range(23):
            self.unseen.renew()
        return batch_of([self.unseen.draw() for _ in range(600)])

    def _judge(self, tests: tuple) -> str:
        """Tell the share of right best guesses on the held-out decks, a net and a head."""
        said = []
        for net, pictures, labels, heads in (
            (self.index, *tests[:2], INDEX_HEADS),
            (self.whole, *tests[2:], WHOLE_HEADS),
        ):
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
