"""The loss over known looks, and what is exported against what was trained."""
import numpy as np
import onnxruntime
import torch

from train import Means, Memory, Net, export


def some(seed: int):
    g = torch.Generator().manual_seed(seed); unit = lambda n: torch.nn.functional.normalize(torch.randn(n, 64, generator=g), dim=1); kinds = torch.tensor([0, 1, 2, 3, 7, 8, 12])
    return torch.zeros(9, 13), unit(9), torch.rand(9, generator=g) < .5, unit(35), kinds.repeat(5), torch.rand(35, generator=g) < .5


def test_a_kind_seen_in_one_colour_only_is_known_in_the_other():
    memory = Memory(); logits, e, dark, known, content, known_dark = some(2)
    with torch.no_grad(): s = memory(logits, e, dark, known, content, known_dark); swapped = memory(logits, e, dark, known, torch.where(content == 12, 6, content), known_dark)
    assert torch.allclose(s[:, 6], swapped[:, 6] - memory.colour.detach(), atol=1e-4)      # the king
    assert (s[:, [4, 5, 10, 11]] == memory.unseen.detach()).all()                          # rooks and queens were never seen


def test_a_look_finds_itself():
    logits, _, _, known, content, known_dark = some(3)
    for score in (Memory(), Means()):
        with torch.no_grad(): s = score(logits[:1].repeat(7, 1), known[:7], known_dark[:7], known[:7], content[:7], known_dark[:7])
        assert (s.argmax(1) == content[:7]).all()


def test_the_export_agrees(tmp_path):
    torch.manual_seed(0); net = Net().eval(); export(net, tmp_path / "p.onnx"); x = torch.rand(3, 3, 64, 64)
    got = onnxruntime.InferenceSession(str(tmp_path / "p.onnx")).run(["logits", "embedding", "hidden"], {"crops": x.numpy()})
    with torch.no_grad(): want = net(x)
    assert all(np.abs(a - b.numpy()).max() < 1e-4 for a, b in zip(got, want))
