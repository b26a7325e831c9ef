"""The graph of a function in the window of passes: blocks that stay where they are from pass to pass, regions of MLIR."""
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import check, find, focus, insist, name_of, press, program_env, run, wait, walk

LLVM = """; *** IR Dump After SROAPass on f ***
define i32 @f(i1 %c, i32 %n) {
entry:
  br i1 %c, label %loop, label %done

loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %d = icmp eq i32 %j, %n
  br i1 %d, label %done, label %loop

done:
  %r = phi i32 [ 0, %entry ], [ %j, %loop ]
  ret i32 %r
}
; *** IR Dump After LoopDeletionPass on f ***
define i32 @f(i1 %c, i32 %n) {
entry:
  br i1 %c, label %ahead, label %done

ahead:
  br label %done

done:
  %r = phi i32 [ 0, %entry ], [ %n, %ahead ]
  ret i32 %r
}
"""
MLIR = """// -----// IR Dump After CSE (cse) //----- //
func.func @g(%A: memref<8xf32>, %b: i1) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %c0 step %c0 {
    %v = memref.load %A[%i] : memref<8xf32>
    memref.store %v, %A[%c0] : memref<8xf32>
  }
  return
}
"""


def passes(app):
    return next((one for one in app.get_children() if name_of(one).startswith(START)), None)


def says(app, words, seconds=40.0):
    return wait(lambda: any(words in name_of(node) for node in walk(passes(app))), seconds)


def shoot(name):
    if os.environ.get("LS_SHOTS"):
        time.sleep(1.5)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], f"graph-{name}.png")], check=False)


def drive(app):
    global START        # pylint: disable=global-statement
    check("the log is read", says(app, "passes change"))
    press(find(passes(app), "Graph"))
    check("the graph is there", says(app, "f · 2 LoopDeletionPass · "), [name_of(node) for node in walk(passes(app)) if "·" in name_of(node) or "graph" in name_of(node)])
    check("with what the pass did to blocks", lambda: any(re.search(r"LoopDeletionPass · .*(added|removed|changed)", name_of(node)) for node in walk(passes(app))))
    shoot("after")
    focus(START)
    check("and the one before it, when its row is chosen", insist(lambda: driver.strokes("Up"), lambda: says(app, "f · 1 SROAPass", 5.0)))
    shoot("llvm")
    press(find(passes(app), "By operation"))
    check("the text comes back", wait(lambda: find(passes(app), "Text on the right") is not None))
    subprocess.run([PROGRAM, SECOND], stdout=subprocess.DEVNULL, env=program_env(), check=False, timeout=60)
    START = "mlir.log"
    check("a log of MLIR is read", says(app, "nothing earlier to compare with"))
    press(find(passes(app), "Graph"))
    check("its regions are drawn", says(app, "g · 1 CSE (cse)"))
    shoot("mlir")


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.mkdtemp()
START = "llvm.log"
FIRST, SECOND = os.path.join(FOLDER, "llvm.log"), os.path.join(FOLDER, "mlir.log")
for path, text in ((FIRST, LLVM), (SECOND, MLIR)):
    with open(path, "w", encoding="utf-8") as log:
        log.write(text)
sys.exit(run(PROGRAM, [FIRST], drive, ready="Only passes that change something"))
