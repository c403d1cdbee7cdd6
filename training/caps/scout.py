"""Teach the net that scouts the ground for caps, a wide piece at a time (needs the extra `training`).

    python -m linesies.training.caps.scout NETS_FOLDER SAMPLES.npz... [--passes 12]

It is taught cuts, as the nets that see caps are; it has nothing but convolutions, so that on a wide piece of ground it
tells the same of a place every 16 mm. Writes scout.onnx. Options as of `linesies.training.caps`.
"""

import numpy as np
import torch
from numpy.typing import NDArray

from linesies.training.caps.augment import augmented
from linesies.training.caps.course import course_parser, read_course, teach
from linesies.training.caps.finding import loss_of_finding
from linesies.training.caps.nets import ScoutNet
from linesies.training.onnx_file import write_onnx
from linesies.vision.caps.scouting import NET, PIECE_PX


def main() -> None:
    """Teach and export."""
    course, net = read_course(course_parser(__doc__ or "", passes=12).parse_args()), ScoutNet()

    def loss_of(part: NDArray[np.intp]) -> torch.Tensor:
        shown = augmented(course.stock.drawn(part))
        told = net(shown.planes, shown.leans)[:, :, 0, 0]
        return loss_of_finding(told[:, 0], told[:, 1:], shown)

    teach(course, net, course.stock.lessons, loss_of)
    inputs = {"planes": torch.zeros(2, 6, PIECE_PX, PIECE_PX), "leans": torch.zeros(2, 1)}
    write_onnx(net, inputs, course.folder / f"{NET}.onnx")


if __name__ == "__main__":
    main()
