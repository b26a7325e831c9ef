#!/usr/bin/env python3
"""Trains the network of data/models/fashion_mlp.safetensors: 784-128-10 with relu, on Fashion-MNIST.

    train_fashion_mlp.py OUT.safetensors [--epochs N]
    train_fashion_mlp.py IN.safetensors --logits 42         what they say about a test picture, in double precision (the tests' reference)

Needs numpy and Debian's package dataset-fashion-mnist.  Images are divided by 255.  Weights start as He's (seed 2024), Adam with
a rate that falls from 1e-3 to 0 along half a cosine, batches of 128, 12 epochs over the 60,000 training images; the test
images are only used for the last line that is printed.  The same numpy on the same kind of processor gives the same file; elsewhere sums are
rounded in another order and the accuracy moves by some images.  The file in data/models has 8,827 of the 10,000 test images right.

The tensors: w0 (128, 784), b0 (128), w1 (10, 128), b1 (10), float32: logits = relu(x @ w0.T + b0) @ w1.T + b1.
"""
import argparse
import gzip
import json
import struct

import numpy as np

FOLDER = "/usr/share/datasets/fashion-mnist/"


def read(kind):
    with gzip.open(f"{FOLDER}{kind}-images-idx3-ubyte.gz") as file:
        images = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784)
    with gzip.open(f"{FOLDER}{kind}-labels-idx1-ubyte.gz") as file:
        labels = np.frombuffer(file.read(), np.uint8, offset=8)
    return images.astype(np.float32) / np.float32(255), labels.astype(np.int64)


def logits(p, x):
    return np.maximum(x @ p["w0"].T + p["b0"], 0) @ p["w1"].T + p["b1"]


def gradients(p, x, y):
    hidden = np.maximum(x @ p["w0"].T + p["b0"], 0)
    scores = hidden @ p["w1"].T + p["b1"]
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    scores /= scores.sum(axis=1, keepdims=True)
    scores[np.arange(len(y)), y] -= 1
    scores /= np.float32(len(y))
    back = (scores @ p["w1"]) * (hidden > 0)
    return {"w0": back.T @ x, "b0": back.sum(axis=0), "w1": scores.T @ hidden, "b1": scores.sum(axis=0)}


def train(x, y, epochs, batch=128, rate=1e-3):
    rng = np.random.default_rng(2024)
    p = {"w0": rng.standard_normal((128, 784), np.float32) * np.float32((2 / 784) ** 0.5), "b0": np.zeros(128, np.float32),
         "w1": rng.standard_normal((10, 128), np.float32) * np.float32((2 / 128) ** 0.5), "b1": np.zeros(10, np.float32)}
    first = {name: np.zeros_like(value) for name, value in p.items()}
    second = {name: np.zeros_like(value) for name, value in p.items()}
    steps, step = epochs * (len(x) // batch), 0
    for epoch in range(epochs):
        order = rng.permutation(len(x))
        for i in range(0, len(x) - batch + 1, batch):
            picked = order[i:i + batch]
            step += 1
            now = rate * 0.5 * (1 + np.cos(np.pi * step / steps))
            for name, g in gradients(p, x[picked], y[picked]).items():
                first[name] = np.float32(0.9) * first[name] + np.float32(0.1) * g
                second[name] = np.float32(0.999) * second[name] + np.float32(0.001) * g * g
                size = now * np.sqrt(1 - 0.999 ** step) / (1 - 0.9 ** step)
                p[name] -= np.float32(size) * first[name] / (np.sqrt(second[name]) + np.float32(1e-8))
    return p


def write_safetensors(path, tensors):
    header, at = {}, 0
    for name, value in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [at, at + value.nbytes]}
        at += value.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + b"".join(np.ascontiguousarray(v).tobytes() for v in tensors.values()))


def read_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    n = struct.unpack("<Q", data[:8])[0]
    return {name: np.frombuffer(data[8 + n:][slice(*row["data_offsets"])], np.float32).reshape(row["shape"])
            for name, row in json.loads(data[8:8 + n]).items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--logits", type=int)
    options = parser.parse_args()
    if options.logits is not None:
        weights = {name: value.astype(np.float64) for name, value in read_safetensors(options.out).items()}
        print(logits(weights, read("t10k")[0][options.logits].astype(np.float64)).tolist())
        return
    weights = train(*read("train"), options.epochs)
    x, y = read("t10k")
    right = int((logits(weights, x).argmax(axis=1) == y).sum())
    write_safetensors(options.out, weights)
    print(f"{options.out}: {right} of {len(y)} test images right")


if __name__ == "__main__":
    main()
