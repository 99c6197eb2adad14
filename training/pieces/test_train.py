"""What is trained is what is evaluated, and what is exported is what was trained."""
import numpy as np
import onnxruntime
import torch

import evaluate
from train import Memory, Net, export


def some(seed: int):
    rng = np.random.default_rng(seed); unit = lambda n: (v := rng.standard_normal((n, 64))) / np.linalg.norm(v, axis=1, keepdims=True)
    return rng.standard_normal((9, 13)), unit(9), rng.random(9) < .5, unit(30), rng.choice([0, 1, 2, 3, 7, 8, 12], 30), rng.random(30) < .5


def test_both_weigh_looks_alike():
    memory = Memory(); logits, e, dark, known, content, known_dark = some(1); t = torch.from_numpy
    with torch.no_grad(): trained = memory(t(logits), t(e), t(dark), t(known), t(content), t(known_dark)).numpy()
    weights = [float(v) for v in (memory.sharp, memory.crowd, memory.shade, memory.colour, memory.unseen, memory.logit)]
    assert np.abs(trained - evaluate.weigh(logits, e, dark, known, content, known_dark, weights)).max() < 1e-5


def test_a_kind_seen_in_one_colour_only_is_known_in_the_other():
    _, e, dark, known, content, known_dark = some(2); zero = np.zeros((9, 13)); s = evaluate.weigh(zero, e, dark, known, content, known_dark, (10, 1, 0, 2, 4, .5))
    assert np.allclose(s[:, 6], evaluate.weigh(zero, e, dark, known, np.where(content == 12, 6, content), known_dark, (10, 1, 0, 2, 4, .5))[:, 6] - 2)      # the king
    assert (s[:, [4, 5, 10, 11]] == 4).all()                # rooks and queens were never seen


def test_the_export_agrees(tmp_path):
    torch.manual_seed(0); net, memory = Net().eval(), Memory(); export(net, memory, tmp_path / "p.onnx"); x = torch.rand(3, 3, 64, 64)
    got = onnxruntime.InferenceSession(str(tmp_path / "p.onnx")).run(["logits", "embedding", "hidden", "weights"], {"crops": x.numpy()})
    with torch.no_grad(): want = net(x)
    assert all(np.abs(a - b.numpy()).max() < 1e-4 for a, b in zip(got, want)) and got[3].shape == (6,)
