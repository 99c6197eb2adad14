#!/usr/bin/env python3
"""Makes an exported network two to three times faster: weights and activations of eight bits, scaled on training examples.

    quantise.py hands  --model RUN/hands.onnx  --data STILLS...          --export ../models/hands.onnx
    quantise.py touch  --model RUN/touch.onnx  --data PATCHES            --export ../models/touch.onnx
    quantise.py pieces --model RUN/pieces.onnx --data LOOKS... --arms STILLS --export ../models/pieces.onnx

Inputs and outputs stay float32.  Prints, on held-out examples, how far each output is from the exact network's and how often its sign
is the same, and the median time of one input on one thread.
"""
import argparse
import pathlib
import sys
import tempfile
import time

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

HERE = pathlib.Path(__file__).parent
CALIBRATE, COMPARE = 120, 120
# What stays exact: the first layer, whose colours and directions differ in scale, and the heads, whose numbers are places and
# heights; in the small networks all but the convolutions, since looks are told apart by small differences.
EXACT = {"hands": ("/s2/", "/head/", "/centres/", "/hands/")}


def hands(a, held_out, n, g):
    sys.path.insert(0, str(HERE / "hands")); import data
    sources = data.scenes(a.data, held_out); return [data.sample(sources[g.integers(len(sources))], g, exact=held_out)[0] for _ in range(n)]


def touch(a, held_out, n, g):
    sys.path.insert(0, str(HERE / "hands")); import touch as t
    sources = t.load(a.data[0], held_out); return [t.sample(sources[g.integers(len(sources))], g, exact=held_out)[0] for _ in range(n)]


def pieces(a, held_out, n, g):
    sys.path.insert(0, str(HERE / "pieces")); import episodes, net
    source, out = episodes.Episodes(a.data, held_out, episodes.Arms([a.arms])), []
    while len(out) < n:
        bgr, lean, *_ = source.draw(g, hard=not held_out); out += list(net.inputs(bgr, lean).numpy()[g.permutation(len(bgr))[:24]])
    return out[:n]


class Reader(CalibrationDataReader):
    def __init__(self, name, rows): self.rows = iter([{name: r[None]} for r in rows])
    def get_next(self): return next(self.rows, None)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("network", choices=("hands", "touch", "pieces")); a.add_argument("--model", type=pathlib.Path, required=True); a.add_argument("--data", type=pathlib.Path, nargs="+", required=True)
    a.add_argument("--arms", type=pathlib.Path); a.add_argument("--seed", type=int, default=1); a.add_argument("--export", type=pathlib.Path, required=True); a = a.parse_args()
    make, g = globals()[a.network], np.random.default_rng(a.seed); options = onnxruntime.SessionOptions(); options.intra_op_num_threads = 1
    exact = onnxruntime.InferenceSession(str(a.model), options); name = exact.get_inputs()[0].name
    with tempfile.TemporaryDirectory() as folder:
        prepared = pathlib.Path(folder) / "prepared.onnx"; quant_pre_process(str(a.model), str(prepared))
        exact_nodes = [n.name for n in onnx.load(str(prepared)).graph.node if n.name.startswith(EXACT.get(a.network, ()) or ("no such node",))]
        quantize_static(str(prepared), str(a.export), Reader(name, make(a, False, CALIBRATE, g)), quant_format=QuantFormat.QDQ, op_types_to_quantize=["Conv", "Add"], nodes_to_exclude=exact_nodes,
                        per_channel=True, weight_type=QuantType.QInt8, activation_type=QuantType.QUInt8, calibrate_method=CalibrationMethod.Percentile, extra_options=dict(CalibPercentile=99.999))
    small = onnxruntime.InferenceSession(str(a.export), options); rows = make(a, True, COMPARE, g); times = {}
    for title, session in (("exact", exact), ("eight bits", small)):
        for r in rows[:40]: begun = time.perf_counter(); session.run(None, {name: r[None]}); times.setdefault(title, []).append(1000 * (time.perf_counter() - begun))
    print({k: f"{np.median(v):.2f} ms" for k, v in times.items()}, f"{a.export.stat().st_size / 1e6:.2f} MB")
    outputs = [list(zip(exact.run(None, {name: r[None]}), small.run(None, {name: r[None]}))) for r in rows]
    for i, output in enumerate(exact.get_outputs()):
        u, v = (np.concatenate([o[i][k].ravel() for o in outputs]) for k in (0, 1)); print(f"{output.name}: off by {np.abs(u - v).mean():.4f} of {np.abs(u).mean():.4f}, same sign {((u > 0) == (v > 0)).mean():.4f}")


if __name__ == "__main__": main()
