"""A projector beside the speaker's screen: slides fill the projector, notes stay here; S moves on; with the projector gone the slides are a window again.
Xvfb has one screen only, so this has a server of its own (Xorg's dummy driver) and a window manager, for without one nothing fills a screen."""
import os
import shutil
import sys
import tempfile

import driver
import xkeys
from driver import check, insist, key, name_of, subprocess, wait, walk, window

TOOLS = {"Xorg": "xserver-xorg-core", "openbox": "openbox", "xrandr": "x11-xserver-utils"}
DRIVER = "/usr/lib/xorg/modules/drivers/dummy_drv.so"
TITLE = "Two screens"
CARD = """Section "Device"
  Identifier "card"
  Driver "dummy"
  VideoRam 256000
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 5-1000
  VertRefresh 5-200
EndSection
Section "Screen"
  Identifier "screen"
  Device "card"
  Monitor "monitor"
  DefaultDepth 24
EndSection
Section "ServerFlags"
  Option "AutoAddDevices" "false"
EndSection
"""
SPEAKER, PROJECTOR = (0, 0, 1024, 768), (1024, 0, 1280, 720)
LESSON = f'''---
title: {TITLE}
id: screens
---

Words for the class.

```notes
Words for the speaker.
```
'''


def start_server(folder):
    """An X server with a speaker's screen and a projector, once it takes connections, and its number."""
    with open(os.path.join(folder, "xorg.conf"), "w", encoding="utf-8") as file:
        file.write(CARD)
    reads, writes = os.pipe()
    server = subprocess.Popen(["Xorg", "-displayfd", str(writes), "-config", os.path.join(folder, "xorg.conf"), "-logfile", os.path.join(folder, "xorg.log"),
                               "-noreset", "-nolisten", "tcp"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(writes,))
    os.close(writes)
    with os.fdopen(reads, encoding="ascii") as answer:
        os.environ["DISPLAY"] = ":" + answer.readline().strip()
    subprocess.run(["xrandr", "--addmode", "DUMMY1", "1280x720"], check=True)
    subprocess.run(["xrandr", "--output", "DUMMY0", "--mode", "1024x768", "--pos", "0x0", "--output", "DUMMY1", "--mode", "1280x720", "--pos", "1024x0"], check=True)
    check("there are two screens", "Monitors: 2" in subprocess.run(["xrandr", "--listmonitors"], capture_output=True, text=True, check=True).stdout)
    return server


def geometry(number):
    out = subprocess.run(["xdotool", "getwindowgeometry", "--shell", number], capture_output=True, text=True, check=False).stdout
    said = dict(line.split("=") for line in out.splitlines() if "=" in line)
    return tuple(int(said.get(name, -1)) for name in ("X", "Y", "WIDTH", "HEIGHT"))


def windows():
    return subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^" + TITLE], capture_output=True, text=True, check=False).stdout.split()


def drive(app):
    lesson = windows()[0]
    slides = lambda: next((one for one in windows() if one != lesson), None)
    at = lambda: slides() and geometry(slides())
    give = lambda number: number and xkeys.focus(number)
    check("slides fill the projector", insist(lambda: (give(lesson), key("shift+F11")), lambda: at() == PROJECTOR), at())
    x, _, width, _ = geometry(lesson)
    check("the lesson stays where it was", 0 <= x and x + width <= SPEAKER[2], geometry(lesson))
    check("with notes", wait(lambda: any(name_of(node) == "Words for the speaker." for node in walk(app))) is not None)
    check("S takes the slides to the other screen", insist(lambda: (give(slides()), key("s")), lambda: at() == SPEAKER), at())
    check("and on to the first again", insist(lambda: (give(slides()), key("s")), lambda: at() == PROJECTOR), at())
    subprocess.run(["xrandr", "--output", "DUMMY1", "--off"], check=True)
    subprocess.run(["xrandr", "--listmonitors"], check=True, stdout=subprocess.DEVNULL)
    check("with the projector gone they are a window", wait(lambda: at() and at() not in (PROJECTOR, SPEAKER)) is not None, at())


def main():
    need = [package for tool, package in TOOLS.items() if shutil.which(tool) is None] + ([] if os.path.exists(DRIVER) else ["xserver-xorg-video-dummy"])
    if need:
        print("1..0 # SKIP " + ", ".join(need) + " is not installed")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "screens.en.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(LESSON)
        server = start_server(folder)
        # What fills memory finds faults of ours: openbox reads pieces that it never wrote, and takes a screen for as large as another.
        plain = {name: value for name, value in os.environ.items() if name not in ("G_SLICE", "MALLOC_PERTURB_", "MALLOC_CHECK_")}
        manager = subprocess.Popen(["openbox"], env=plain, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        child = subprocess.Popen([sys.argv[1], path], stdout=subprocess.DEVNULL, env=driver.program_env(XDG_DATA_HOME=folder))
        try:
            app = wait(driver.application)
            check("the window appears", app is not None and wait(lambda: window(TITLE)) is not None)
            drive(app)
            check("the program is alive", child.poll() is None)
        finally:
            for process in (child, manager, server):
                process.terminate()
                process.wait(60)
    print(f"1..{driver.COUNT}")
    return 1 if driver.FAILED else 0


sys.exit(main())
