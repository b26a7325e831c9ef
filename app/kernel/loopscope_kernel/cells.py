"""One cell: compiled under a name of its own, run, its last value shown; what goes wrong as a traceback with the cell's lines."""
import __future__
import ast
import builtins
import importlib
import linecache
import os
import re
import sys
import textwrap
import traceback

from . import compared, offline, shows

_HERE = os.path.dirname(os.path.abspath(__file__))


def flush():
    """Hands on what was printed so far."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            pass


def _refuse_input(prompt=""):
    raise EOFError("a cell cannot ask for input; write the value into the cell")


builtins.input = _refuse_input


def without_shell(code):
    """The code with lines for a shell or a notebook, and HTML comments, as comments; and which lines those were."""
    left, lines = [], []
    for line in code.splitlines():
        found = re.match(r"^(\s*)([!%].*)$", line)
        html = re.match(r"^(\s*)<!--.*-->\s*$", line)
        if found:
            left.append(found.group(2))
            lines.append(f"{found.group(1)}pass  # {found.group(2)}")
        elif html:
            lines.append(f"{html.group(1)}# {line.strip()}")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n", left


def remember(code, filename):
    """Lets inspect and tracebacks find the lines of a cell."""
    linecache.cache[filename] = (len(code), None, code.splitlines(True), filename)


def parse(code, filename):
    """(tree, text, shell lines that were left out)."""
    try:
        return ast.parse(code, filename), code, []
    except SyntaxError as problem:
        changed, left = without_shell(code)
        if changed.strip() == code.strip():
            raise
        try:
            return ast.parse(changed, filename), changed, left
        except SyntaxError:
            raise problem from None


def _wants_network(problem):
    """Is this, or what it came from, a refused socket?"""
    for _ in range(20):
        if problem is None:
            return False
        if type(problem).__name__ == "gaierror":
            return True
        tb = problem.__traceback__
        while tb is not None and tb.tb_next is not None:
            tb = tb.tb_next
        if isinstance(problem, PermissionError) and tb is not None and os.path.basename(tb.tb_frame.f_code.co_filename) == "socket.py":
            return True
        problem = problem.__cause__ or problem.__context__
    return False


def _underlined(text):
    """The text that the first row of ^ marks, or None."""
    lines = text.splitlines()
    for above, marks in zip(lines, lines[1:]):
        at = marks.find("^")
        if at >= 0 and not marks.strip(" ^"):
            return above[at:len(marks.rstrip())].strip() or None
    return None


def differing(message):
    """The two places of a failed assert_structural_equal as texts, {} when there are none."""
    left, mark, right = message.partition("\nand rhs at ")
    if not mark or not left.removeprefix("ValueError: ").startswith("StructuralEqual check failed"):
        return {}
    places = _underlined(left), _underlined(right)
    return {"first": places[0][:120], "second": places[1][:120]} if all(places) and places[0] != places[1] else {}


_REFUSED = re.compile(r"An error occurred in the schedule primitive '([^']*)'\.\n\nThe IR with diagnostic is:\n(.*?)\n\nError message: (.*)$", re.DOTALL)


def refused(problem):
    """A refused step of a schedule: its primitive, the program with a comment at the loop (else the block) at fault, what would repair it; None for
    anything else."""
    found = _REFUSED.search(str(problem)) if type(problem).__name__ == "ScheduleError" else None
    if found is None:
        return None
    primitive, listing, message = found.group(1).replace("-", "_"), found.group(2), found.group(3)     # as the method is called
    lines, places, place = [], {}, None
    for line in listing.splitlines():
        named = re.match(r" *# tir\.(For|Block)#\d+$", line)
        if named:
            place = named.group(1)
        elif line.strip() and not line.strip(" ^"):
            continue                                                # underlines the line above
        else:
            if place is not None and line.strip():
                places.setdefault(place, len(lines))
                place = None
            lines.append(line)
    at = places.get("For", places.get("Block"))
    mark = f"# ← {primitive}"
    if at is not None:
        lines[at] += f"  {mark}"
    return {"primitive": primitive, "program": "\n".join(lines) + "\n", "mark": mark if at is not None else None,
            "repairs": re.findall(r"^repair: (.*)$", message, re.MULTILINE)}


def _told_refusal(step, text, line):
    """Where in the cell, and what would repair it: instead of a traceback."""
    rows = text.splitlines()
    told = [f"{line}: {rows[line - 1].strip()}"] if line and line <= len(rows) else []
    return "\n".join(told + [f"repair: {repair}" for repair in step["repairs"]]) + "\n"


def show_refusal(step, show):
    """The program on which a step was refused, as a view."""
    view = {"kind": "module", "title": f"{step['primitive']} is refused", "text": shows.cut(step["program"]), "refused": step["primitive"]}
    if step["mark"] is not None:
        view["mark"] = step["mark"]
    show(view)


def _sides(problem):
    """The two programs of a failed comparison as texts, the first one as "yours"; {} when it was none."""
    try:
        yours, wanted = (side.script() for side in getattr(problem, "sides", ()))
    except Exception:  # not two, or not programs
        return {}
    return {"yours": yours, "wanted": wanted} if len(yours) + len(wanted) < 100_000 else {}


def _is_inside(frame):
    """Is this a place in the kernel or in the package tvm, or in a function that this made?"""
    tvm = sys.modules.get("tvm")
    package = os.path.dirname(getattr(tvm, "__file__", None) or "/nowhere") + os.sep
    made = frame.filename.startswith("<") and frame.filename.endswith(f" {frame.name}>")
    return made or (os.path.dirname(os.path.abspath(frame.filename)) + os.sep).startswith((_HERE + os.sep, package))


def _told(problem, tb):
    """The traceback, without what the kernel and the package tvm did themselves."""
    told = traceback.TracebackException(type(problem), problem, tb, compact=True)
    part = told
    while part is not None:
        if part.stack is not None:
            part.stack = traceback.StackSummary.from_list([f for f in part.stack if not _is_inside(f)])
        part = part.__cause__ or part.__context__
    return "".join(told.format())


def _known(kind):
    """The name of a kind of exception; of a private one, what it is to those who catch it."""
    return kind.__name__ if not kind.__name__.startswith("_") or kind.__bases__[-1] is object else _known(kind.__bases__[-1])


def _words(problem):
    """What an exception says; of a refused step without the program, which the traceback shows."""
    return re.sub(r"\nThe IR with diagnostic is:\n.*?\n\nError message: ", "\n", str(problem), count=1, flags=re.DOTALL)[:4000]


def trouble(problem, filename, code=""):
    """An exception as an answer: name, message, traceback from the cell on; of a refused step also what is told instead of the traceback."""
    tb = problem.__traceback__
    while tb is not None and os.path.dirname(os.path.abspath(tb.tb_frame.f_code.co_filename)) == _HERE:
        tb = tb.tb_next
    text = _told(problem, tb)
    line = None
    while tb is not None:
        if tb.tb_frame.f_code.co_filename == filename:
            line = tb.tb_lineno
        tb = tb.tb_next
    if isinstance(problem, SyntaxError) and problem.filename == filename:
        line = problem.lineno
    if _wants_network(problem):
        text += "Cells run without the network. Start Loopscope with LS_KERNEL_NETWORK=1 to let them use it.\n"
    if isinstance(problem, FileNotFoundError) and isinstance(problem.filename, str):
        text += offline.hint(problem.filename)
    if isinstance(problem, ModuleNotFoundError):
        text += offline.package_hint(problem.name)
    if len(text) > 20000:
        text = text[:10000] + "\n...\n" + text[-10000:]
    step = refused(problem)
    more = {"primitive": step["primitive"], "told": _told_refusal(step, code, line)} if step is not None else {}
    return {"status": "error", **more, "name": _known(type(problem)), "names": [c.__name__ for c in type(problem).__mro__],
            "message": _words(problem), "traceback": text, "line": line, **differing(str(problem)), **_sides(problem), **compared.arrays(problem, code, filename)}


# What `from __future__ import ...` switched on holds for the statements and cells that follow, as in a notebook.
_future = 0


def _switch_on_future(tree):
    """Python wants these imports first in a file; in a cell they may stand anywhere."""
    global _future
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__" and not statement.level:
            for name in statement.names:
                feature = getattr(__future__, name.name, None)
                if feature is None:
                    raise SyntaxError(f"future feature {name.name} is not defined")
                _future |= feature.compiler_flag
    first = [s for s in tree.body if isinstance(s, ast.ImportFrom) and s.module == "__future__" and not s.level]
    tree.body[:] = first + [s for s in tree.body if s not in first]


def _execute(tree, filename, names):
    """Runs the statements; the value of the last one if it is an expression and shows."""
    value = None
    _switch_on_future(tree)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, filename, "exec", _future, True), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), filename, "eval", _future, True), names)
    return value


def _is_silent(code):
    last = code.rstrip().splitlines()[-1] if code.strip() else ""
    return last.split("#")[0].rstrip().endswith(";")


# Names that chapters and notes of the course use without importing them.
_USUAL = {
    "np": "numpy", "tvm": "tvm", "te": "tvm.te", "tir": "tvm.tir", "topi": "tvm.topi", "relax": "tvm.relax", "T": "tvm.script.tir",
    "R": "tvm.script.relax", "I": "tvm.script.ir", "IRModule": "tvm.ir.module:IRModule", "torch": "torch", "nn": "torch.nn",
    "fx": "torch.fx", "F": "torch.nn.functional", "plt": "matplotlib.pyplot", "IPython": "IPython", "math": "math", "time": "time", "os": "os",
}


def _bound_here(tree):
    bound = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
    return bound


def add_usual(tree, names):
    """Imports the usual names that a cell uses and nothing defines; says which."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    added = []
    for name in sorted((used & set(_USUAL)) - set(names) - _bound_here(tree)):
        module, _, part = _USUAL[name].partition(":")
        try:
            found = importlib.import_module(module)
        except ImportError:
            continue
        names[name] = getattr(found, part) if part else found
        added.append(name)
    if added:
        print(f"not imported by this text, taken as usual: {', '.join(added)}", file=sys.stderr)


