"""The passes of a program that is open: those of the shown step, what each changes; those without effect; a pass that cannot go on."""
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, close_by, description, find, focus, has_state, insist, key, name_of, press, program_env, role_of, run, top_level, wait, walk, window

TITLE = "Passes"
PIPELINE = ["TensorIR", "LowerInitBlock", "PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque", "CompactBufferAllocation", "LowerMatchBuffer",
            "Simplify", "LowerOpaqueBlock", "FlattenBuffer", "LoopPartition", "VectorizeLoop", "UnrollLoop", "Simplify", "RemoveNoOp", "RewriteUnsafeSelect"]
ODD = """from tvm.script import tir as T

@T.prim_func
def odd(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.block("B"):
            v = T.axis.spatial(8, i)
            T.where(v < 4)
            B[v] = A[v]
"""


def lowering(app):
    return top_level(app, TITLE)


def names(app):
    return [name_of(node) for node in walk(lowering(app)) if name_of(node)] if lowering(app) else []


def each_row(app):
    """One after the other; what is asked of each while one is there is of the same moment."""
    return (node for node in walk(lowering(app)) if role_of(node) == "list item" and has_state(node, Atspi.StateType.VISIBLE)
            and re.match(r"\d+ ", name_of(node)))


def rows(app):
    return list(each_row(app))


def row_names(app):
    return [name_of(row) for row in each_row(app)]


def chosen(app):
    return next((name_of(row) for row in each_row(app) if has_state(row, Atspi.StateType.SELECTED)), "")


def text_of(app, side):
    node = find(lowering(app), "Text on the " + side)
    return Atspi.Text.get_text(node, 0, -1) if node is not None else ""


def keys(title, *sequence):
    focus(title)
    driver.strokes(*sequence)


def shoot(name):
    if os.environ.get("LS_SHOTS"):
        number = window(TITLE)
        subprocess.run(["xdotool", "windowmove", number, "0", "0"], check=False)
        time.sleep(1.5)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], f"lowering-{name}.png")], check=False)


def go_to(app, place):
    """Down or Up until the chosen pass is the one of this place."""
    for _ in range(24):
        now = re.match(r"(\d+) ", chosen(app))
        if now and int(now[1]) == place:
            return True
        before = chosen(app)
        keys(TITLE, "Down" if not now or int(now[1]) < place else "Up")
        wait(lambda: chosen(app) != before, 5.0)    # pylint: disable=cell-var-from-loop
    return False


def passes(app):
    check("Ctrl+Shift+L opens it", insist(lambda: keys("mm_relu", "ctrl+shift+l"), lambda: window(TITLE)))
    check("all passes of the build are there, in order", wait(lambda: len(rows(app)) == len(PIPELINE)), row_names(app))
    check("with TVM's names", lambda: [name.split()[1].rstrip(",") for name in row_names(app)] == PIPELINE, lambda: row_names(app))
    check("the sentence counts them", wait(lambda: any(re.match(r"Step 5: passes that change mm_relu: TensorIR 7 of 14 in [\d.]+.?(µs|ms); LLVM \d+ of 16 in ", name)
                                                       for name in names(app))), names(app)[:4])
    check("passes without effect say so", lambda: sum(", changes nothing" in name for name in row_names(app)) == 7, lambda: row_names(app))
    check("each says what it took", lambda: all(re.search(r", [\d.]+.?(µs|ms)$", name) for name in row_names(app)[1:]), lambda: row_names(app))
    check("each says what it is for", lambda: "flat ones" in description(rows(app)[8]), lambda: description(rows(app)[8]))
    check("the first one with effect is chosen", wait(lambda: chosen(app).startswith("3 PlanAndUpdateBufferAllocationLocation")), chosen(app))
    check("and its texts are there", wait(lambda: "with T.block(\"\"):" in text_of(app, "right") and "with T.block(\"\"):" not in text_of(app, "left")),
          text_of(app, "right")[:400])
    check("the heading says what it changed once that is counted", wait(lambda: "+3 −0 ~0 →1" in names(app) and "…" not in names(app)), names(app))
    shoot("first")


def stepping(app):
    check("Down goes to the next pass", go_to(app, 9) and wait(lambda: "9  FlattenBuffer" in names(app)), chosen(app))
    check("with what it does", lambda: any(name == "Turns buffers of several dimensions into flat ones." for name in names(app)), lambda: names(app))
    check("before it the buffers have two dimensions", wait(lambda: "A[i, k]" in text_of(app, "left")), text_of(app, "left"))
    check("after it one", wait(lambda: "A_1[i * 128 + k]" in text_of(app, "right")), text_of(app, "right"))
    check("the changes are counted", lambda: any(re.match(r"\d+ changes", name) for name in names(app)), lambda: names(app))
    keys(TITLE, "alt+Down")
    check("Alt+Down goes to the first", wait(lambda: any(name.startswith("change 1 of") for name in names(app))), names(app))
    keys(TITLE, "Down", "Down", "Down")
    check("a pass without effect has the same text twice", wait(lambda: "12  UnrollLoop" in names(app) and "changes nothing" in names(app) and
                                                                text_of(app, "left") == text_of(app, "right") != ""), names(app))
    keys(TITLE, "alt+Right")
    check("behind the last one with effect Alt+Right stays", lambda: chosen(app).startswith("12 "), lambda: chosen(app))
    keys(TITLE, "alt+Left")
    check("Alt+Left goes to the last one with effect", wait(lambda: chosen(app).startswith("11 VectorizeLoop")), chosen(app))
    keys(TITLE, "ctrl+i")
    check("Ctrl+I puts both texts into one column", wait(lambda: "T.vectorized(4)" in text_of(app, "right") and "[0:4]" in text_of(app, "right")),
          text_of(app, "right"))
    keys(TITLE, "ctrl+i")


