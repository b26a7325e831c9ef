"""Compare: whether both sides give the same is tried on random inputs, told in a sentence, and can be ended."""
import os
import sys
import tempfile

from driver import check, find, focus, insist, key, name_of, press, run, wait, walk, window

OTHER = '''from tvm.script import tir as T

@T.prim_func
def mm_relu(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128, 128), "float32"), C: T.Buffer((128, 128), "float32")):
    for i, j in T.grid(128, 128):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = T.%s
'''
# What the window says of a pair that was never run.
UNTRIED = "Run both to see"
SMALL = OTHER.replace("128", "64")


def said(app, part):
    return any(part in name_of(node) for node in walk(app))


def drive(app):
    key("ctrl+2")
    check("at first it is not tried", wait(lambda: said(app, UNTRIED)))
    check("Run both runs both", insist(lambda: press(find(app, "Run both", "push button")), lambda: not said(app, UNTRIED)))
    check("they give the same", wait(lambda: said(app, "Same results on ")), [name_of(n) for n in walk(app) if "esult" in name_of(n)])
    check("with the largest difference", said(app, "Random inputs"))
    shot("same")
    key("ctrl+F5")
    check("Ctrl+F5 tries again", wait(lambda: said(app, "Same results on ")))


def drive_other(app):
    """A file that computes something else, one of another size, and a run without an end."""
    for name, words in (("wrong.py", "Different results: C[0, 0] is"), ("small.py", "Not comparable: A is (128, 128) on the left and (64, 64)")):
        add_file(app, name)
        if name == "wrong.py":
            wait(lambda: said(app, UNTRIED))
            key("ctrl+F5")
        check(f"{name}: {words}", wait(lambda: said(app, words)), [name_of(n) for n in walk(app) if "esult" in name_of(n) or "ompar" in name_of(n)])
        shot(name[:-3])
    check("without a button where nothing can be run", find(app, "Run both", "push button") is None)
    add_file(app, "endless.py")
    wait(lambda: said(app, UNTRIED))
    key("ctrl+F5")
    check("a run is said to be under way", wait(lambda: said(app, "Running both on random inputs")))
    shot("running")
    check("Cancel ends it", insist(lambda: press(find(app, "Cancel", "push button")), lambda: said(app, UNTRIED)))
    check("the window goes on", wait(lambda: find(app, "Run both", "push button") is not None))


def add_file(app, name):
    title = "Compare with a file"
    insist(lambda: press(find(app, "File…", "push button")), lambda: window(title))
    focus(title)
    from driver import subprocess
    subprocess.run(["xdotool", "type", os.path.join(FOLDER.name, name)], check=False)
    insist(lambda: (focus(title), key("Return")), lambda: window(title) is None)
    focus("mm_relu")


def shot(name):
    if os.environ.get("LS_SHOTS"):
        import subprocess
        import time
        time.sleep(0.5)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], f"results-{name}.png")], check=False)


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
os.chdir(FOLDER.name)
for file, text in (("wrong.py", OTHER % "float32(1)"), ("small.py", SMALL % "float32(1)"),
                   ("endless.py", OTHER.replace("        with T.block", "        while C[0, 0] < T.float32(1):\n            C[0, 0] = T.float32(0)\n        with T.block") % "float32(1)")):
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)


def drive_all(app):
    drive(app)
    drive_other(app)


sys.exit(run(PROGRAM, [], drive_all))
