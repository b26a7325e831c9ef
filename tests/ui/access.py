"""The window of the accesses: two steps on one clock, in words; why there is none."""
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import check, close_by, find, focus, insist, name_of, press, program_env, run, top_level, wait, walk, window

TITLE = "Access order"
COUNTED = ("Counted by the processor in one call: ", "Hardware counters are not available: ")
GATHER = """from tvm.script import tir as T

@T.prim_func
def gather(A: T.Buffer((8,), "float32"), I: T.Buffer((8,), "int32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.block("B"):
            vi = T.axis.spatial(8, i)
            B[vi] = A[I[vi]]
"""


def order(app):
    return top_level(app, TITLE)


def names(app):
    return [name_of(node) for node in walk(order(app)) if name_of(node)] if order(app) else []


def positions(app):
    """The number that each column says that it is at."""
    found = [re.match(r"access ([\d,]+) of ", name) for name in names(app)]
    return [int(one[1].replace(",", "")) for one in found if one]


def figure(text):
    return int(text.replace(",", ""))


def row_of(labels, name, nth):
    """Of the nth table of all accesses the row that begins with this name: the name, the accesses, the first touches."""
    heads = [at for at, label in enumerate(labels) if label == "Accesses"]
    if len(heads) <= nth:
        return None
    rest = labels[heads[nth]:]
    return rest[rest.index(name):][:3] if name in rest else None


def keys(title, *sequence):
    focus(title)
    driver.strokes(*sequence)


def again(app):
    close_by("Escape", TITLE)
    keys("mm_relu", "ctrl+shift+o")
    time.sleep(2.0)


def drive(app):
    keys("mm_relu", "alt+Home", "alt+Right", "alt+Right")       # the reorder, beside the split
    time.sleep(1.0)
    check("Ctrl+Shift+O opens it", insist(lambda: keys("mm_relu", "ctrl+shift+o"), lambda: window(TITLE)))
    check("both columns are at the first access", wait(lambda: positions(app) == [1, 1]), names(app))
    check("it is the init, in both", lambda: sum("writes Y[0, 0], i = 0" in name and name.endswith("1 line fetched") for name in names(app)) == 2, lambda: names(app))
    check("the two steps are named", lambda: {"Step 1", "Step 2"} <= set(names(app)), lambda: names(app))
    check("and which one fetches fewer lines", lambda: any(re.match(r"Step 2 fetches [\d,]+ lines in its first 100,000 accesses, Step 1 fetches [\d,]+\.", name)
                                                   for name in names(app)), lambda: names(app))

    check("both say what all accesses do in the caches", wait(lambda: sum(bool(re.match(r"All [\d,]+ accesses: [\d,]+ of them \(.*\) miss the first cache\. Most of them are of B", name))
                                                                        for name in names(app)) == 2, 60), names(app))
    labels = names(app)
    tables = [row_of(labels, "all", nth) for nth in (0, 1)]
    check("a row of all buffers stands in both tables", all(tables), labels)
    check("of all accesses, more than the first ones, with the first touches", all(figure(row[1]) > 100000 and figure(row[2]) > 0 for row in tables), tables)
    check("all first touches are those of the buffers", [figure(row[2]) for row in tables] ==
          [sum(figure(row_of(labels, name, nth)[2]) for name in "ABCY") for nth in (0, 1)], tables)
    come_back = [name for name in labels if re.match(r"Lines are touched again: [\d.]+\s% within the [\d,]+ lines of L1, [\d.]+\s% within the [\d,]+ of L2", name)]
    check("how soon lines come back stands under both", len(come_back) >= 2, labels)
    check("for which caches is said", any(re.match(r"Simulated, in lines: .*L1 .* ways", name) for name in labels), labels)

    if os.environ.get("LS_UI_PICTURE"):
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-access.png"], check=False)
    keys(TITLE, "Right", "Right", "Right", "Right", "Right")
    check("Right goes one on, in both", wait(lambda: positions(app) == [6, 6]), names(app))
    check("the split reads on along k", lambda: any("reads Y[0, 0], i = 0, j_0 = 0, j_1 = 0, k = 1;" in name for name in names(app)), lambda: names(app))
    check("the reorder begins the next j_1", lambda: any("writes Y[0, 1], i = 0, j_0 = 0, k = 0, j_1 = 1;" in name for name in names(app)), lambda: names(app))
    keys(TITLE, "Left")
    check("Left goes one back", wait(lambda: positions(app) == [5, 5]), names(app))
    keys(TITLE, "Page_Down", "Page_Down")
    check("Page Down goes a hundred on", wait(lambda: positions(app) == [205, 205]), names(app))
    keys(TITLE, "Page_Up", "Page_Up", "Page_Up")
    check("Page Up goes back to the first one at most", wait(lambda: positions(app) == [1, 1]), names(app))

    keys(TITLE, "space")
    check("Space plays, in lock-step", wait(lambda: len(positions(app)) == 2 and min(positions(app)) > 60), positions(app))
    keys(TITLE, "space")
    stopped = driver.still(lambda: positions(app))
    check("and stops", stopped is not None and stopped[0] == stopped[1], (stopped, positions(app)))

    toggle = find(order(app), "Compare with the step before")
    press(toggle)
    check("one column alone", wait(lambda: len(positions(app)) == 1 and "Step 1" not in names(app)), names(app))
    check("what its accesses fetch is said once", lambda: sum(name.startswith("The first 100,000 accesses fetch ") for name in names(app)) == 1, lambda: names(app))
    press(toggle)
    check("both again", wait(lambda: len(positions(app)) == 2), names(app))

    keys("mm_relu", "F5")
    check("once measured, it says what the processor counted, or why it did not",
          insist(lambda: again(app), lambda: any(name.startswith(COUNTED) for name in names(app)), 120.0), names(app))

    keys("mm_relu", "alt+Home")
    check("it follows the steps: the first has none before it", wait(lambda: positions(app) == [1] and "Step 0" in names(app)), names(app))
    check("Escape closes it", close_by("Escape", TITLE))

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "gather.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(GATHER)
        subprocess.run([PROGRAM, path], stdout=subprocess.DEVNULL, env=program_env(), check=False, timeout=60)
        check("another program", wait(lambda: window("gather")), subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "."], check=False,
                                                                                stdout=subprocess.PIPE, text=True).stdout)
    check("has a window too", insist(lambda: keys("gather", "ctrl+shift+o"), lambda: window(TITLE)))
    check("which follows a run, and says on which numbers", wait(lambda: any("Where accesses go depends on data" in name and "I: 0" in name for name in names(app))), names(app))
    check("and shows its order", wait(lambda: len(positions(app)) == 1), names(app))


PROGRAM = os.path.abspath(sys.argv[1])
sys.exit(run(PROGRAM, [], drive))
