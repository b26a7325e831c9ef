"""What goes out of the window of pass logs and comes back: links, sessions, pages, a second log, another kind, times; a Relax program's pipeline."""
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

from driver import Atspi, answer_file, check, find, focus, has_state, insist, key, name_of, press, program_env, role_of, run, top_level, wait, walk, window

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
OPT = "/usr/lib/llvm-19/bin/opt"
MODULE = """define i32 @square(i32 %x) {
  %p = alloca i32
  store i32 %x, ptr %p
  %a = load i32, ptr %p
  %m = mul i32 %a, %a
  ret i32 %m
}
define i32 @sum(i32 %n) {
  %q = call i32 @square(i32 %n)
  %t = add i32 %q, 0
  ret i32 %t
}
"""
FIRST = "-passes=function(mem2reg,instcombine,simplifycfg),cgscc(inline),function(instcombine)"
SECOND = "-passes=function(mem2reg,simplifycfg),cgscc(inline),function(instcombine)"
TIMES = """===-------------------------------------------------------------------------===
                         Pass execution timing report
===-------------------------------------------------------------------------===
  Total Execution Time: 0.0900 seconds (0.0900 wall clock)

   ---User Time---   --System Time--   --User+System--   ---Wall Time---  --- Name ---
   0.0500 ( 55.6%)   0.0000 (  0.0%)   0.0500 ( 55.6%)   0.0500 ( 55.6%)  InlinerPass
   0.0300 ( 33.3%)   0.0000 (  0.0%)   0.0300 ( 33.3%)   0.0300 ( 33.3%)  InstCombinePass
   0.0100 ( 11.1%)   0.0000 (  0.0%)   0.0100 ( 11.1%)   0.0100 ( 11.1%)  PromotePass
   0.0900 (100.0%)   0.0000 (100.0%)   0.0900 (100.0%)   0.0900 (100.0%)  Total

"""
TITLE = "first.log – Passes"


def passes(app):
    return top_level(app, TITLE)


def names(app):
    return [name_of(node) for node in walk(passes(app)) if name_of(node)] if passes(app) else []


def rows(app):
    return [name_of(node) for node in walk(passes(app)) if role_of(node) == "list item" and has_state(node, Atspi.StateType.VISIBLE)
            and re.match(r"\d+ |, | \S", name_of(node))] if passes(app) else []


def says(app, words):
    return wait(lambda: any(words in name for name in names(app)), 20.0)


def text_of(app, side):
    node = find(passes(app), "Text on the " + side)
    return Atspi.Text.get_text(node, 0, -1) if node is not None else ""


def shoot(name):
    if os.environ.get("LS_SHOTS"):
        subprocess.run(["xdotool", "windowmove", window(TITLE), "0", "0"], check=False)
        time.sleep(1.5)
        subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], f"places-{name}.png")], check=False)


