"""What the course's cells download, from what is on this machine: the kernel has no network.

`!wget URL` of a file whose content comes with Loopscope writes that file; torchvision's FashionMNIST(download=True) unpacks
Debian's package dataset-fashion-mnist.  Both say what they did; nothing that is there already is overwritten.
Where that package is not installed either, the first 500 of its test pictures stand in, which come with Loopscope.
"""
import gzip
import json
import os
import pickle
import re
import shutil
import sys

_PICTURES = os.path.join(os.environ.get("LS_DATASETS_PATH", "/usr/share/datasets"), "fashion-mnist")
_HERE = os.path.dirname(os.path.abspath(__file__))
_MODELS = ("../../../../data/models", "../../data/models", "../../../data/models", "../../../../share/loopscope/models",
           "../../../../../share/loopscope/models")


def _model(name):
    folders = [os.environ.get("LS_MODELS_PATH", "")] + [os.path.join(_HERE, folder) for folder in _MODELS]
    roots = [os.environ.get("LS_SOURCE_ROOT", "")]
    folders += [os.path.join(root, "data", "models") for root in roots if root]
    return next((path for path in (os.path.join(folder, name) for folder in folders if folder) if os.path.exists(path)), None)


def _safetensors(path):
    import numpy as np

    with open(path, "rb") as file:
        data = file.read()
    start = 8 + int.from_bytes(data[:8], "little")
    head = json.loads(data[8:start])
    return {name: np.frombuffer(data[start:], np.float32, int(np.prod(about["shape"])), about["data_offsets"][0]).reshape(about["shape"]).copy()
            for name, about in head.items() if name != "__metadata__"}


def _weights(path):
    source = _model("fashion_mlp.safetensors")
    if source is None:
        return False
    with open(path, "wb") as file:
        pickle.dump(_safetensors(source), file)
    return True


# Files that a line of a cell would have fetched, and that are not here: name -> line.
_not_fetched = {}


def hint(name):
    """What to do about a missing file that a cell would have fetched; "" for others."""
    line = _not_fetched.get(os.path.basename(name or ""))
    return line and (f"A cell would have fetched this file ({line}), and there is no network here. "
                     f"Put {os.path.basename(name)} into {os.getcwd()} and run the cell again.\n") or ""


# What the course's cells import from elsewhere: module -> Debian's package.
_PACKAGES = {"torch": "python3-torch", "torchvision": "python3-torchvision", "numpy": "python3-numpy", "pygments": "python3-pygments",
             "IPython": "python3-ipython", "matplotlib": "python3-matplotlib", "scipy": "python3-scipy", "PIL": "python3-pil"}


# Data sets that a lesson may need, by the package that has them: where they are.
_DATA_SETS = {"dataset-fashion-mnist": _PICTURES}


def data_folder(name):
    """Where the data set of this name lies, be it there or not; None: it is no data set."""
    return _DATA_SETS.get(name)


def pictures(part):
    """The folder with the pictures to "train" or to test ("t10k") with, and what to say where it is the sample."""
    name = f"{part}-images-idx3-ubyte.gz"
    sample = None if os.path.exists(os.path.join(_PICTURES, name)) else _model(os.path.join("fashion-mnist", name))
    if sample is None:
        return _PICTURES, None
    return os.path.dirname(sample), "the first 500 of its pictures, which come with Loopscope, stand in. On Debian: apt-get install dataset-fashion-mnist"


def package_of(name):
    """The package of Debian that has this module or data set, or None."""
    return name if name in _DATA_SETS else _PACKAGES.get(name.split(".")[0])


def package_hint(module):
    """How to get a module that a cell imports and that is not here; "" for one that no package of Debian has."""
    package = _PACKAGES.get((module or "").split(".")[0])
    return f"On Debian: apt-get install {package}. The cells that do without it go on.\n" if package else ""


_FILES = {"fasionmnist_mlp_params.pkl": (_weights, "Loopscope's own weights of the same model")}


def shell(line):
    """A shell line that stands in a cell: what was done instead, in words."""
    found = re.match(r"^!\s*(?:wget|curl)\b.*?([^/\s]+\.\w+)\s*$", line.strip())
    name = found.group(1) if found else ""
    if found and os.path.exists(name):
        return f"left out, {name} is there already: {line.strip()}"
    if name in _FILES:
        make, what = _FILES[name]
        try:
            if make(name):
                return f"no network here; {name} was written with {what}: {line.strip()}"
        except (OSError, ImportError) as problem:
            return f"left out, {name} cannot be written here ({problem}): {line.strip()}"
    if found:
        _not_fetched[name] = line.strip()
    return f"left out, no shell here: {line.strip()}"


def _unpack(self):
    os.makedirs(self.raw_folder, exist_ok=True)
    for packed in os.listdir(_PICTURES):
        if packed.endswith("-ubyte.gz"):
            with gzip.open(os.path.join(_PICTURES, packed)) as source, open(os.path.join(self.raw_folder, packed[:-3]), "wb") as target:
                shutil.copyfileobj(source, target)
    print(f"no network here; the pictures were unpacked from {_PICTURES}", file=sys.stderr)


def adopt_torchvision(code):
    """Before a cell that asks for FashionMNIST: its download unpacks Debian's package."""
    if "FashionMNIST" not in code or not os.path.isdir(_PICTURES):
        return
    try:
        from torchvision.datasets import FashionMNIST
    except Exception:  # the cell will say so itself
        return
    if getattr(FashionMNIST.download, "_loopscope", False):
        return
    plain = FashionMNIST.download

    def download(self):
        """Unpacks what is here; what is not is asked for where the class says."""
        if self._check_exists():
            return
        try:
            _unpack(self)
        except OSError:
            plain(self)

    download._loopscope = True
    FashionMNIST.download = download
