"""Links on the command line: to a step, a page, a loop, a lesson; what there is not is said in a window."""
import os
import shutil
import subprocess
import sys
import tempfile

from driver import application, check, name_of, program_env, wait, walk, window
import driver

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
FILE = os.path.join(FOLDER.name, "mm.py")
shutil.copy(os.path.join(TOP, "data", "samples", "mm_relu.py"), FILE)


def names(app):
    return [name_of(node) for node in walk(app) if name_of(node)] if app is not None else []


def follow(link, *sentences):
    """Starts the program on a link: each sentence stands in the window."""
    child = subprocess.Popen([PROGRAM, link], stdout=subprocess.DEVNULL, env=program_env(), cwd=FOLDER.name)
    try:
        for sentence in sentences:
            found = wait(lambda: any(sentence in name for name in names(application())))
            check(f"{link.replace(FOLDER.name, '')}: {sentence}", found, [n for n in names(application()) if len(n) > 20][:12])
        if os.environ.get("LS_SHOTS"):
            import time
            time.sleep(0.7)
            number = "".join(c if c.isalnum() else "-" for c in link.replace(FOLDER.name, ""))[:50]
            subprocess.run(["import", "-window", "root", os.path.join(os.environ["LS_SHOTS"], f"link-{number}.png")], check=False)
        check("the program is alive", child.poll() is None)
    finally:
        child.terminate()
        child.wait(60)


follow(f"loopscope://{FILE}?step=0&page=compare&sel=j", "mm_relu, as opened", "Run both to see whether")
follow(f"loopscope://{FILE}?step=7&sel=nothing&page=moon", "There is no step 7; this is step 0.", "There is no page moon",
       "There is no loop and no block named nothing")
follow(f"loopscope://{FILE}?tep=7", "A link says step, page, sel and window, not tep.")
follow(f"loopscope://{FILE}?window=machine-code,nowhere", "There is no window nowhere", "from the lines of")
follow(f"loopscope://{FILE}x", "mm.pyx")
follow("loopscope:///lesson/none-such?step=4", "There is no lesson named none-such")
follow("loopscope:///lesson/loops?step=99", "there is no step 99")
for wrong in ("loopscope://elsewhere/x", "loopscope:nothing", f"loopscope://{FILE}%zz?step=1"):
    follow(wrong, "A link reads loopscope:///PATH/FILE")
follow(f"loopscope://{FILE}x?step=1&sel=j_0", "mm.pyx", "5 of 5")     # what is shown instead stays where it is


def told(app, part):
    return next((name for name in names(app) if part in name), None)


def copied():
    """A link that the window made leads back to where it was made."""
    child = subprocess.Popen([PROGRAM], stdout=subprocess.DEVNULL, env=program_env(), cwd=FOLDER.name)
    try:
        app = wait(application)
        check("the sample opens", wait(lambda: told(app, "decompose_reduction(Y, k)")))
        check("without a file there is no link", driver.insist(act, lambda: told(app, "save it first")))
        check("saving asks for a name", driver.insist(lambda: driver.key("ctrl+s"), lambda: window("Save the session")))
        check("and has one", driver.close_by("Return", "Save the session"))
        driver.focus("mm_relu")
        driver.key("alt+Home")
        check("at step 0", wait(lambda: told(app, "0 of 5")))
        driver.key("alt+Right")
        check("at step 1", wait(lambda: told(app, "1 of 5")))
        driver.key("ctrl+3")
        check("a window opens beside it", driver.insist(lambda: driver.key("ctrl+shift+l"), lambda: window("Passes")))
        driver.focus("mm_relu")
        check("a saved session has a link", driver.insist(act, lambda: told(app, "loopscope:///")), names(app)[:12])
        link = told(app, "loopscope:///")
        check("it names the step and the page", link and "step=1" in link and "page=graph" in link and link.endswith("&window=lowering"), link)
    finally:
        child.terminate()
        child.wait(60)
    follow(link, "1 of 5", "Show on nodes", "Up and Down go pass by pass")


def act():
    subprocess.run(["gdbus", "call", "--session", "--dest", "org.loopscope.Loopscope", "--object-path", "/org/loopscope/Loopscope/window/1",
                    "--method", "org.gtk.Actions.Activate", "copy-link", "[]", "{}"], check=False, stdout=subprocess.DEVNULL)


copied()
print(f"1..{driver.COUNT}")
sys.exit(1 if driver.FAILED else 0)
