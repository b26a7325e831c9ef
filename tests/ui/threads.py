"""The window of the threads: accesses of a kernel one by one in words, conflicts, barriers, a race as its two threads, layouts."""
import os
import subprocess
import sys
import tempfile

import driver
from driver import Atspi, check, close_by, focus, has_state, insist, name_of, press, program_env, run, top_level, wait, walk, window

TITLE = "Threads"
PLACE = "Save the picture"
TRANSPOSE = """from tvm.script import tir as T

@T.prim_func
def transpose(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
    T.func_attr({"tir.noalias": True})
    S = T.alloc_buffer((32, 32), scope="shared")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for y, x in T.grid(32, 1):
            for t in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("S"):
                    vy, vx = T.axis.remap("SS", [y, t])
                    S[vy, vx] = A[vy, vx]
        for y, x in T.grid(32, 1):
            for t in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("B"):
                    vy, vx = T.axis.remap("SS", [y, t])
                    B[vy, vx] = S[vx, vy]
"""
# Rows of 33 columns, and each thread has four elements of B in registers before it writes them.
LAYOUT = """from tvm.script import tir as T

@T.prim_func
def layout(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
    T.func_attr({"tir.noalias": True})
    S = T.alloc_buffer((32, 32), scope="shared")
    L = T.alloc_buffer((32, 32), scope="local")
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for y in range(32):
            for t in T.thread_binding(32, thread="threadIdx.x"):
                with T.block("S"):
                    vy, vx = T.axis.remap("SS", [y, t])
                    T.block_attr({"buffer_dim_align": [[0, 0, 32, 1]]})
                    S[vy, vx] = A[vy, vx]
        for t in T.thread_binding(32, thread="threadIdx.x"):
            for x in range(32):
                with T.block("L"):
                    vy, vx = T.axis.remap("SS", [t, x])
                    L[vy, vx] = S[vy, vx] + T.float32(1)
            for x in range(32):
                with T.block("B"):
                    vy, vx = T.axis.remap("SS", [t, x])
                    B[vy, vx] = L[vy, vx]
"""
# Two kernels: the first keeps what it reads in registers, the second in shared memory.
TWO = """from tvm.script import tir as T

@T.prim_func
def two(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
    T.func_attr({"tir.noalias": True})
    L = T.alloc_buffer((64,), scope="local")
    S = T.alloc_buffer((64,), scope="shared")
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("L"):
                v = T.axis.spatial(64, b * 32 + t)
                L[v] = A[v]
            with T.block("B"):
                v = T.axis.spatial(64, b * 32 + t)
                B[v] = L[v] + T.float32(1)
    for b in T.thread_binding(1, thread="blockIdx.x"):
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("S"):
                v = T.axis.spatial(64, t)
                S[v] = B[v]
        for t in T.thread_binding(64, thread="threadIdx.x"):
            with T.block("C"):
                v = T.axis.spatial(64, t)
                C[v] = S[63 - v]
"""
RACE = """from tvm.script import tir as T

@T.prim_func
def race(A: T.Buffer((64,), "float32"), B: T.Buffer((32,), "float32")):
    for b in T.thread_binding(2, thread="blockIdx.x"):
        for t in T.thread_binding(32, thread="threadIdx.x"):
            B[t] = A[b * 32 + t]
"""
PLAIN = """from tvm.script import tir as T

@T.prim_func
def plain(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        with T.block("B"):
            vi = T.axis.spatial(64, i)
            B[vi] = A[vi]
"""


def names(app):
    top = top_level(app, TITLE)
    return [name_of(node) for node in walk(top) if name_of(node)] if top else []


def says(app, *parts):
    return wait(lambda: any(all(part in name for part in parts) for name in names(app)), 30.0)


def keys(title, *sequence):
    focus(title)
    driver.strokes(*sequence)


def picture(name):
    if os.environ.get("LS_UI_PICTURE"):
        subprocess.run(["import", "-window", "root", os.environ["LS_UI_PICTURE"] + f"-threads-{name}.png"], check=False)


