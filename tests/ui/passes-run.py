"""A module of LLVM in the window of passes: taken through LLVM's passes, run after each; then a log in which something is planted."""
import os
import re
import subprocess
import sys
import tempfile
import time

import driver
from driver import Atspi, check, find, focus, has_state, insist, name_of, press, program_env, role_of, run, wait, walk

OPT = "/usr/lib/llvm-19/bin/opt"
MODULE = """define internal i32 @mad(i32 %x, i32 %f) {
  %m = mul i32 %x, %f
  %r = add i32 %m, 1
  ret i32 %r
}
define void @scale(ptr %a, i32 %n, i32 %f) {
entry:
  %i = alloca i32
  store i32 0, ptr %i
  br label %head
head:
  %k = load i32, ptr %i
  %c = icmp slt i32 %k, %n
  br i1 %c, label %body, label %done
body:
  %w = sext i32 %k to i64
  %e = getelementptr inbounds i32, ptr %a, i64 %w
  %x = load i32, ptr %e
  %y = call i32 @mad(i32 %x, i32 %f)
  store i32 %y, ptr %e
  %k1 = add nsw i32 %k, 1
  store i32 %k1, ptr %i
  br label %head
done:
  ret void
}
"""


def passes(app):
    return next((one for one in app.get_children() if name_of(one).endswith("– Passes") and name_of(one).startswith(START)), None)


def names(app):
    return [name_of(node) for node in walk(passes(app)) if name_of(node)] if passes(app) else []


def rows(app):
    return [name_of(node) for node in walk(passes(app)) if role_of(node) == "list item" and has_state(node, Atspi.StateType.VISIBLE) and re.match(r"\d+ ", name_of(node))]


def says(app, words, seconds=40.0):
    return wait(lambda: any(words in name for name in names(app)), seconds)


def dialog(app):
    return next((one for one in app.get_children() if find(one, "Run after each pass") is not None and find(one, "Run Run", "push button") is not None), None)


def shoot(name):
    if os.environ.get("LS_SHOTS"):
        time.sleep(1.5)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], f"run-{name}.png")], check=False)


def start(app, entry, arguments):
    def hit():
        focus(START)
        driver.strokes("ctrl+r")
    check("a function is asked for", insist(hit, lambda: dialog(app) is not None))
    fields = [node for node in walk(dialog(app)) if role_of(node) == "text"]
    check("and its arguments", len(fields) == 2, len(fields))
    Atspi.EditableText.set_text_contents(fields[0], entry)
    Atspi.EditableText.set_text_contents(fields[1], arguments)
    shoot("dialog")
    check("it can be sent", insist(lambda: press(find(dialog(app), "Run Run", "push button")), lambda: dialog(app) is None))


def drive(app):
    global START        # pylint: disable=global-statement
    check("a module is taken through LLVM's passes", wait(lambda: any("SROAPass" in row for row in rows(app))), rows(app))
    start(app, "scale", "i32[64]")
    check("what is missing is said", says(app, "Argument 2 is missing; expected is i32=NUMBER."), names(app)[:30])
    start(app, "scale", "i32[4096] i32=4096 i32=3")
    check("it runs to the end", says(app, "All results are the same.", 120.0), names(app)[:30])
    check("what made it fast is named", lambda: any(re.search(r"\d+ \w+ made it fastest: \d", name) for name in names(app)), lambda: names(app)[:30])
    check("each pass has its time", wait(lambda: any("SROAPass" in row and ", runs " in row for row in rows(app))), rows(app))
    shoot("times")
    subprocess.run([PROGRAM, PLANTED], stdout=subprocess.DEVNULL, env=program_env(), check=False, timeout=60)
    START = "planted"
    check("the log with a planted fault is read", wait(lambda: any("InlinerPass" in row for row in rows(app))), names(app)[:30])
    start(app, "scale", "i32[4096] i32=4096 i32=3")
    check("the pass that made it wrong is named", says(app, "InlinerPass made it wrong: argument 1[", 120.0), names(app)[:30])
    check("and marked", wait(lambda: any("InlinerPass" in row and "wrong result" in row for row in rows(app))), rows(app))
    shoot("wrong")


if not os.path.exists(OPT):
    print("1..0 # SKIP LLVM's opt is not installed")
    sys.exit(0)
PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.mkdtemp()
START = "scale"
FIRST, PLANTED = os.path.join(FOLDER, "scale.ll"), os.path.join(FOLDER, "planted.log")
with open(FIRST, "w", encoding="utf-8") as module:
    module.write(MODULE)
with open(PLANTED, "w", encoding="utf-8") as log:
    TEXT = subprocess.run([OPT, "-passes=function(sroa,instcombine),cgscc(inline),function(simplifycfg,instcombine)", "-S", "-o", "/dev/null", "-print-changed",
                           "-print-module-scope", "-"], input=MODULE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True).stderr
    HEAD, TAIL = TEXT.split("After InlinerPass", 1)
    AT = TAIL.index("mul i32", TAIL.index("define void @scale"))
    log.write(HEAD + "After InlinerPass" + TAIL[:AT] + "sub i32" + TAIL[AT + len("mul i32"):])
sys.exit(run(PROGRAM, [FIRST], drive, ready="Only passes that change something"))
