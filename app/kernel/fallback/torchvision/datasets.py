"""The pictures of Fashion-MNIST as Debian's package dataset-fashion-mnist has them, or the sample of them that comes with Loopscope; they
are read where they are."""
import gzip
import os
import sys

import numpy as np
from loopscope_kernel import offline


def _read(part, name):
    """An idx file: two zero bytes, the kind of number (8: a byte), how many dimensions, their sizes, the numbers."""
    path = os.path.join(offline.pictures(part)[0], f"{part}-{name}-ubyte.gz")
    if not os.path.exists(path):
        raise RuntimeError(f"the pictures are not here: {path} is missing. On Debian: apt-get install dataset-fashion-mnist")
    with gzip.open(path) as file:
        data = file.read()
    if data[:3] != b"\0\0\x08":
        raise RuntimeError(f"{path} is not a file of bytes in idx form; it begins with {data[:4].hex()}, expected 000008")
    rank = data[3]
    shape = tuple(int.from_bytes(data[4 + 4 * i : 8 + 4 * i], "big") for i in range(rank))
    return np.frombuffer(data, np.uint8, int(np.prod(shape)), 4 + 4 * rank).reshape(shape).copy()


def _array(values):
    try:
        import torch
    except ImportError:
        return values
    return torch.from_numpy(values)


class FashionMNIST:
    """The 60,000 pictures to train with, or the 10,000 to test with; each is a pair of picture and class."""

    classes = ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"]

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        self.root, self.train = os.path.expanduser(root), train
        self.transform, self.target_transform = transform, target_transform
        if download:
            self.download()
        part = "train" if train else "t10k"
        self.data = _array(_read(part, "images-idx3"))
        self.targets = _array(_read(part, "labels-idx1").astype(np.int64))

    def download(self):
        """Says where the pictures are from; nothing is fetched."""
        folder, sample = offline.pictures("train" if self.train else "t10k")
        print(f"dataset-fashion-mnist is not installed: {sample}" if sample else f"torchvision is not installed; the pictures are read from {folder}",
              file=sys.stderr)

    download._loopscope = True

    @property
    def class_to_idx(self):
        """The number of each class."""
        return {name: number for number, name in enumerate(self.classes)}

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        picture, label = np.asarray(self.data[index]), int(self.targets[index])
        try:
            from PIL import Image
        except ImportError:
            pass
        else:
            picture = Image.fromarray(picture, mode="L")
        return (picture if self.transform is None else self.transform(picture),
                label if self.target_transform is None else self.target_transform(label))


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise ImportError(f"torchvision.datasets.{name}: torchvision is not installed, and only FashionMNIST is here without it. "
                      "On Debian: apt-get install python3-torchvision")
