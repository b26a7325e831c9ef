"""Programs that hang or crash under the debugger's windows: the window lives, and the run can be paused and ended."""
import os
import sys
import tempfile
import time

import driver
from driver import check, close_by, find, focus, insist, name_of, press, run, top_level, wait, walk, window

MACHINE = "Virtual machine, instruction by instruction"
GRAPH = "Graph, binding by binding"
HEAD = "from tvm.script import ir as I\nfrom tvm.script import relax as R\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"
HANGS = HEAD + """    @T.prim_func
    def main(A: T.Buffer((8,)), C: T.Buffer((8,))):
        N = T.alloc_buffer((1,), "int32")
        for i in range(8):
            with T.block("C"):
                vi = T.axis.spatial(8, i)
                C[vi] = A[vi]
        N[0] = 1
        while N[0] > 0:
            N[0] = N[0] * 3 % 7 + 1
"""
CRASHES = HEAD + """    @T.prim_func(private=True)
    def far(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        for i in range(4):
            y[i] = x[i]
        y[T.int64(1099511627776)] = T.float32(1)
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = R.call_tir(cls.far, (x,), out_sinfo=R.Tensor((4,), "float32"))
        return y
"""
LARGE = HEAD + """    @R.function
    def main(x: R.Tensor((900, 900), "float32")) -> R.Tensor((900, 900), "float32"):
        with R.dataflow():
            a = R.add(x, x)
            q = R.matmul(a, a)
            R.output(q)
        return q
"""


def names(app, title):
    top = top_level(app, title)
    return [name_of(node) for node in walk(top) if name_of(node)] if top else []


def says(app, title, words):
    return any(words in name for name in names(app, title))


def opened(app, key, title, document):
    def hit():
        focus(document)
        driver.strokes(key)
    return insist(hit, lambda: window(title))


def hangs(app):
    check("a program that hangs: the window opens", opened(app, "ctrl+shift+d", "Run", "program"))
    wait(lambda: says(app, "Run", "Before statement 0"), 60.0)
    press(find(top_level(app, "Run"), "To the end of the run (End)"))
    time.sleep(2)
    check("it is paused where it is", insist(lambda: press(find(top_level(app, "Run"), "Pause (F9)")),
                                             lambda: says(app, "Run", "Before statement") and not says(app, "Run", "Before statement 0")), names(app, "Run"))
    check("and the window closes", close_by("Escape", "Run"))


def crashes(app):
    check("a program that crashes in the machine: the window opens", opened(app, "ctrl+shift+j", MACHINE, "program"))
    check("it is told how it ended", wait(lambda: says(app, MACHINE, "signal") or says(app, MACHINE, "SIGSEGV") or says(app, MACHINE, "crash") or says(app, MACHINE, "address"), 60.0),
          names(app, MACHINE))
    check("and the window closes", close_by("Escape", MACHINE))


def large(app):
    check("a graph that takes long: the window opens", opened(app, "ctrl+shift+n", GRAPH, "program"))
    check("what is made so far is told", wait(lambda: says(app, GRAPH, "values are made so far."), 60.0), names(app, GRAPH))
    press(find(top_level(app, GRAPH), "Pause the run (F9)"))
    check("it is paused", wait(lambda: says(app, GRAPH, "The run stands still."), 30.0), names(app, GRAPH))
    press(find(top_level(app, GRAPH), "First value (Home)"))
    check("what was made can be looked at", wait(lambda: says(app, GRAPH, "x: parameter"), 30.0), names(app, GRAPH))
    press(find(top_level(app, GRAPH), "End the run"))
    check("and it is ended", wait(lambda: says(app, GRAPH, "The run was ended"), 30.0), names(app, GRAPH))
    check("the window closes", close_by("Escape", GRAPH))


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
PATH = os.path.join(FOLDER.name, "program.py")
STATUS = 0
driver.print = lambda line, **more: None if line.startswith("1..") else print(line, **more)    # one plan for all three
for text, drive in ((HANGS, hangs), (CRASHES, crashes), (LARGE, large)):
    with open(PATH, "w", encoding="utf-8") as file:
        file.write(text)
    STATUS = run(PROGRAM, [PATH], drive) or STATUS
print(f"1..{driver.COUNT}")
sys.exit(STATUS)
