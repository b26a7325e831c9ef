"""Names in the text: what they are, and F12 to where they are defined."""
import subprocess
import sys

from driver import Atspi, check, description, find, key, run, wait


def drive(app):
    pane = wait(lambda: find(app, "TVMScript of this step"))
    check("the text is there", pane is not None)
    subprocess.run(["xdotool", "mousemove", "640", "700", "click", "1"], check=False)     # the text has the focus
    text = Atspi.Text.get_text(pane, 0, -1)
    use = text.index("Y[vi, vj] = Y[")
    wait(lambda: Atspi.Text.get_caret_offset(pane) > 0)
    Atspi.Text.set_caret_offset(pane, use)
    check("a buffer says what it is",
          wait(lambda: description(pane).startswith("Y: buffer of float32, shape (128, 128), scope global")))
    key("F12")
    check("F12 goes to its definition",
          wait(lambda: Atspi.Text.get_caret_offset(pane) in range(text.index("Y = T.alloc_buffer"),
                                                                  text.index(" = T.alloc_buffer") + 1)))
    Atspi.Text.set_caret_offset(pane, text.index("vi = T.axis.spatial"))
    check("an axis says its range", wait(lambda: description(pane).startswith("vi: spatial axis of block")))


sys.exit(run(sys.argv[1], [], drive))