def write_log(name, pipeline, *options):
    path = os.path.join(FOLDER, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(subprocess.run([OPT, pipeline, "-S", "-o", "/dev/null", "-print-after-all", *options, "-"], input=MODULE, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, check=True).stderr)
    return path


def item(app, words):
    return next((node for node in walk(passes(app)) if name_of(node) == words and "menu item" in role_of(node)), None)


def menu(app, words):
    """Chooses in the window's menu."""
    def open_it():
        for node in walk(find(passes(app), "Menu")):
            press(node)
    insist(open_it, lambda: item(app, words) is not None)
    check(words + " is in the menu", press(item(app, words)))


def answer(app, title, path):
    check(title + " is asked for and answered", answer_file(app, title, path))


def open_more(place):
    subprocess.run([PROGRAM, place], stdout=subprocess.DEVNULL, env=program_env(), check=False, timeout=60)


def linked(app):
    check("a link leads to a pass", says(app, "  InlinerPass"), names(app)[:20])
    check("and a function of it", wait(lambda: "mul i32" in text_of(app, "right")), text_of(app, "right"))
    menu(app, "Copy link to this pass")
    check("the place is a link again", says(app, "Copied: loopscope:"), names(app)[:20])
    link = [name for name in names(app) if name.startswith("Copied: ")][0].removeprefix("Copied: ")
    query = dict(urllib.parse.parse_qsl(link.partition("?")[2]))
    check("with pass and function", query.get("function") == "sum" and query.get("pass", "").isdigit(), link)
    check("of this file", urllib.parse.urlparse(link).path == LOG, link)
    insist(lambda: (focus(TITLE), key("alt+Left")), lambda: any("  InstCombinePass" in name or "  PromotePass" in name for name in names(app)))
    open_more(link + "&follow=%25q")
    check("which leads there again", says(app, "  InlinerPass"), names(app)[:20])
    check("with what is followed", says(app, "“%q”: "), names(app)[:20])
    shoot("link")
    open_more(LOG + "#pass=4711")
    check("a pass that is not there is said not to be", says(app, "The log has no pass 4711."), names(app)[:20])


def timed(app):
    check("times of the log stand in the list", wait(lambda: any(re.search(r", [\d.]+\s(ns|µs|ms|s)$", name) for name in rows(app))), rows(app))
    order = rows(app)
    menu(app, "Slowest first")
    check("the slowest can stand first", wait(lambda: rows(app) and "InlinerPass" in rows(app)[0] and "50" in rows(app)[0] and rows(app) != order), rows(app))
    shoot("slowest")
    menu(app, "Slowest first")
    check("and the order of the log again", wait(lambda: rows(app)[:5] == order[:5]), rows(app))


def two(app):
    menu(app, "Compare with another log…")
    answer(app, "Open a log to compare with", OTHER)
    check("the first pass that came out differently is said", says(app, "is the first to come out differently"), names(app)[:30])
    check("and what only one has", says(app, "with an effect only here 1, only there 0"), [name for name in names(app) if "Beside" in name])
    check("and which functions are different at the end", lambda: any("At the end nothing is different." in name for name in names(app)), lambda: [name for name in names(app) if "Beside" in name])
    check("rows say it too", wait(lambda: any("not there" in name for name in rows(app))) and any("≠ differs there" in name for name in rows(app)), rows(app))
    press(find(passes(app), "Next difference"))
    check("both texts are shown", wait(lambda: "add i32" in text_of(app, "right") and "add i32" not in text_of(app, "left")),
          text_of(app, "left") + "\n---\n" + text_of(app, "right"))
    check("as LLVM reads them", wait(lambda: any(name.startswith("read by LLVM ") for name in names(app))), [name for name in names(app) if "read by" in name])
    shoot("two")
    press(find(passes(app), "Stop comparing"))
    check("and one log again", wait(lambda: not any("not there" in name for name in rows(app))), rows(app))


def saved(app):
    global TITLE        # pylint: disable=global-statement
    listed = rows(app)
    at = next(name for name in names(app) if re.match(r"\d+  \w+Pass$", name))
    session = os.path.join(FOLDER, "kept.passes")
    menu(app, "Save as a session…")
    answer(app, "Save the passes as a session", session)
    check("a session is saved", wait(lambda: os.path.exists(session)) and says(app, "Saved as kept.passes"), names(app)[:20])
    page = os.path.join(FOLDER, "kept.html")
    press(find(passes(app), "Share as a page…"))
    answer(app, "Save the passes as a page", page)
    check("a page is shared", wait(lambda: os.path.exists(page)) and says(app, "Saved as kept.html"), names(app)[:20])
    with open(page, encoding="utf-8") as file:
        text = file.read()
    check("with the passes and what they did", "InlinerPass" in text and "PromotePass" in text and "src=\"http" not in text)
    open_more(session)
    TITLE = "kept.passes – Passes"
    check("the session opens at its pass", says(app, at), names(app)[:20])
    check("with what was followed", says(app, "“%q”: "), names(app)[:20])
    check("and all passes", wait(lambda: [row.replace(", ✕ removes it", "").replace("● touches it, ", "") for row in rows(app)][:5]
                                 == [row.replace(", ✕ removes it", "").replace("● touches it, ", "") for row in listed][:5]), rows(app))


def corrected(app):
    global TITLE        # pylint: disable=global-statement
    insist(lambda: (focus(TITLE), key("ctrl+w")), lambda: window(TITLE) is None)
    TITLE = "first.log – Passes"
    check("the kind is recognised", says(app, "LLVM"), names(app)[:9])
    def choose():
        focus(TITLE)
        for node in walk(find(passes(app), "Kind of the log")):
            if press(node):
                break
        time.sleep(0.7)
        key("End")
        time.sleep(0.2)
        key("Return")
    check("another kind reads it again as that", insist(choose, lambda: any("0 of 1 passes" in name for name in names(app)), 40.0), names(app)[:12])


def pipeline(app):
    global TITLE        # pylint: disable=global-statement
    open_more(os.path.join(TOP, "data", "samples", "mlp.py"))
    check("a program of graphs opens", wait(lambda: window("main")), [name_of(one) for one in app.get_children()])
    TITLE = "Passes"
    check("its passes are listed", insist(lambda: (focus("main"), key("ctrl+shift+y")), lambda: any("LegalizeOps" in name for name in rows(app))), rows(app))
    check("and said by stage", says(app, "Relax "), names(app)[:9])
    shoot("relax")


def cut_off(app):
    """The program after each of LLVM's passes, timed and compared."""
    global TITLE        # pylint: disable=global-statement
    open_more(os.path.join(TOP, "data", "samples", "mm_relu.py"))
    check("a program opens", wait(lambda: window("mm_relu")), [name_of(one) for one in app.get_children()])
    insist(lambda: (focus("Passes"), key("ctrl+w")), lambda: window("Passes") is None)
    TITLE = "Passes"
    check("LLVM's passes are there", insist(lambda: (focus("mm_relu"), key("ctrl+shift+y")), lambda: any("instcombine" in name for name in rows(app))), rows(app)[-9:])
    wait(lambda: not has_state(find(passes(app), "Cancel"), Atspi.StateType.SHOWING), 20.0)
    menu(app, "Time after each pass")
    check("the program is timed after them", says(app, "The list says what the program takes"), names(app)[:20])
    check("and the list says how long it runs", wait(lambda: any(", runs " in name for name in rows(app))), rows(app)[-9:])
    check("with the same result", not any("wrong result" in name for name in rows(app)), rows(app)[-9:])
    shoot("time")


def drive(app):
    linked(app)
    timed(app)
    two(app)
    saved(app)
    corrected(app)
    pipeline(app)
    cut_off(app)


if not os.path.exists(OPT):
    print("1..0 # SKIP LLVM's opt is not installed")
    sys.exit(0)
PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.mkdtemp()
LOG = write_log("first.log", FIRST)
with open(LOG, "a", encoding="utf-8") as log:
    log.write(TIMES)
OTHER = write_log("second.log", SECOND)
sys.exit(run(PROGRAM, [LOG + "#pass=InlinerPass&function=sum"], drive, ready="Only passes that change something"))
