"""window.py FOLDER PICTURE PROGRAM...: runs the program on an Xvfb, waits until its window stands still, keeps the picture.

Status 0: many colours were there, and the program ended with 0 after SIGTERM.
"""
import os
import signal
import subprocess
import sys
import time

import screen


def wait_for_window(folder, child):
    """The picture once it has many colours and no longer changes; what there is after 40 s."""
    before, image = None, []
    for _ in range(80):
        time.sleep(0.5)
        if child.poll() is not None:
            sys.exit(f"{child.args[0]} ended with {child.returncode}")
        image = list(screen.rows(os.path.join(folder, "Xvfb_screen0")))
        if image == before and screen.colours(image) > screen.FEW:
            break
        before = image
    return image


def main():
    folder, picture, *command = sys.argv[1:]
    server, name = screen.display(folder)
    try:
        env = dict(os.environ, DISPLAY=name, GDK_BACKEND="x11", GSK_RENDERER="cairo", GTK_A11Y="none")
        child = subprocess.Popen(command, env=env)
        image = wait_for_window(folder, child)
        screen.write_png(picture, image)
        seen = screen.colours(image)
        child.send_signal(signal.SIGTERM)
        status = child.wait(20)
        if seen <= screen.FEW:
            sys.exit(f"the window stayed empty: {seen} colours")
        if status != 0:
            sys.exit(f"{command[0]} ended with {status} after SIGTERM")
        print(f"{seen} colours")
    finally:
        server.terminate()
        server.wait()


main()
