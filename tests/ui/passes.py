"""The window of pass logs: the list while it fills, what a pass changed, filters, searches, other output, the kind corrected, errors."""
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, find, focus, has_state, insist, name_of, press, program_env, role_of, run, top_level, wait, walk, window

TITLE = "opt.log – Passes"
OPT = "/usr/lib/llvm-19/bin/opt"
MODULE = """define internal i32 @square(i32 %x) {
  %p = alloca i32
  store i32 %x, ptr %p
  %a = load i32, ptr %p
  %b = load i32, ptr %p
  %m = mul i32 %a, %b
  ret i32 %m
}
define i32 @sum(i32 %n) {
  %q = call i32 @square(i32 %n)
  %t = add i32 %q, 0
  ret i32 %t
}
"""
PIPELINE = "-passes=function(mem2reg,instcombine,simplifycfg),cgscc(inline),globaldce,function(instcombine)"
DAMAGED = "warning: nothing\n*** IR Dump After Cut on f ***\ndefine void @f() {\n  call void @g(\n"


def passes(app):
    return top_level(app, TITLE)


def names(app):
    return [name_of(node) for node in walk(passes(app)) if name_of(node)] if passes(app) else []


def row_names(app):
    return [name_of(node) for node in walk(passes(app)) if role_of(node) == "list item" and has_state(node, Atspi.StateType.VISIBLE)
            and re.match(r"\d+ |, | \S", name_of(node))]


def switch(app):
    words = "Only passes that change something"
    return find(passes(app), words, "check box") or find(passes(app), words, "switch") or find(passes(app), words, "toggle button")


def text_of(app, side):
    node = find(passes(app), "Text on the " + side)
    return Atspi.Text.get_text(node, 0, -1) if node is not None else ""


def keys(*sequence):
    focus(TITLE)
    driver.strokes(*sequence)


def shoot(name):
    if os.environ.get("LS_SHOTS"):
        number = window(TITLE)
        subprocess.run(["xdotool", "windowmove", number, "0", "0"], check=False)
        time.sleep(1.5)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], f"passes-{name}.png")], check=False)


def says(app, words):
    return wait(lambda: any(words in name for name in names(app)), 20.0)


