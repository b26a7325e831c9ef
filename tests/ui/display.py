"""A display, a session bus and folders of its own for one program, so that any number of them run beside each other:

    python3 tests/ui/display.py PROGRAM [ARGUMENT..]

Nothing of the user's is touched and nothing is left.  LS_UI_SIZE is the size of the screen.  Where a tool for it is missing,
that is said as TAP says that a program is skipped.  The server chooses its number itself; xvfb-run looks for a free one, and two
that look at once find the same.
"""
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TOOLS = ("Xvfb", "dbus-run-session")
FOLDERS = ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")     # the accessibility bus has its socket in the last one
NUMBER_SECONDS = 60
# What sanitizers say; what is no fault of ours is named in tests/lsan.supp.
FINDING = re.compile(r"ERROR: (Address|Leak)Sanitizer|runtime error: ")
NOISE = ("dbus-daemon", "SpiRegistry")          # the bus and the registry talk too


def missing():
    """The tools that are not there."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def end_with_parent():
    """What is started here does not outlive this process, however that ends (Linux: PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def start_server():
    """The X server and its number, once it takes connections; no number if it did not come up."""
    reads, writes = os.pipe()
    size = os.environ.get("LS_UI_SIZE", "1440x900")
    # -r: a key repeats as often as it is pressed, not for as long as a busy machine leaves it down.
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writes), "-screen", "0", size + "x24", "-noreset", "-nolisten", "tcp", "-r"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              pass_fds=(writes,), preexec_fn=end_with_parent)
    os.close(writes)
    signal.alarm(NUMBER_SECONDS)
    with os.fdopen(reads, encoding="ascii") as answer:
        number = answer.readline().strip()
    signal.alarm(0)
    return server, number


def environment(folder, number):
    """What the program is started with.  Without GL: GTK would load Mesa's drivers and their LLVM at each start, to draw nothing with them."""
    env = dict(os.environ, DISPLAY=":" + number, GDK_BACKEND="x11", GDK_DEBUG="gl-disable", GSK_RENDERER="cairo", GSETTINGS_BACKEND="keyfile")
    for name in ("WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS"):
        env.pop(name, None)
    for name in FOLDERS:
        env[name] = os.path.join(folder, name)
        os.mkdir(env[name], mode=0o700)
    return env


def end_group(child):
    """The bus, the program, and what they started; usually all of it has ended."""
    try:
        os.killpg(child.pid, signal.SIGTERM if child.poll() is None else signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def leave(*_):
    """Once: what is left over is cleared away then."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(143)


def on_display(command, more=None, line=None):
    """Runs the command there, with `more` in its environment; its exit status, or 1 where a sanitizer found something, whose reports are
    no end of a program there (tests/meson.build).  line: what gets each line of its output, errors too; without it they go where ours go."""
    signal.signal(signal.SIGTERM, leave)
    folder = tempfile.mkdtemp(prefix="loopscope-ui-")
    server = child = None
    found = False
    try:
        server, number = start_server()
        if not number:
            print("Bail out! Xvfb did not start", flush=True)
            return 1
        child = subprocess.Popen(["dbus-run-session", "--"] + command, env=dict(environment(folder, number), **(more or {})), text=True,
                                 errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT if line else None,
                                 preexec_fn=end_with_parent, process_group=0)
        for text in child.stdout:
            found |= FINDING.search(text) is not None
            if not text.startswith(NOISE) and "dbind-WARNING" not in text:
                line(text) if line else print(text, end="", flush=True)
        return child.wait() or int(found)
    finally:
        if child is not None:
            end_group(child)
        if server is not None:
            server.terminate()
            server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    if missing():
        print("1..0 # SKIP " + ", ".join(missing()) + " is not installed")
        return 0
    status = on_display(sys.argv[1:])
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
