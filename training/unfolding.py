"""A shipped network as one that can be trained on: its norms, folded into convolutions, are unfolded."""

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

Normed = tuple[nn.Conv2d, nn.BatchNorm2d]
SAME = 0.001  # what roundings may change in what a network says


def unfold(net: nn.Module, shipped: Path, pictures: Tensor) -> None:
    """Give `net` what a shipped file of the same network says.

    Each norm is set so that it changes nothing in what was folded, and so that on these pictures (N, 3, H, W) that
    also holds while it is trained. Raises ValueError if it says other things than the file then.
    """
    graph = onnx.load(str(shipped)).graph
    weights = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    own = net.state_dict()
    net.load_state_dict({name: weights.get(name, value) for name, value in own.items()})
    folded = [node.input[1:] for node in graph.node if node.op_type == "Conv" and node.input[1] not in own]
    normed = _normed(net)
    with torch.no_grad():
        for (conv, norm), (weight, shift) in zip(normed, folded, strict=True):
            conv.weight.copy_(weights[weight])
            norm.bias.copy_(weights[shift])
            norm.running_var.fill_(1 - norm.eps)
        _centre([norm for _, norm in normed], net, pictures)
        if not np.allclose(net(pictures[:1]).numpy(), _said(shipped, pictures[:1]), atol=SAME):
            raise ValueError(f"{shipped} says other things than this network with its weights")


def _said(shipped: Path, pictures: Tensor) -> np.ndarray:
    """Ask the file itself, as the program does."""
    asked = cv2.dnn.readNetFromONNX(str(shipped))
    asked.setInput(pictures.numpy())
    return np.asarray(asked.forward())


def _normed(net: nn.Module) -> list[Normed]:
    """List the convolutions that a norm follows, in the order in which a picture passes them."""
    passed: list[nn.Module] = []
    parts = [part for part in net.modules() if isinstance(part, nn.Conv2d | nn.BatchNorm2d)]
    hooks = [part.register_forward_hook(lambda part, *_: passed.append(part)) for part in parts]
    with torch.no_grad():
        net.eval()(torch.zeros(1, 3, 64, 64))
    for hook in hooks:
        hook.remove()
    both = [(one, two) for one, two in pairwise(passed) if isinstance(two, nn.BatchNorm2d)]
    return [(conv, norm) for conv, norm in both if isinstance(conv, nn.Conv2d)]


def _centre(norms: list[nn.BatchNorm2d], net: nn.Module, pictures: Tensor) -> None:
    """Set each norm's mean and variance to those of what it is given, and its scale and shift to undo that."""
    given: dict[nn.Module, Tensor] = {}
    hooks = [norm.register_forward_hook(lambda norm, x, _: given.update({norm: x[0]})) for norm in norms]
    net.eval()(pictures)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        variance, mean = torch.var_mean(given[norm], (0, 2, 3))
        norm.weight.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.add_(mean)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