def llvm(app):
    press(find(lowering(app), "LLVM", "toggle button") or find(lowering(app), "LLVM", "push button"))
    check("LLVM's passes are there too", wait(lambda: any(re.match(r"17 dumps, \d+ with an effect", name) for name in names(app))), names(app)[:6])
    check("in the order of the pipeline", lambda: [name.split()[1].rstrip(",") for name in row_names(app)][1:5] ==
          ["sroa", "early-cse<memssa>", "simplifycfg", "instcombine<no-verify-fixpoint>"], lambda: row_names(app))
    check("with their IR before and after", wait(lambda: "define " in text_of(app, "left") != text_of(app, "right") and "LLVM IR" in names(app)), names(app))
    check("some change nothing", lambda: any("changes nothing" in name for name in row_names(app)), lambda: row_names(app))
    shoot("llvm")
    press(find(lowering(app), "TensorIR", "toggle button") or find(lowering(app), "TensorIR", "push button"))
    check("and those of TensorIR again", wait(lambda: len(rows(app)) == len(PIPELINE) and "TVMScript" in names(app)), names(app)[:6])


def hiding(app):
    switch = find(lowering(app), "Only passes that change something", "check box") or find(lowering(app), "Only passes that change something", "switch")
    check("the count of the passes without effect stands below", lambda: "15 dumps, 7 with an effect" in names(app), lambda: names(app))
    go_to(app, 11)
    keys(TITLE, "shift+Tab", "space")
    check("the switch hides them, by keyboard", wait(lambda: len(rows(app)) == 7), (row_names(app), switch))
    check("and says how many", wait(lambda: "15 dumps, 7 with an effect, 8 hidden" in names(app)), names(app))
    check("none of them is seen", not any("changes nothing" in name for name in row_names(app)), row_names(app))
    check("the chosen one gives way to one that is seen", wait(lambda: chosen(app).startswith("11 VectorizeLoop")), chosen(app))
    shoot("hidden")
    press(switch)
    check("all again", wait(lambda: len(rows(app)) == len(PIPELINE)), row_names(app))
    keys(TITLE, "Down")
    check("Down leads from the switch to the chosen pass", wait(lambda: any(has_state(row, Atspi.StateType.FOCUSED) for row in each_row(app)))
          and chosen(app).startswith("11 "), chosen(app))


def following(app):
    go_to(app, 8)
    keys("mm_relu", "alt+Home")
    check("it follows the step", wait(lambda: any(name.startswith("Step 0: ") for name in names(app))), names(app)[:4])
    check("the pass stays chosen", wait(lambda: chosen(app).startswith("8 LowerOpaqueBlock")), chosen(app))
    check("and shows this program", wait(lambda: "j_0" not in text_of(app, "left") and "T.grid(128, 128" in text_of(app, "left")), text_of(app, "left"))
    keys("mm_relu", "alt+End")
    check("back again", wait(lambda: "j_0" in text_of(app, "left")), text_of(app, "left"))
    keys(TITLE, "Tab", "Tab", "Tab")
    check("Tab leaves the list", wait(lambda: not any(has_state(row, Atspi.StateType.FOCUSED) for row in each_row(app))), chosen(app))
    check("Escape closes it", close_by("Escape", TITLE))


def once(app):
    check("Ctrl+Shift+Y opens it too", insist(lambda: keys("mm_relu", "ctrl+shift+y"), lambda: window(TITLE)))
    check("with the passes of all stages", wait(lambda: any(re.match(r"32 dumps, \d+ with an effect", name) for name in names(app))), names(app)[:8])
    keys("mm_relu", "ctrl+shift+l")
    check("the other key shows those of lowering in the same window", wait(lambda: "15 dumps, 7 with an effect" in names(app)), names(app)[:8])
    check("the list keeps the keyboard", wait(lambda: any(has_state(row, Atspi.StateType.FOCUSED) for row in each_row(app))), chosen(app))
    check("there is one of it", sum(name_of(one) == TITLE for one in app.get_children()) == 1, [name_of(one) for one in app.get_children()])
    check("Escape closes it again", close_by("Escape", TITLE))


def trouble(app):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "odd.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(ODD)
        subprocess.run([PROGRAM, path], stdout=subprocess.DEVNULL, env=program_env(), check=False, timeout=60)
        check("another program", wait(lambda: window("odd")))
    check("has a window too", insist(lambda: keys("odd", "ctrl+shift+l"), lambda: window(TITLE)))
    check("which names the pass that cannot go on", wait(lambda: any(name.startswith("Step 0: ConvertBlocksToOpaque cannot lower odd;")
                                                                    for name in names(app))), names(app))
    check("and why", lambda: any(name.startswith("The condition of block B uses its own variable v") for name in names(app)), lambda: names(app))
    check("it is the chosen one", lambda: chosen(app).startswith("4 ConvertBlocksToOpaque, odd, cannot go on"), lambda: chosen(app))
    check("the program that it got is shown", wait(lambda: "T.where(v < 4)" in text_of(app, "right")), text_of(app, "right"))
    check("those behind it are not reached", lambda: sum(name.endswith(", not reached") for name in row_names(app)) == 11, lambda: row_names(app))
    shoot("trouble")
    check("one of them says so", go_to(app, 5) and wait(lambda: "This pass is not reached: ConvertBlocksToOpaque cannot go on." in names(app)), names(app))
    check("Escape closes this one too", close_by("Escape", TITLE))


def drive(app):
    passes(app)
    stepping(app)
    llvm(app)
    hiding(app)
    following(app)
    once(app)
    trouble(app)


PROGRAM = os.path.abspath(sys.argv[1])
sys.exit(run(PROGRAM, [], drive))