def _dedented(code):
    try:
        ast.parse(code)
    except IndentationError:
        return textwrap.dedent(code)
    except SyntaxError:
        pass
    return code


def run(code, name, names, show, maybe=False, usual=False):
    """Runs a cell in `names`; `show` gets descriptions of what it shows (None: nothing is described).  `usual`: the text is of somebody who may have left
    imports out."""
    filename = f"<{name}>"
    if usual:
        code = _dedented(code)
    try:
        tree, text, left = parse(code, filename)
    except SyntaxError as problem:
        remember(code, filename)
        return {"status": "fragment"} if maybe else trouble(problem, filename)
    remember(text, filename)
    for line in left:
        print(offline.shell(line), file=sys.stderr)
    offline.adopt_torchvision(text)
    if usual:
        add_usual(tree, names)
    try:
        value = _execute(tree, filename, names)
        if value is not None and not _is_silent(text):
            names["_"] = value
            if show is not None:
                show(dict(shows.describe(value), last=True))
        if show is not None:
            shows.show_figures(show)
    except SystemExit as problem:
        return {"status": "error", "name": "SystemExit", "names": ["SystemExit"], "traceback": "",
                "message": f"the cell asked Python to end ({problem.code}); the kernel goes on"}
    except KeyboardInterrupt:
        raise
    except BaseException as problem:
        if show is not None:
            shows.show_figures(show)
            step = refused(problem)
            if step is not None:
                show_refusal(step, show)
        return trouble(problem, filename, text)
    return {"status": "ok"}
