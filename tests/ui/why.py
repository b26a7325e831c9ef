"""The page Why: what is not known has the button that gets it; measuring the steps measures the machine too, and then there is a verdict beside that
of another step; what is likely to help is tried as branches, with estimate and measurement side by side, and cancelling leaves them without a time."""
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time

from driver import Atspi, check, close_by, descendants, find, has_state, key, name_of, press, role_of, run, wait, walk, window


def names(app):
    return [name_of(node) for node in walk(app) if name_of(node)]


def said(app, part):
    return any(part in name for name in names(app))


def tries(app):
    """Something is being measured: then the button is away, or not to be pressed."""
    return not has_state(find(app, "Try these", "push button"), Atspi.StateType.SENSITIVE)


def cancels(app):
    return [node for node in walk(app) if name_of(node) == "Cancel" and role_of(node) == "push button"]


def measured(app):
    """The rows, as a screen reader has them, that have their estimate beside a measurement."""
    return sorted({name for name in names(app) if "Likely to help: " in name and "Estimate: " in name and "Measured: " in name})


def signal_all(pids, number):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def drive(app):
    key("ctrl+4")
    check("without peaks it says that they are missing", wait(lambda: said(app, "because what this machine can do has not been measured")), names(app)[-40:])
    check("and has the button that gets them", wait(lambda: find(app, "Measure the machine", "push button")) is not None)
    check("caches are simulated all the same", wait(lambda: said(app, "Simulated, for all "), 60), names(app)[-60:])
    check("and the innermost loop is taken apart", wait(lambda: "Instructions in a round" in names(app), 60))
    check("nothing is likely to help yet", "Likely to help" not in names(app))
    key("shift+F5")
    check("after measuring there is a verdict", wait(lambda: "Held back by" in names(app), 240), names(app)[-60:])
    check("with the share of the roof", wait(lambda: said(app, " of the roof of ")))
    check("beside that of the step before", wait(lambda: said(app, "Step 4 is held back by "), 60), names(app)[-60:])
    check("the innermost loop's row has what its machine code is", wait(lambda: any(" cycles" in name and "lane" in name and "extent" in name for name in names(app)), 60),
          [name for name in names(app) if "extent" in name])
    check("the counts have their own rows", wait(lambda: "Least the machine needs" in names(app)))
    key("ctrl+1")
    badge = wait(lambda: next((node for node in walk(app) if " cycles" in name_of(node) and "lane" in name_of(node) and node.get_role_name() == "push button"), None), 60)
    if os.environ.get("LS_UI_PICTURE"):
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + "-why.png"], check=False)
    check("and a button that opens it", badge is not None and press(badge) and wait(lambda: window("Machine code")))
    check("which closes", close_by("Escape", "Machine code"))
    key("ctrl+4")
    key("alt+Home")
    check("another step has its own verdict", wait(lambda: "Step 0" in names(app) and "Held back by" in names(app), 60), names(app)[-60:])
    check("what is likely to help is there", wait(lambda: find(app, "Try these", "push button") is not None, 60))
    key("ctrl+1")       # where the button of the time pane, which cancels too, is on the screen
    # A button that is pressed acts a quarter of a second later; there may be another Cancel, of what is not under way.  What measures stands
    # still until then, or it might be through.
    others = cancels(app)
    check("trying them begins", wait(lambda: press(find(app, "Try these", "push button"))))
    check("and says so", wait(lambda: tries(app)))
    workers = [pid for pid, name in descendants(os.getpid()).items() if name.startswith("loopscope-work")]
    check("in another process", len(workers) > 0)
    signal_all(workers, signal.SIGSTOP)
    pressed = press(wait(lambda: next((node for node in cancels(app) if node not in others), None), 30))
    time.sleep(1)
    signal_all(workers, signal.SIGCONT)
    check("and can be cancelled", pressed and wait(lambda: all(node in others for node in cancels(app)) and not tries(app), 30))
    check("before all are measured", len(measured(app)) < 5, measured(app))
    check("they can be tried again", wait(lambda: press(find(app, "Try these", "push button"))))
    check("and all of them are measured", wait(lambda: len(measured(app)) == 5 and not tries(app), 240), measured(app))


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()
os.environ["XDG_CACHE_HOME"] = os.path.join(FOLDER.name, "cache")
os.chdir(FOLDER.name)
sys.exit(run(PROGRAM, [], drive))
