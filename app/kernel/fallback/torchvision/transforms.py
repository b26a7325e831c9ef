"""ToTensor, Normalize and Compose, as the course's chapters put them on a picture."""
import numpy as np
import torch


class ToTensor:
    """A picture or an array (h, w) or (h, w, c) -> a tensor (c, h, w); bytes become float32 between 0 and 1."""

    def __call__(self, picture):
        array = np.asarray(picture)
        if array.ndim not in (2, 3):
            raise ValueError(f"a picture has 2 or 3 dimensions, not {array.ndim}")
        array = array[None] if array.ndim == 2 else array.transpose(2, 0, 1)
        tensor = torch.from_numpy(np.array(array, order="C"))
        return tensor.to(torch.get_default_dtype()) / 255 if array.dtype == np.uint8 else tensor

    def __repr__(self):
        return "ToTensor()"


class Normalize:
    """(tensor - mean) / std for each channel."""

    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, tensor):
        mean, std = (torch.as_tensor(values, dtype=tensor.dtype).reshape(-1, 1, 1) for values in (self.mean, self.std))
        return (tensor - mean) / std

    def __repr__(self):
        return f"Normalize(mean={self.mean}, std={self.std})"


class Compose:
    """One transform after the other."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, picture):
        for transform in self.transforms:
            picture = transform(picture)
        return picture

    def __repr__(self):
        return "Compose(" + ", ".join(repr(transform) for transform in self.transforms) + ")"


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise ImportError(f"torchvision.transforms.{name}: torchvision is not installed, and only ToTensor, Normalize and Compose are here "
                      "without it. On Debian: apt-get install python3-torchvision")
