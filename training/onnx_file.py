"""Trained nets as files that the program reads."""

from pathlib import Path

import onnx
import torch
from torch import nn


def write_onnx(net: nn.Module, inputs: dict[str, torch.Tensor], path: Path) -> None:
    """Write a net as ONNX that takes any number of these inputs, given by name as two of each, and says `answers`."""
    torch.onnx.export(
        net.eval(),
        tuple(inputs.values()),
        str(path),
        input_names=list(inputs),
        output_names=["answers"],
        dynamic_axes={name: {0: "n"} for name in (*inputs, "answers")},
        dynamo=False,
    )
    _say_one_of_each(path)


def _say_one_of_each(path: Path) -> None:
    """Have a file say one of each input: OpenCV 4 joins no inputs whose number is open, and takes any number anyway."""
    model = onnx.load(path)
    for given in model.graph.input:
        given.type.tensor_type.shape.dim[0].dim_value = 1
    onnx.save(model, path)
