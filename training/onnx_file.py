"""Trained nets as files that the program reads."""

from pathlib import Path

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
