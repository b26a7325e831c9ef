"""Writes the archives beside it, with torch 2.6 (Debian 13): python3 make.py.  tests/python/pt2_operators.py reads them without torch."""
import os

import numpy as np
import torch
from torch import nn

FOLDER = os.path.dirname(os.path.abspath(__file__))


class Small(nn.Module):
    """A convolution of stride 2, a mask of -inf, a batch that is not fixed, numbers computed of it."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, 2, 1)
        self.register_buffer("mask", torch.tensor([True, False, False]))

    def forward(self, x):
        y = self.conv(x).reshape(x.shape[0] * 2, 3, 3).masked_fill(self.mask, float("-inf"))
        return torch.softmax(y, -1), y[:, -1].max()


torch.manual_seed(1)
model = Small().eval()
inputs = [torch.randn(n, 1, 5, 5) for n in (2, 3)]
with torch.no_grad():
    program = torch.export.export(model, (inputs[0],), dynamic_shapes={"x": {0: torch.export.Dim("n", max=64)}}, strict=False)
    torch.export.save(program, os.path.join(FOLDER, "small.pt2"))
    torch.export.save(program.run_decompositions(), os.path.join(FOLDER, "small-core.pt2"))
    results = [model(x) for x in inputs]
np.savez_compressed(os.path.join(FOLDER, "small.npz"), **{f"{name}{i}": value.numpy() for i, (x, (y, most)) in enumerate(zip(inputs, results)) for name, value in (("x", x), ("y", y), ("most", most))})
