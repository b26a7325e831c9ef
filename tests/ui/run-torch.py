"""Torch's own values beside those of an imported graph: where torch is missing a sentence says what brings it; a torch that computes something else, one that
fails half-way, and, where it is installed, the real one on a block of a transformer."""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, close_by, find, focus, insist, name_of, press, run, top_level, wait, walk, window

TITLE = "Graph, binding by binding"
BESIDE = "Pass after which the same tensors are shown, or torch"
# What loopscope_kernel.torch_values uses of torch.  relu is wrong in one element, as another library might be; sigmoid is not there.
STAND_IN = '''
import array, contextlib
class dtype:
    def __init__(self, name): self.name = name
float32 = dtype("float32")
class Tensor:
    dtype = float32
    def __init__(self, values, shape): self.values, self.shape = list(values), tuple(shape)
    def detach(self): return self
    cpu = contiguous = numpy = detach
    def reshape(self, shape): return Tensor(self.values, shape)
    def tobytes(self): return array.array("f", self.values).tobytes()
    def __add__(self, other): return Tensor([a + b for a, b in zip(self.values, other.values)], self.shape)
def frombuffer(data, dtype): return Tensor(array.array("f", bytes(data)), (len(data) // 4,))
def relu(x):
    values = [max(value, 0.0) for value in x.values]
    values[4] += 0.25
    return Tensor(values, x.shape)
no_grad = contextlib.nullcontext
'''


def node(name, op, target, *args):
    return {"name": name, "op": op, "target": target, "args": [{"node": arg} for arg in args], "kwargs": {}, "shape": [2, 3], "dtype": "float32"}


def graph(*last):
    return [node("x", "placeholder", "x"), node("relu", "call_function", "torch.relu", "x"), node("add", "call_function", "operator.add", "relu", "x"), *last]


def write_model(name, nodes):
    path = os.path.join(FOLDER.name, name + ".fx.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"format": "loopscope.fx", "version": 1, "tensors": name + ".safetensors", "modules": {}, "parameters": [], "aliases": {},
                   "nodes": nodes + [node("output", "output", "output", nodes[-1]["name"])]}, file)
    with open(os.path.join(FOLDER.name, name + ".safetensors"), "wb") as file:
        file.write(struct.pack("<Q", 8) + b"{}      ")
    return path


def names(app):
    top = top_level(app, TITLE)
    return [name_of(one) for one in walk(top) if name_of(one)] if top else []


def says(app, words):
    return any(words in name for name in names(app))


def picture(name):
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(0.6)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-torch-" + name + ".png"], check=False)


def opened(app, title):
    def hit():
        focus(title)
        driver.strokes("ctrl+shift+n")
    check("the window opens", insist(hit, lambda: window(TITLE)))
    check("it stands at the first value", wait(lambda: says(app, ": parameter")), names(app))
    check("torch is among what can stand beside the values", lambda: find(top_level(app, TITLE), BESIDE) is not None, lambda: names(app))