def write(name, text):
    path = os.path.join(FOLDER, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def open_more(path):
    subprocess.run([PROGRAM, path], stdout=subprocess.DEVNULL, env=program_env(), check=False, timeout=60)


def reading(app):
    check("the log is read", wait(lambda: any(re.match(r"3 of \d+ passes change something; the log has ", name) for name in names(app))), names(app)[:9])
    check("all dumps are listed and counted", wait(lambda: any(re.match(r"\d+ dumps, 3 with an effect", name) for name in names(app))), names(app)[:9])
    check("with what each changed", wait(lambda: any(re.match(r"\d+ PromotePass, square, \+0 −4 ~1", name) for name in row_names(app))), row_names(app))
    check("and those that did nothing", lambda: any("changes nothing" in name for name in row_names(app)), lambda: row_names(app))
    check("the first with an effect is chosen", says(app, "  PromotePass"), names(app))
    check("before it there is memory", wait(lambda: "alloca" in text_of(app, "left")), text_of(app, "left"))
    check("after it none", wait(lambda: "mul i32 %x, %x" in text_of(app, "right") and "alloca" not in text_of(app, "right")), text_of(app, "right"))
    check("the kind is said", lambda: any(name == "LLVM" for name in names(app)), lambda: names(app))
    shoot("first")


def stepping(app):
    keys("alt+Right")
    check("Alt+Right goes to the next pass with an effect", says(app, "  InstCombinePass"), names(app))
    keys("alt+Right")
    check("and to the one after it", says(app, "  InlinerPass"), names(app))
    check("which is on a group of functions", lambda: any("(sum)" in name for name in names(app)), lambda: names(app))
    check("a call went", wait(lambda: "call i32 @square" in text_of(app, "left") and "mul i32" in text_of(app, "right")), text_of(app, "right"))
    keys("alt+Down")
    check("Alt+Down goes to a change", says(app, "change 1 of"), names(app))
    press(find(passes(app), "Whole dump"))
    check("the whole dump can be read", wait(lambda: text_of(app, "right").startswith("*** IR Dump After InlinerPass on (sum)")), text_of(app, "right")[:200])
    press(find(passes(app), "By line"))
    check("lines are compared letter by letter", wait(lambda: "call i32 @square" in text_of(app, "left")), text_of(app, "left"))
    press(find(passes(app), "By operation"))
    check("and operations again", wait(lambda: "mul i32" in text_of(app, "right")), text_of(app, "right"))
    press(find(passes(app), "Hide attributes"))
    shoot("operations")


def searching(app):
    entry = find(passes(app), "Look for a text in all dumps")
    Atspi.EditableText.set_text_contents(entry, "call i32 @square")
    press(find(passes(app), "Who removed it"))
    check("who removed a call is found", says(app, "“call i32 @square” is removed by"), names(app))
    check("and shown", says(app, "  InlinerPass"), names(app))
    Atspi.EditableText.set_text_contents(entry, "nowhere")
    press(find(passes(app), "First mention"))
    check("what is nowhere is said to be nowhere", says(app, "No dump mentions “nowhere”."), names(app))
    Atspi.EditableText.set_text_contents(entry, "ret i32 %m")
    press(find(passes(app), "First mention"))
    check("the first mention", says(app, "“ret i32 %m” is mentioned in 1 At Start"), names(app))
    press(find(passes(app), "Next mention"))
    check("and the next", wait(lambda: any("is mentioned in 2 PromotePass" in name for name in names(app))), names(app))


def following(app):
    entry = find(passes(app), "Look for a text in all dumps")
    Atspi.EditableText.set_text_contents(entry, "%b")
    keys("alt+Left", "alt+Left", "alt+Left", "alt+Left")
    press(find(passes(app), "Follow"))
    check("a value is followed to the pass that removes it", says(app, "“%b”: 1 pass touches it; "), names(app))
    check("which is marked in the list", wait(lambda: any("PromotePass, square, ✕ removes it" in name for name in row_names(app))), row_names(app))
    Atspi.EditableText.set_text_contents(entry, "%m")
    press(find(passes(app), "Follow"))
    check("another one is followed instead", says(app, "“%m”: "), names(app))
    check("through what touches it", wait(lambda: any("PromotePass, square, ● touches it" in name for name in row_names(app))), row_names(app))
    everything = len(row_names(app))
    press(find(passes(app), "Only those"))
    check("only passes that touch it are listed", wait(lambda: 0 < len(row_names(app)) < everything and all("touches it" in name or "removes it" in name for name in row_names(app))), row_names(app))
    press(find(passes(app), "Only those"))
    check("then all again", wait(lambda: len(row_names(app)) == everything), row_names(app))
    press(find(passes(app), "Only those"))
    check("they are listed alone once more", wait(lambda: len(row_names(app)) < everything), row_names(app))
    Atspi.EditableText.set_text_contents(entry, "call i32 @square")
    press(find(passes(app), "Who removed it"))
    check("a pass that is gone to ends that", wait(lambda: len(row_names(app)) == everything and not has_state(find(passes(app), "Only those"), Atspi.StateType.PRESSED)), row_names(app))
    Atspi.EditableText.set_text_contents(entry, "%m")
    press(find(passes(app), "Next that touches it"))
    check("the next of them is shown", wait(lambda: any(re.match(r"\d+  (PromotePass|InstCombinePass|InlinerPass)", name) for name in names(app))), names(app))
    shoot("followed")
    press(find(passes(app), "Follow this line"))
    check("the line at the cursor is followed", wait(lambda: find(passes(app), "Stop following") is not None and any(name.startswith("“%") and "touch" in name
                                                                                                                  for name in names(app))), names(app))
    Atspi.EditableText.set_text_contents(entry, "%nowhere")
    press(find(passes(app), "Follow"))
    check("what is nowhere cannot be followed", says(app, "No dump has “%nowhere”."), names(app))
    press(find(passes(app), "Stop following"))
    check("and following ends", wait(lambda: not any("touches it" in name for name in row_names(app))), row_names(app))


def filtering(app):
    everything = len(row_names(app))
    press(switch(app))
    check("passes without effect can be hidden", wait(lambda: row_names(app) and not any("changes nothing" in name for name in row_names(app))), row_names(app))
    check("and are counted", says(app, "hidden"), names(app))
    entry = find(passes(app), "Show passes and functions with this in their names")
    Atspi.EditableText.set_text_contents(entry, "promote")
    check("a word narrows the list", wait(lambda: 0 < len(row_names(app)) <= 2 and all("PromotePass" in name for name in row_names(app))), row_names(app))
    shoot("filtered")
    Atspi.EditableText.set_text_contents(entry, "")
    press(switch(app))
    check("all again", wait(lambda: len(row_names(app)) == everything), row_names(app))


def folding(app):
    everything = len(row_names(app))
    keys("ctrl+d")
    check("passes on one function are one row", wait(lambda: any("▸ function square, " in name for name in row_names(app))), row_names(app))
    check("with how many there are", lambda: any(re.search(r"▸ function square, \d+ passes, \d+ with an effect", name) for name in row_names(app)), lambda: row_names(app))
    folded = len(row_names(app))
    entry = find(passes(app), "Look for a text in all dumps")
    Atspi.EditableText.set_text_contents(entry, "call i32 @square")
    press(find(passes(app), "Who removed it"))
    check("a pass that is gone to is in the open", wait(lambda: any("InlinerPass, (sum), " in name for name in row_names(app))), row_names(app))
    check("in fewer rows", folded < everything, (folded, everything))
    shoot("folded")
    keys("ctrl+d")
    check("all again", wait(lambda: not any("▸" in name for name in row_names(app))), row_names(app))


def others(app):
    global TITLE        # pylint: disable=global-statement
    open_more(write("program.py", "from tvm.script import tir as T\n\n@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\")):\n    for i in range(4):\n        A[i] = 1.0\n"))
    check("a program still opens as a program", wait(lambda: window("program") or window("f")), [name_of(one) for one in app.get_children()])
    title, TITLE = TITLE, "Passes"
    check("the passes of this program are one list", insist(lambda: (focus("f"), driver.strokes("ctrl+shift+y")),
                                                            lambda: any("LowerOpaqueBlock, f" in name for name in row_names(app))), [name_of(one) for one in app.get_children()])
    check("of TensorIR, then LLVM's", wait(lambda: any("LowerInitBlock, f" in name for name in row_names(app))) and says(app, "Step 0: passes that change f: TensorIR "), row_names(app))
    shoot("own")
    insist(lambda: keys("ctrl+w"), lambda: window(TITLE) is None)
    TITLE = title
    check("Ctrl+W closes the log", insist(lambda: keys("ctrl+w"), lambda: window(TITLE) is None))
    open_more(write("damaged.log", DAMAGED))
    TITLE = "damaged.log – Passes"
    check("a cut log is shown as far as it goes", wait(lambda: any("1 Cut, f" in name for name in row_names(app))), names(app))
    check("and says what cannot be known", wait(lambda: any("nothing earlier to compare with" in name for name in row_names(app))), row_names(app))
    check("what stands before the dumps has a row", wait(lambda: any("warning: nothing" in name for name in names(app))), names(app))
    shoot("damaged")
    check("the kind can be corrected", lambda: find(passes(app), "Kind of the log") is not None, lambda: names(app))
    insist(lambda: keys("ctrl+w"), lambda: window(TITLE) is None)
    empty = os.path.join(FOLDER, "folder")
    os.makedirs(empty)
    open_more(empty)
    TITLE = "folder – Passes"
    check("a folder without a text is said to have none", says(app, "There is no text in it."), names(app))
    shoot("empty")


def drive(app):
    reading(app)
    stepping(app)
    searching(app)
    following(app)
    filtering(app)
    folding(app)
    others(app)


if not os.path.exists(OPT):
    print("1..0 # SKIP LLVM's opt is not installed")
    sys.exit(0)
PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.mkdtemp()
LOG = write("opt.log", subprocess.run([OPT, PIPELINE, "-S", "-o", "/dev/null", "-print-changed", "-"], input=MODULE, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True, check=True).stderr)
sys.exit(run(PROGRAM, [LOG], drive, ready="Only passes that change something"))
