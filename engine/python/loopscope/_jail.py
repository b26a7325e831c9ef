"""The program loopscope-jail: where it is, its command line, what holds (app/jail/jail.h does the same for the window)."""
import os
import shutil
import subprocess
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_PLACES = ("app/jail", "libexec", "libexec/loopscope", "lib/loopscope")
_HELD = {"first": "yes", "others": "closed", "home": "closed", "secrets": "closed", "system": "closed", "network": "closed", "filter": "yes"}


def program():
    """The path of loopscope-jail; None when it is not there."""
    given = os.environ.get("LS_JAIL_PROGRAM")
    if given:
        return given if os.access(given, os.X_OK) else None
    folder = _HERE
    for _ in range(7):
        folder = os.path.dirname(folder)
        for place in _PLACES:
            path = os.path.join(folder, place, "loopscope-jail")
            if os.access(path, os.X_OK):
                return path
    return shutil.which("loopscope-jail")


def is_inside():
    """Does this process run in a jail already?  There is none within another."""
    return os.environ.get("LS_JAILED") == "1"


def _home():
    home = os.path.realpath(os.path.expanduser("~"))
    return home if os.path.isabs(home) and home != "/" else None


def is_too_wide(path):
    """Folders that are never handed over: the home and what is above it, /tmp, the system's own."""
    real, home = os.path.realpath(path), _home()
    if real in ("/", "/home", "/root", "/tmp", "/var", "/var/tmp", "/srv", "/mnt", "/media", "/usr", "/opt"):
        return True
    if home is not None and (home + "/").startswith(real + "/"):
        return True
    if home is not None and real in [os.path.join(home, name) for name in (".ssh", ".gnupg", ".config", ".cache", ".local", ".local/share", "Desktop", "Documents", "Downloads")]:
        return True
    return any((real + "/").startswith(folder + "/") for folder in ("/etc", "/run", "/proc", "/sys", "/dev", "/boot", "/var/lib", "/var/log", "/var/spool"))


def command(read=(), write=(), memory=0, processes=None, network=False, optional=False, folder=None, keep=(), group=True):
    """What stands before the program's own command line; None when there is no loopscope-jail."""
    found = program()
    if found is None:
        return None
    line = [found]
    if _home() is not None and not _home().startswith(("/usr/", "/proc", "/dev")):
        line += ["--scratch", _home()]
    line += ["--processes", str(processes or 512 + 16 * (os.cpu_count() or 1)), "--file-size", str(8 << 30)]
    if memory:
        line += ["--memory", str(memory), "--size", str(max(64 << 20, min(memory // 8, 1 << 30)))]
    for option, paths in (("--read", read), ("--write", write)):
        for path in paths:
            if os.path.exists(path) and not is_too_wide(path):
                line += [option, os.path.abspath(path)]
    if folder:
        line += ["--folder", folder]
    for name in keep:
        line += ["--keep", name]
    return line + ["--network"] * network + ["--try"] * optional + ["--no-group"] * (not group) + ["--"]


def python_places():
    """What Python needs to find its modules again: its own installation and the folders of sys.path."""
    places = [os.path.dirname(_HERE)]
    for path in [sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable))] + [path or os.getcwd() for path in sys.path]:
        if not path.startswith("/usr") and path not in places:
            places.append(path)
    return places


def jail():
    """{"holds": bool, "why": text, ...}: starts a jail and tries in it what must not work.  The other keys are what was tried."""
    if is_inside():
        return {"holds": True, "why": "this process runs in a jail"}
    line = command(optional=True)
    if line is None:
        return {"holds": False, "why": "loopscope-jail is not there"}
    try:
        text = subprocess.run(line[:-1] + ["--attest"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired) as problem:
        return {"holds": False, "why": str(problem)}
    tried = dict(row.split("=", 1) for row in text.splitlines() if "=" in row)
    tried = {name: value.strip() for name, value in tried.items()}
    missing = [name for name, value in _HELD.items() if tried.get(name) != value]
    return {"holds": not missing, "why": (tried.get("refused", "") + (f" (open: {', '.join(missing)})" if missing else "")).strip(), **tried}
