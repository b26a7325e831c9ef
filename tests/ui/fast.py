"""Fast mathematics: asked for by a step, which Undo takes back; the name is marked, Machine code says what it changed, and a text that asks is told of."""
import os
import subprocess
import sys
import tempfile

from driver import check, find, focus, insist, key, name_of, press, run, wait, walk, window

TITLE = "Machine code"
MARK = "fast mathematics"
PROGRAM = """# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        for i in range(64):
            with T.block("B"):
                vi = T.axis.spatial(64, i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = (A[vi] + T.float32(1)) - A[vi]
"""


def names(node):
    return [name_of(part) for part in walk(node) if name_of(part)] if node is not None else []


def toggle():
    subprocess.run(["gdbus", "call", "--session", "--dest", "org.loopscope.Loopscope", "--object-path", "/org/loopscope/Loopscope/window/1",
                    "--method", "org.gtk.Actions.Activate", "fast-math", "[]", "{}"], stdout=subprocess.DEVNULL, check=False)


def marked(app):
    return MARK in names(app)


def head(app, *parts):
    frame = find(app, TITLE, "frame") or find(app, TITLE, "window")
    return any(all(part in name for part in parts) for name in names(frame))


def shown(app, *parts):
    return any(all(part in name for part in parts) for name in names(app))


def drive(app):
    check("nobody asks for it", not marked(app))
    check("the moves of a loop have it, with what it may do", insist(lambda: key("ctrl+m"), lambda: shown(app, "pragma_fast_math", "annotate(i")))
    check("which is said to change the result", wait(lambda: shown(app, "May change the result", "real numbers")))
    check("Ctrl+Shift+A opens the machine code", insist(lambda: (focus("main"), key("ctrl+shift+a")), lambda: window(TITLE)))
    check("it says nothing of it", wait(lambda: head(app, "instructions")) and not head(app, "Fast mathematics"))
    toggle()
    check("the name is marked", wait(lambda: marked(app)))
    check("it is a step", wait(lambda: shown(app, "pragma_fast_math", "root") or shown(app, "annotate")))
    check("the machine code says of how many lines it changed the instructions", wait(lambda: head(app, "Fast mathematics makes other instructions of")), names(app)[-30:])
    check("and what the results are", wait(lambda: head(app, "random input", "differ from what IEEE 754 gives by at most"), 60.0), names(app)[-30:])
    check("and each line what is there instead", wait(lambda: head(app, "fast math: ", "as IEEE 754")))
    if os.environ.get("LS_SHOTS"):
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], "fast.png")], check=False)
    focus("main")
    check("Undo takes it back", insist(lambda: (focus("main"), key("ctrl+z")), lambda: not marked(app)))
    check("in the machine code too", wait(lambda: not head(app, "Fast mathematics")))
    toggle()
    check("once more", wait(lambda: marked(app)))
    toggle()
    check("and off, by a step of its own", wait(lambda: not marked(app)) and wait(lambda: shown(app, "unannotate")))


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "sums.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    sys.exit(run(sys.argv[1], [path], drive))