def choose_torch(app):
    box = Atspi.Component.get_extents(find(top_level(app, TITLE), BESIDE), Atspi.CoordType.WINDOW)
    focus(TITLE)
    subprocess.run(["xdotool", "mousemove", "--window", str(window(TITLE)), str(box.x + box.width // 2), str(box.y + box.height // 2), "click", "1"], check=False)
    time.sleep(0.5)
    driver.strokes("shift+Tab")
    subprocess.run(["xdotool", "type", "Torch"], check=False)
    time.sleep(0.5)
    driver.strokes("Tab", "Down", "Return")


def settled(app):
    """Until two looks find the same: the words about a value follow its name some turns later on a busy machine."""
    before = names(app)
    for _ in range(50):
        time.sleep(0.1)
        now = names(app)
        if now == before:
            return
        before = now


def stands_at(app, words):
    """From the first value on, one after the other, to one that says this."""
    press(find(top_level(app, TITLE), "First value (Home)"))
    wait(lambda: says(app, ": parameter"), 10.0)
    settled(app)
    for _ in range(60):
        if says(app, words):
            return True
        before = names(app)
        focus(TITLE)
        driver.strokes("F11")
        if not wait(lambda: names(app) != before, 10.0):        # pylint: disable=cell-var-from-loop
            return False
        settled(app)
    return False


def missing(app):
    opened(app, "plain")
    choose_torch(app)
    check("without torch one sentence says what is missing and which command brings it",
          wait(lambda: says(app, "Python has no module torch here: apt-get install python3-torch brings it.")), names(app))
    check("the values of the graph are there nevertheless", stands_at(app, "add is made by") or stands_at(app, "lv1 is made by"), names(app))
    picture("missing")
    check("it closes", close_by("Escape", TITLE))


def wrong(app):
    opened(app, "plain")
    choose_torch(app)
    check("the largest error of all is told, with its place", wait(lambda: says(app, "values beside those of torch the largest error, by the size of the values, is") and
                                                                   any(re.search(r", in \w+\[1, 1\]\.", name) for name in names(app))), names(app))
    check("a value says what it is in torch, and how far away", stands_at(app, "In torch it is relu: largest error 0.25, at [1, 1]."), names(app))
    check("no value is left out", not says(app, "no value to compare"), names(app))
    check("both stand beside each other", lambda: "Here" in names(app) and "In torch" in names(app), lambda: names(app))
    picture("wrong")
    check("nothing of it stays in the folder for such things when the window closes", close_by("Escape", TITLE) and wait(lambda: not left_behind()), left_behind())


def half_way(app):
    opened(app, "half")
    choose_torch(app)
    check("where torch does not know a node it says which, and why", wait(lambda: says(app, "Torch did not run the graph: sig (torch.sigmoid): ")), names(app))
    check("what it computed before is compared", stands_at(app, "In torch it is relu: largest error 0.25, at [1, 1]."), names(app))
    check("what it did not is said to have none", stands_at(app, "No value of torch stands for it."), names(app))
    check("it closes", close_by("Escape", TITLE))


def real(app):
    opened(app, "block")
    choose_torch(app)
    check("the real torch on a block of a transformer: all that differs is rounding", wait(lambda: errors(app)) and errors(app)[0] >= 25 and errors(app)[1] < 1e-5, names(app))
    print(f"# {errors(app)[0]} values, the largest relative error {errors(app)[1]}" if errors(app) else "# none")
    check("the embedding is that of torch", stands_at(app, "In torch it is embed, with the same values."), names(app))
    picture("real")
    check("it closes", close_by("Escape", TITLE))


def errors(app):
    """How many values were compared, and the largest relative error."""
    for name in names(app):
        found = re.search(r"Of (\d+) values beside those of torch .* is ([0-9.e+-]+), in", name)
        if found:
            return int(found[1]), float(found[2])
    return None


def left_behind():
    return [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("loopscope-torch-")]


def one(path, drive, **env):
    before = dict(os.environ)
    os.environ.update(env)
    status = run(PROGRAM, [path], drive, "Graph")
    os.environ.clear()
    os.environ.update(before)
    return status


def main():
    packages = os.path.join(FOLDER.name, "packages")
    os.makedirs(os.path.join(packages, "torch"))
    with open(os.path.join(packages, "torch", "__init__.py"), "w", encoding="utf-8") as file:
        file.write(STAND_IN)
    bare = os.path.join(FOLDER.name, "bare")            # a Python without any package
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    plain = write_model("plain", graph())
    half = write_model("half", graph(node("sig", "call_function", "torch.sigmoid", "add")))
    status = one(plain, missing, LS_PYTHON=os.path.join(bare, "bin", "python3"))
    status = one(plain, wrong, PYTHONPATH=packages) or status
    status = one(half, half_way, PYTHONPATH=packages) or status
    if subprocess.run([sys.executable, "-c", "import torch, numpy"], capture_output=True, timeout=120, check=False).returncode == 0:
        status = one(os.path.join(os.environ["LS_SOURCE_ROOT"], "tests", "golden", "fx", "block.fx.json"), real) or status
    print(f"1..{driver.COUNT}")
    return status


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
driver.print = lambda line, **more: None if line.startswith("1..") else print(line, **more)    # one plan for all
sys.exit(main())
