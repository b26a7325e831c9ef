"""Strict moves: a reorder that changes what a program computes is refused with two rounds that show it; the switch in Preferences makes it a warning."""
import os
import sys
import tempfile

from driver import Atspi, check, find, focus, has_state, insist, key, name_of, press, run, wait, walk, window

PROGRAM = """# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(B: T.Buffer((64, 64), "int32")):
        for i, j in T.grid(63, 64):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(B[vi, 63 - vj])
                T.writes(B[vi + 1, vj])
                B[vi + 1, vj] = B[vi, 63 - vj] + 1
"""
REASON = "which would come first"


def said(app, *parts):
    return any(all(part in name for part in parts) for name in (name_of(node) for node in walk(app)))


def drive(app):
    check("a loop is chosen", insist(lambda: key("ctrl+m"), lambda: said(app, "reorder(j, i)")))
    check("the reorder is refused, and two rounds show why", wait(lambda: said(app, "reorder(j, i)", REASON)))
    check("the preferences open", insist(lambda: key("ctrl+comma"), lambda: window("Preferences")))
    switch = wait(lambda: find(app, "Strict moves", "check box", whole=False))
    check("the switch is there", switch is not None)
    press(switch)
    check("it goes off", wait(lambda: not has_state(switch, Atspi.StateType.CHECKED)))
    focus("Preferences")
    check("the preferences close", insist(lambda: key("Escape"), lambda: window("Preferences") is None))
    check("the move is offered then, and said to change the result",
          wait(lambda: said(app, "reorder(j, i)", "May change the result")))
    check("with the same reason", wait(lambda: said(app, "reorder(j, i)", REASON)))


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "rows.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    sys.exit(run(sys.argv[1], [path], drive))
