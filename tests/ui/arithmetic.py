"""The rules of arithmetic with their verdicts: by keyboard; narrowed by a word, and with the statement of the chosen one."""
import json
import os
import subprocess
import sys
import time

import driver
from driver import check, close_by, focus, insist, key, name_of, run, top_level, wait, walk, window

TITLE = "Rules of arithmetic"
CLI = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli")


def names(app):
    return [name_of(node) for node in walk(top_level(app, TITLE)) if name_of(node)]


def write(text):
    subprocess.run(["xdotool", "type", text], check=False)


def says(app, *words):
    return wait(lambda: any(all(word in name for word in words) for name in names(app)))


def keys(title, *sequence):
    focus(title)
    driver.strokes(*sequence)


def drive(app):
    record = json.loads(subprocess.run([CLI, "rules", "--json"], capture_output=True, check=True, text=True).stdout)
    rules, steps = record["rules"], record["steps"]
    proved = sum(rule["verdict"] == "proved" for rule in rules)
    check("Ctrl+Shift+T opens the rules", insist(lambda: keys("mm_relu", "ctrl+shift+t"), lambda: window(TITLE)))
    check("all rules and steps are counted, and how many are proved", says(app, str(len(rules) + len(steps)), f"{proved} proved"), names(app)[:20])
    check("rows say what a rule is and its verdict", lambda: rules[0]["pattern"].split(";")[0] in " ".join(names(app)) and "proved" in names(app), lambda: names(app)[:20])
    check("the statement of the first one is shown", says(app, "For all ", rules[0]["pattern"], "Proved by Z3"), names(app)[-10:])
    focus(TITLE)
    write("floordiv/chain")
    check("a word narrows them", says(app, "2 rules and steps, 2 proved"), names(app)[:10])
    check("and the statement follows", says(app, "For all x, c1, c2 with c1 > 0 && c2 > 0: x // c1 // c2 is x // (c1 * c2)", "integers without bounds"), names(app)[-10:])
    if os.environ.get("LS_UI_PICTURE"):
        time.sleep(1)
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-rules.png"], check=False)
    key("ctrl+a")
    write("tested")
    check("tested ones are the steps", says(app, f"{len(steps)} rules and steps, 0 proved"), names(app)[:10])
    check("which say with how many cases", says(app, "Tested with ", "cases"), names(app)[-10:])
    key("ctrl+a")
    write("qqq")
    check("nothing found says so", says(app, "No rule has this in it."), names(app)[:10])
    key("Escape")
    check("Escape in the field shows all again", says(app, str(len(rules) + len(steps)), f"{proved} proved"), names(app)[:10])
    check("and once more closes the window", close_by("Escape", TITLE))
    focus("mm_relu")


PROGRAM = os.path.abspath(sys.argv[1])
sys.exit(run(PROGRAM, [], drive))
