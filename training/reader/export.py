"""Write trained readers as ONNX: `python -m linesies.training.reader.export readers.pt FOLDER`."""

import sys
from pathlib import Path

import torch

from linesies.training.onnx_file import write_onnx
from linesies.training.reader.nets import IndexNet, WholeNet
from linesies.vision.cards.read import indices


def export(state_file: Path, folder: Path) -> None:
    """Write `index_reader.onnx` and `whole_reader.onnx`, which take any number of pictures at once."""
    state = torch.load(state_file)
    for name, size_px, net in (("index", indices.INDEX_PX, IndexNet()), ("whole", indices.WHOLE_PX, WholeNet())):
        net.load_state_dict(state[name])
        write_onnx(net, {"pictures": torch.zeros(2, 3, size_px[1], size_px[0])}, folder / f"{name}_reader.onnx")


if __name__ == "__main__":
    export(Path(sys.argv[1]), Path(sys.argv[2]))