def open_program(folder, name, text):
    path = os.path.join(folder, name + ".py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([PROGRAM, path], stdout=subprocess.DEVNULL, env=program_env(), check=False, timeout=60)
    return wait(lambda: window(name))


def button(app, name):
    return next((node for node in walk(top_level(app, TITLE)) if name_of(node) == name), None)


def set_kernel(app, number):
    field = button(app, "Number of the kernel")
    if field is not None:
        Atspi.Value.set_current_value(field, number)


def save(app, path):
    """The picture goes where the dialog is told."""
    check("Save asks for a place", insist(lambda: press(button(app, "Save the picture")), lambda: window(PLACE)))
    check("and is answered", driver.answer_file(app, PLACE, path))
    return wait(lambda: os.path.exists(path) and os.path.getsize(path) > 0 or None, 30.0)


def drive(app):
    with tempfile.TemporaryDirectory() as folder:
        check("a kernel opens", open_program(folder, "transpose", TRANSPOSE))
        check("Ctrl+Shift+G opens the window", insist(lambda: keys("transpose", "ctrl+shift+g"), lambda: window(TITLE)))
        check("it sums up", says(app, "limits of cuda: 1 block, 1 warp, 1 barrier", "No race"), names(app))
        check("the conflict stands in the list", says(app, "read S: bank conflict, 32 ways"), names(app))
        check("all accesses are shown in their order", says(app, "read A: warp 0, 32 of 32 lanes; 4 sectors of 32 bytes are fetched"), names(app))
        picture("sectors")
        keys(TITLE, "Right")
        check("Right goes one on", says(app, "write S: warp 0, 32 of 32 lanes; no bank conflict"), names(app))
        check("the conflict is shown", insist(lambda: keys(TITLE, "Down"), lambda: any("Line 22, read S: warp 0, 32 of 32 lanes; bank conflict, 32 ways" in name for name in names(app)), 30.0), names(app))
        picture("banks")
        check("Escape closes it", close_by("Escape", TITLE))

        check("another program", open_program(folder, "race", RACE))
        check("has a window too", insist(lambda: keys("race", "ctrl+shift+g"), lambda: window(TITLE)))
        check("which shows the race first", says(app, "Race on element 0 of B: lines 7 and 7, no barrier between them"), names(app))
        picture("race")
        check("Escape closes this one", close_by("Escape", TITLE))

        check("a program with layouts", open_program(folder, "layout", LAYOUT))
        check("has a window as well", insist(lambda: keys("layout", "ctrl+shift+g"), lambda: window(TITLE)))
        check("layouts stand in the list", says(app, "S: banks of shared memory") and says(app, "A in S: banks of its elements") and says(app, "B: threads and registers (L)"), names(app))
        shown = lambda *parts: lambda: any(all(part in name for part in parts) for name in names(app))
        check("a chosen one is told as a whole: the 33rd column keeps rows and columns apart", insist(lambda: keys(TITLE, "Down"), shown("S: banks of shared memory. 32 × 32 of float32", "A warp along a row: no conflict; along a column: no conflict"), 30.0), names(app))
        picture("layout")
        keys(TITLE, "Right", "Right")
        check("Right goes through the banks", wait(shown("Bank 1 has (elements: 32): (0, 1), (1, 0), (2, 31), (3, 30)"), 30.0), names(app))
        picture("bank")
        check("registers are another row", insist(lambda: keys(TITLE, "Down"), shown("B: threads and registers (L). 32 × 32 of float32; in each element the thread that has it"), 30.0), names(app))
        picture("registers")
        keys(TITLE, "Right", "Right", "Right", "Right")
        check("a thread has its row", wait(shown("Thread 3 has (elements: 32): (3, 0) in register 0, (3, 1) in register 1"), 30.0), names(app))
        picture("thread")
        keys(TITLE, "space")
        check("Space plays to the last", wait(shown("Thread 31 has (elements: 32): (31, 0) in register 0"), 60.0), names(app))
        for end, start in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
            path = os.path.join(folder, "saved." + end)
            check(f"the layout is saved as {end}", save(app, path))
            with open(path, "rb") as file:
                data = file.read()
            check(f"and is {end}", data.startswith(start), data[:60])
        with open(os.path.join(folder, "saved.svg"), encoding="utf-8") as file:
            text = file.read()
        check("with a place for each of the 32 x 32 elements", sum(text.count(f"<{part}") for part in ("rect", "path", "use")) >= 1024, text[:300])
        check("Escape closes the window of layouts", close_by("Escape", TITLE))

        check("a program of two kernels", open_program(folder, "two", TWO))
        check("has its window", insist(lambda: keys("two", "ctrl+shift+g"), lambda: window(TITLE)))
        check("which begins with the first", says(app, "limits of cuda: 2 blocks, 2 warps, 0 barriers") and says(app, "A: threads and registers (L)"), names(app))
        check("and where its elements went in shared memory is of the second", not any("banks of its elements" in name for name in names(app)), names(app))
        set_kernel(app, 2)
        check("the second is summed up", says(app, "limits of cuda: 1 block, 2 warps, 2 barriers"), names(app))
        check("its layouts stand in the list", says(app, "B in S: banks of its elements"), names(app))
        check("its accesses too", says(app, "read B: warp 0, 32 of 32 lanes; 4 sectors of 32 bytes are fetched"), names(app))
        picture("kernel")
        check("it runs fast", insist(lambda: press(button(app, "Run fast: as loops on this CPU, unchecked")), lambda: any("ms on this CPU, which is no time of a GPU; nothing was checked or counted. The result is that of the program before its steps." in name for name in names(app)), 60.0), names(app))
        picture("fast")
        check("Escape closes the window of two", close_by("Escape", TITLE))

        check("a program without threads", open_program(folder, "plain", PLAIN))
        check("opens it as well", insist(lambda: keys("plain", "ctrl+shift+g"), lambda: window(TITLE)))
        check("and is told what is missing", says(app, "No loop is bound to threads", "threadIdx.x"), names(app))
        steps = [node for node in walk(top_level(app, TITLE)) if name_of(node).startswith("One access")]
        check("where there is no access nothing goes to the next", len(steps) == 2 and not any(has_state(node, Atspi.StateType.SENSITIVE) for node in steps),
              [name_of(node) for node in steps])
        check("and no block to the next", lambda: Atspi.Value.get_maximum_value(button(app, "Number of the block")) == 0.0,
              lambda: Atspi.Value.get_maximum_value(button(app, "Number of the block")))


PROGRAM = os.path.abspath(sys.argv[1])
sys.exit(run(PROGRAM, [], drive))
