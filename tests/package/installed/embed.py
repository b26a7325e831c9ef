"""embed.py FOLDER PICTURE PROGRAM STEPS: libloopscope from Python, as a user would write it: views of a program in a window of
GTK of one's own, on an Xvfb; the picture is kept.

Status 0: the program, its steps, moves and results are what they should be, and the views are there to be seen.
"""
import os
import struct
import sys

import screen

FOLDER, PICTURE, PROGRAM, STEPS = sys.argv[1:]
SERVER, NAME = screen.display(FOLDER)
os.environ.update(DISPLAY=NAME, GDK_BACKEND="x11", GSK_RENDERER="cairo", GTK_A11Y="none")
os.environ.pop("WAYLAND_DISPLAY", None)

import gi  # noqa: E402

gi.require_version("Gtk", "4.0")
gi.require_version("Loopscope", "0")
from gi.repository import Gio, GLib, Gtk, Loopscope  # noqa: E402


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check_program():
    """The engine alone: text, steps, moves, lowering, the interpreter, errors."""
    program = Loopscope.Program.parse("mm_relu.py", read(PROGRAM))
    assert program.list_functions() == ["mm_relu"]
    assert program.list_parameters(None) == ["A: float32[128, 128]", "B: float32[128, 128]", "C: float32[128, 128]"]
    after = program.apply(read(STEPS))
    assert not after.is_equal(program) and "T.vectorized(4)" in after.to_script(Loopscope.Style.RELEASE)
    assert Loopscope.Program.parse("again", after.to_script(Loopscope.Style.RELEASE)).is_equal(after)
    assert program.apply(after.dup_trace(Loopscope.TraceFormat.JSON)).is_equal(after)
    moves = program.list_moves("Y", "k")
    groups = {move.get_group() for move in moves}
    assert groups == set((Loopscope.MoveGroup.CAN, Loopscope.MoveGroup.WITH_CHANGE, Loopscope.MoveGroup.CANNOT))
    assert all(move.get_reason() for move in moves if move.get_group() == Loopscope.MoveGroup.CANNOT)
    split = [move for move in moves if move.get_call().startswith("split(")][0]
    assert not program.apply(split.get_steps()).is_equal(program)
    assert program.lower().list_functions() == ["mm_relu"]
    for wrong, code in (("sch.split(", Loopscope.Error.SYNTAX), ('sch.parallel(sch.get_loops(sch.get_block("Y"))[2])', Loopscope.Error.REFUSED)):
        try:
            program.apply(wrong)
            raise AssertionError(wrong)
        except GLib.Error as error:
            assert error.matches(Loopscope.error_quark(), code), error


def check_run():
    """Two numbers added, by the interpreter."""
    program = Loopscope.Program.parse("add.py", '''
from tvm.script import tir as T

@T.prim_func
def add(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("B"):
            vi = T.axis.spatial(4, i)
            B[vi] = A[vi] + T.float32(1.5)
''')
    data = GLib.Bytes.new(struct.pack("4f", 1, 2, 3, 4))
    results = program.run(None, [data, GLib.Bytes.new(bytes(16))], None)
    assert struct.unpack("4f", results[1].get_data()) == (2.5, 3.5, 4.5, 5.5)
    try:
        program.run(None, [data], None)
        raise AssertionError("one argument")
    except GLib.Error as error:
        assert error.matches(Loopscope.error_quark(), Loopscope.Error.ARGUMENT), error


def make_window(application, workbench):
    """History at the left, loops over the program at the right."""
    right = Gtk.Paned(orientation=Gtk.Orientation.VERTICAL)
    right.set_start_child(Loopscope.View.new(workbench, Loopscope.ViewKind.LOOPS))
    right.set_end_child(Loopscope.View.new(workbench, Loopscope.ViewKind.SCRIPT))
    right.set_position(360)
    both = Gtk.Paned()
    both.set_start_child(Loopscope.View(workbench=workbench, kind=Loopscope.ViewKind.HISTORY))
    both.set_end_child(right)
    both.set_position(320)
    window = Gtk.ApplicationWindow(application=application, title=workbench.get_title(), child=both)
    window.set_default_size(screen.WIDTH, screen.HEIGHT)
    window.present()
    return window


def check_workbench(workbench):
    seen = []
    workbench.connect("changed", lambda w: seen.append(w.get_property("position")))
    assert workbench.open("mm_relu.py", read(PROGRAM), read(STEPS))
    assert workbench.get_n_steps() == 6 and workbench.get_position() == 5, (workbench.get_n_steps(), workbench.get_position())
    assert workbench.dup_step(1).startswith("split(j"), workbench.dup_step(1)
    workbench.set_property("position", 2)
    assert workbench.get_position() == 2 and seen[-1] == 2, seen
    assert workbench.select("Y", "k") and not workbench.select("Y", "nothing") and workbench.select("Y", "k")
    assert "reorder" in workbench.dup_program().dup_trace(Loopscope.TraceFormat.PYTHON)
    assert workbench.apply('sch.parallel(sch.get_loops(sch.get_block("Y"))[0])')
    assert workbench.get_n_steps() == 4 and workbench.dup_step(3).startswith("parallel("), workbench.dup_step(3)
    try:
        workbench.apply('sch.get_block("nothing")')
        raise AssertionError("no such block")
    except GLib.Error as error:
        assert error.matches(Loopscope.error_quark(), Loopscope.Error.REFUSED), error
    file = Gio.File.new_for_path(os.path.join(FOLDER, "saved.loopscope"))
    assert workbench.save(file) and '"loopscope-session"' in read(file.get_path())


def take_picture(application, state):
    """Once the window stands still."""
    image = list(screen.rows(os.path.join(FOLDER, "Xvfb_screen0")))
    state["rounds"] += 1
    if (image != state["image"] or screen.colours(image) <= screen.FEW) and state["rounds"] < 60:
        state["image"] = image
        return True
    screen.write_png(PICTURE, image)
    state["colours"] = screen.colours(image)
    application.quit()
    return False


def main():
    check_program()
    check_run()
    workbench = Loopscope.Workbench.new()
    check_workbench(workbench)
    state = {"image": None, "rounds": 0, "colours": 0}
    application = Gtk.Application(application_id="org.loopscope.Embedded", flags=Gio.ApplicationFlags.NON_UNIQUE)
    application.connect("activate", lambda a: make_window(a, workbench))
    GLib.timeout_add(500, take_picture, application, state)
    application.run(None)
    assert state["colours"] > screen.FEW, state["colours"]
    print(f"{state['colours']} colours")


try:
    main()
finally:
    SERVER.terminate()
    SERVER.wait()
