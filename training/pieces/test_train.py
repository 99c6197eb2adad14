"""The scores over known looks, and what is exported against what was trained."""
import numpy as np
import onnxruntime
import torch

from finetune import weights
from net import Means, Net, export


def some(seed: int):
    g = torch.Generator().manual_seed(seed); unit = lambda n: torch.nn.functional.normalize(torch.randn(n, 64, generator=g), dim=1)
    kinds = torch.tensor([0, 1, 2, 3, 7, 8, 12])
    return torch.zeros(9, 13), unit(9), torch.rand(9, generator=g) < .5, unit(35), kinds.repeat(5), torch.rand(35, generator=g) < .5


def test_a_kind_that_was_never_seen_has_a_likeness_of_its_own():
    means = Means()
    with torch.no_grad(): s = means(*some(2))
    assert torch.allclose(s[:, [4, 5, 10, 11]], means.likeness.detach() * Means.UNSEEN)


def test_a_look_finds_itself():
    logits, _, _, known, content, dark = some(3)
    with torch.no_grad(): s = Means()(logits[:1].repeat(7, 1), known[:7], dark[:7], known[:7], content[:7], dark[:7])
    assert (s.argmax(1) == content[:7]).all()


def test_scores_by_hand():
    """Two looks of one kind on a square of one colour count as their mean, and a little less on the other colour."""
    means = Means(logit=.5, likeness=10.); e = torch.eye(64)[:1]; known = torch.eye(64)[:2]; alike, other = torch.tensor([True]), torch.tensor([False])
    with torch.no_grad(): s = [float(means(torch.ones(1, 13), e, d, known, torch.tensor([5, 5]), torch.tensor([True, True]))[0, 5]) for d in (alike, other)]
    assert np.allclose(s, [.5 + 10 * 2 ** -.5, .5 + 10 * (2 ** -.5 - .02)], atol=1e-5)


def test_the_export_agrees(tmp_path):
    torch.manual_seed(0); net = Net().eval(); assert export(net, tmp_path / "p.onnx") < 1e-4; x = torch.rand(3, 4, 64, 64)
    got = onnxruntime.InferenceSession(str(tmp_path / "p.onnx")).run(["logits", "embedding", "hidden", "lean"], {"crops": x.numpy()})
    with torch.no_grad(): assert all(np.abs(a - b.numpy()).max() < 1e-4 for a, b in zip(got, net(x)))


def test_training_goes_on_from_the_exported_weights(tmp_path):
    """The export merges normalisations into convolutions; `finetune.weights` takes them apart again."""
    torch.manual_seed(1); net = Net()
    with torch.no_grad(): [net(torch.rand(8, 4, 64, 64)) for _ in range(3)]             # normalisations that do something
    export(net, tmp_path / "p.onnx"); again = Net(); weights(again, tmp_path / "p.onnx"); x = torch.rand(3, 4, 64, 64); again.eval()
    with torch.no_grad(): assert all(torch.allclose(a, b, atol=1e-4) for a, b in zip(net(x), again(x)))
