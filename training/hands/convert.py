#!/usr/bin/env python3
"""MediaPipe's palm detector and hand landmark model as ONNX.

    python3 -m venv build/venv && build/venv/bin/pip install -r requirements.txt
    build/venv/bin/python convert.py --out ../../models

The two tflite files come from the PyPI wheel `mediapipe` (Apache-2.0), fetched by name and version
and checked by hash. Weights and graphs are not changed; outputs get names that say what they are.
The result is compared with the tflite interpreter on random pictures.
"""
import argparse
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy as np
import onnx
import onnxruntime
import tensorflow as tf

WHEEL = "mediapipe==0.10.21"
MODELS = {
    "palm_detection": dict(
        path="mediapipe/modules/palm_detection/palm_detection_full.tflite",
        sha256="1b14e9422c6ad006cde6581a46c8b90dd573c07ab7f3934b5589e7cea3f89a54",
        # [1,2016,18]: box and seven keypoints per anchor, input pixels; [1,2016,1]: score before the sigmoid.
        outputs={"Identity": "regressors", "Identity_1": "classificators"},
    ),
    "hand_landmarks": dict(
        path="mediapipe/modules/hand_landmark/hand_landmark_full.tflite",
        sha256="11c272b891e1a99ab034208e23937a8008388cf11ed2a9d776ed3d01d0ba00e3",
        # [1,63]: 21 points x,y,z in input pixels; [1,1]: P(hand); [1,1]: P(right hand) of a picture that is not mirrored; [1,63]: metres.
        outputs={"Identity": "landmarks", "Identity_1": "presence", "Identity_2": "handedness", "Identity_3": "world"},
    ),
}


def rename(model: onnx.ModelProto, names: dict[str, str]) -> None:
    """Renames graph outputs wherever they are produced or used."""
    for node in model.graph.node:
        for list_ in (node.input, node.output):
            list_[:] = [names.get(n, n) for n in list_]
    for output in model.graph.output:
        output.name = names.get(output.name, output.name)


def compare(tflite: bytes, onnx_path: pathlib.Path, names: dict[str, str]) -> float:
    """Largest difference between tflite and ONNX, relative to the output's largest value."""
    interpreter = tf.lite.Interpreter(model_content=tflite)
    interpreter.allocate_tensors()
    session = onnxruntime.InferenceSession(str(onnx_path), providers=["CPUExecutionProvider"])
    source, worst = interpreter.get_input_details()[0], 0.0
    for seed in range(3):
        x = np.random.default_rng(seed).random(source["shape"], dtype=np.float32)
        interpreter.set_tensor(source["index"], x)
        interpreter.invoke()
        for detail, got in zip(sorted(interpreter.get_output_details(), key=lambda d: d["name"]), session.run(list(names.values()), {"input_1": x})):
            want = interpreter.get_tensor(detail["index"])
            worst = max(worst, float(np.abs(want.reshape(-1) - got.reshape(-1)).max() / max(1.0, np.abs(want).max())))
    return worst


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--out", type=pathlib.Path, required=True)
    out = args.parse_args().out
    with tempfile.TemporaryDirectory() as temp:
        subprocess.run([sys.executable, "-m", "pip", "-q", "download", "--no-deps", "-d", temp, WHEEL], check=True)
        wheel = zipfile.ZipFile(next(pathlib.Path(temp).glob("*.whl")))
        for name, spec in MODELS.items():
            tflite = wheel.read(spec["path"])
            digest = hashlib.sha256(tflite).hexdigest()
            if digest != spec["sha256"]:
                sys.exit(f"{spec['path']}: sha256 is {digest}, expected {spec['sha256']}")
            source, target = pathlib.Path(temp, name + ".tflite"), out / f"{name}.onnx"
            source.write_bytes(tflite)
            subprocess.run([sys.executable, "-m", "tf2onnx.convert", "--tflite", source, "--output", target, "--opset", "17"], check=True, capture_output=True)
            model = onnx.load(target)
            rename(model, spec["outputs"])
            onnx.save(model, target)
            print(f"{target}: largest relative difference to tflite {compare(tflite, target, spec['outputs']):.2e}")


if __name__ == "__main__":
    main()
