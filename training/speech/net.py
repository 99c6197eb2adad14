"""The network: causal convolutions in time over mel features, no state; one answer for every 20 ms."""

import torch
from torch import nn

WIDTH = 72
DILATIONS = (1, 2, 4, 8, 8)
KERNEL = 5
# Features (10 ms) of which one answer knows: the first convolution's, then those of the blocks at half the rate.
REACH = KERNEL + 2 * (KERNEL - 1) * sum(DILATIONS)


class Block(nn.Module):
    """Depthwise in time, then across channels, around a shortcut."""

    def __init__(self, width: int, dilation: int):
        super().__init__()
        self.cut = (KERNEL - 1) * dilation
        self.time = nn.Conv1d(width, width, KERNEL, dilation=dilation, groups=width, bias=False)
        self.norm = nn.BatchNorm1d(width)
        self.mix = nn.Conv1d(width, width, 1)
        self.out = nn.BatchNorm1d(width)

    def forward(self, x):
        y = torch.relu(self.norm(self.time(x)))
        return torch.relu(x[..., self.cut :] + self.out(self.mix(y)))


class Spotter(nn.Module):
    """(batch, frames, bands) to logits (batch, steps, classes) and times (batch, steps, 2): for how long the
    announcement lasted, and since when it has ended, both in seconds."""

    def __init__(self, bands: int, classes: int, width: int = WIDTH):
        super().__init__()
        self.into = nn.Sequential(nn.Conv1d(bands, width, KERNEL, stride=2, bias=False), nn.BatchNorm1d(width), nn.ReLU())
        self.blocks = nn.Sequential(*(Block(width, d) for d in DILATIONS))
        self.last = nn.Sequential(nn.Conv1d(width, width, 1), nn.ReLU())
        self.logits = nn.Conv1d(width, classes, 1)
        self.times = nn.Conv1d(width, 2, 1)

    def forward(self, features):
        x = features.transpose(1, 2) * 0.4 - 1.0
        x = self.last(self.blocks(self.into(x)))
        return self.logits(x).transpose(1, 2), self.times(x).transpose(1, 2)


class Exported(nn.Module):
    """Probabilities and times side by side, as the program reads them."""

    def __init__(self, net: Spotter):
        super().__init__()
        self.net = net

    def forward(self, features):
        logits, times = self.net(features)
        return torch.cat([torch.softmax(logits, -1), times], -1)
