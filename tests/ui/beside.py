"""display.py: programs that start at once have displays, buses and folders of their own, and nothing of them is left."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import display

DISPLAY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "display.py")
MANY = 4
TELL = "import json, os; print(json.dumps({name: os.environ.get(name) for name in ('DISPLAY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR')}))"
COUNT = 0
FAILED = 0


def check(name, good, detail=""):
    global COUNT, FAILED
    COUNT += 1
    FAILED += not good
    print(f"{'ok' if good else 'not ok'} {COUNT} - {name}", flush=True)
    if not good:
        print("#", str(detail).replace("\n", "\n# "), flush=True)


def start(*command, **options):
    return subprocess.Popen([sys.executable, DISPLAY, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **options)


def servers(folder):
    """Processes that have this folder in their environment."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                if folder.encode() in file.read():
                    found.append(int(entry))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]


def wait(what, seconds=60.0):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.05)
    return what()


def main():
    if display.missing():
        print("1..0 # SKIP " + ", ".join(display.missing()) + " is not installed")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, TMPDIR=folder)
        beside = [start(sys.executable, "-c", TELL + "; import time; time.sleep(1)", env=env) for _ in range(MANY)]
        told = [json.loads(child.communicate()[0]) for child in beside]
        for name in told[0]:
            check(f"{MANY} at once have {MANY} of {name}", len({one[name] for one in told}) == MANY and all(one[name] for one in told), told)
        check("the status is the program's", start(sys.executable, "-c", "raise SystemExit(7)", env=env).wait() == 7)
        check("a signal is told as a shell does", start(sys.executable, "-c", "import os; os.kill(os.getpid(), 11)", env=env).wait() == 128 + signal.SIGSEGV)
        check("what a sanitizer found is a failure", start("sh", "-c", "echo '==7==ERROR: LeakSanitizer: detected memory leaks'", env=env).wait() == 1)
        check("their folders are gone", wait(lambda: not os.listdir(folder)), os.listdir(folder))

        child = start(sys.executable, "-c", "print('there', flush=True); import time; time.sleep(600)", env=env)
        child.stdout.readline()
        child.send_signal(signal.SIGTERM)
        check("ended from outside it ends", child.wait() == 143, child.returncode)
        check("and takes along what it started", wait(lambda: not servers(folder), 20.0), servers(folder))
        check("and its folder", not os.listdir(folder), os.listdir(folder))
    print(f"1..{COUNT}")
    return 1 if FAILED else 0


sys.exit(main())
