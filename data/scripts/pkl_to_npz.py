#!/usr/bin/env python3
"""A pickled dictionary of numpy arrays (such as the course's fasionmnist_mlp_params.pkl) as an .npz file.

    pkl_to_npz.py IN.pkl OUT.npz

A pickle is a program; this reader lets it call nothing but what numpy arrays are made of and refuses every other name, so a file
from elsewhere can do no harm.  `loopscope-cli classify MODEL --weights OUT.npz` reads the result.
"""
import pickle
import sys

import numpy as np

ALLOWED = {("numpy", "ndarray"), ("numpy", "dtype"), ("numpy.core.multiarray", "_reconstruct"), ("numpy._core.multiarray", "_reconstruct"),
           ("numpy.core.multiarray", "scalar"), ("numpy._core.multiarray", "scalar"), ("_codecs", "encode")}


class ArraysOnly(pickle.Unpickler):
    def find_class(self, module, name):
        if (module, name) not in ALLOWED:
            raise pickle.UnpicklingError(f"the file wants {module}.{name}; only numpy arrays are read")
        return super().find_class(module, name)


def main(source, out):
    with open(source, "rb") as file:
        arrays = ArraysOnly(file).load()
    if not isinstance(arrays, dict) or not all(isinstance(k, str) and isinstance(v, np.ndarray) and v.dtype != object for k, v in arrays.items()):
        raise pickle.UnpicklingError("a dictionary of names and arrays of numbers is expected")
    np.savez(out, **arrays)
    for name, value in arrays.items():
        print(f"{name}: {value.shape} {value.dtype}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (OSError, pickle.UnpicklingError, EOFError) as error:
        sys.exit(f"pkl_to_npz.py: {sys.argv[1]}: {error}")
