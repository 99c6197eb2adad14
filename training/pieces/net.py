"""The square reader's network, the scores the program makes of it, and its export."""
import pathlib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

CONTENTS = 13                  # empty, P N B R Q K, p n b r q k


class Block(nn.Module):
    def __init__(self, a: int, b: int, stride: int):
        super().__init__()
        self.c1, self.n1 = nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b)
        self.c2, self.n2 = nn.Conv2d(b, b, 3, 1, 1, bias=False), nn.BatchNorm2d(b)
        alike = a == b and stride == 1
        self.skip = nn.Identity() if alike else nn.Sequential(nn.Conv2d(a, b, 1, stride, bias=False), nn.BatchNorm2d(b))

    def forward(self, x): return F.relu(self.n2(self.c2(F.relu(self.n1(self.c1(x))))) + self.skip(x))


class Net(nn.Module):
    """`crops` [N,4,64,64], RGB 0..1 and the length of the up vector, to `logits` [N,13], `embedding` [N,64] of unit length,
    `hidden` [N] (a logit) and `lean` [N,2], what is to be added to the up vector that was believed, (0, its length), in
    the crop's frame (right, up; squares).  Contents by the cosine to one direction per class, so that the embedding can
    serve prototypes."""
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(4, 24, 5, 2, 2, bias=False), nn.BatchNorm2d(24), nn.ReLU())
        self.body = nn.Sequential(Block(24, 40, 2), Block(40, 80, 2), Block(80, 128, 2))
        self.embed = nn.Linear(128 * 16, 64); self.hide, self.lean = nn.Linear(128, 1), nn.Linear(128 * 16, 2)
        self.classes = nn.Parameter(torch.randn(CONTENTS, 64)); self.scale = nn.Parameter(torch.tensor(12.0))
        self.bias = nn.Parameter(torch.zeros(CONTENTS))

    def forward(self, x):
        f = self.body(self.stem((x - .45) / .25))
        e = F.normalize(self.embed(F.dropout(f.flatten(1), .2, self.training)), dim=1)
        return self.scale * e @ F.normalize(self.classes, dim=1).T + self.bias, e, self.hide(f.mean((2, 3))).squeeze(1), self.lean(f.flatten(1))

    def load_older(self, state: dict) -> None:
        """Weights of a network that may have seen colours only, or told no lean."""
        w = state["stem.0.weight"]; state = {**state, "stem.0.weight": torch.cat([w, torch.zeros_like(w[:, :1])], 1)} if w.shape[1] == 3 else state
        self.load_state_dict(state, strict=False)


class Means(nn.Module):
    """Scores as `src/vision/squares.rs` works them out: the logits, and the likeness to the mean look of each content on
    squares of each colour."""
    OTHER_COLOUR, UNSEEN = .02, .35

    def __init__(self, logit: float = .3, likeness: float = 14.):
        super().__init__(); self.logit, self.likeness = nn.Parameter(torch.tensor(logit)), nn.Parameter(torch.tensor(likeness))

    def forward(self, logits, e, dark, known, content, known_dark):
        """logits [N,13], e [N,64], dark [N]; known [M,64], content [M], known_dark [M] -> [N,13]."""
        row = content * 2 + known_dark.long(); which = F.one_hot(row, 2 * CONTENTS).to(e.dtype)
        mean = F.normalize(which.T @ known, dim=1).view(CONTENTS, 2, 64); has = (which.sum(0) > 0).view(CONTENTS, 2)
        like = torch.einsum("nd,csd->ncs", e, mean) - self.OTHER_COLOUR * (dark[:, None, None] != torch.tensor([False, True], device=e.device))
        best = like.masked_fill(~has, -9.).amax(2); best = torch.where(has.any(1), best, torch.full_like(best, self.UNSEEN))
        return self.logit * logits + self.likeness * best


def inputs(bgr, lean) -> torch.Tensor:
    """uint8 [N,64,64,3] and [N] to the network's input."""
    x = torch.from_numpy(np.ascontiguousarray(bgr[..., ::-1])).permute(0, 3, 1, 2).float() / 255
    return with_lean(x, torch.as_tensor(np.asarray(lean), dtype=torch.float32))


def with_lean(x: torch.Tensor, lean: torch.Tensor) -> torch.Tensor:
    return torch.cat([x, lean.view(-1, 1, 1, 1).expand(-1, 1, *x.shape[2:]).to(x)], 1)


def export(net: Net, path: pathlib.Path) -> float:
    """Writes ONNX and returns the largest difference of its outputs to PyTorch's."""
    import onnxruntime
    names = ["logits", "embedding", "hidden", "lean"]; net.eval()
    torch.onnx.export(net, torch.zeros(2, 4, 64, 64), str(path), input_names=["crops"], output_names=names,
                      dynamic_axes={k: {0: "n"} for k in ("crops", *names)}, opset_version=17, dynamo=False)
    x = torch.rand(5, 4, 64, 64); got = onnxruntime.InferenceSession(str(path)).run(None, {"crops": x.numpy()})
    with torch.no_grad(): return max(float(np.abs(a - b.numpy()).max()) for a, b in zip(got, net(x)))
