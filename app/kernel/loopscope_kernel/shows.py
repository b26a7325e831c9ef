"""Values as descriptions: {kind, title, text, ...}, from which the window makes views.

kind        further keys (title is English; the window makes its own from the numbers)
module      text (TVMScript), name, program (the text with its constants, where it has some and they are not many); refused, mark (the primitive that
            was refused on it, and the comment at the loop or block at fault)
function    text, name
te          text (the function that computes the tensors), names
schedule    text (the program now), base (before the first step), program (the same for the steps to be replayed on, where it is another text), trace (as Python), steps, key (the same object, the same key)
graph       columns, rows of texts (torch.fx), count, code, fx (the graph as a saved one, without tensors)
array       shape, dtype, low, high, mean, columns, rows, cut, png (two dimensions, base64)
table       columns, rows of texts, cut, name, height, width (where it says something)
picture     png or svg; figure (its number), words (titles and labels) when matplotlib drew it
timing      seconds, or series of them; count
code        text, language ("asm": the machine code of a built module)
text        text
"""
import base64
import struct
import sys
import weakref
import zlib

MOST_TEXT = 400_000
MOST_PROGRAM = 6_000_000
MOST_ROWS = 400
MOST_COLUMNS = 40
TABLE = 16
PICTURE = 256

_show = None
_keys = weakref.WeakKeyDictionary()
_next_key = 0


def install(show):
    """From now on show() of our objects goes to `show`."""
    global _show
    _show = show


def adopt_tvm():
    """Objects of tvm show themselves in the window instead of printing."""
    from tvm.runtime.script_printer import Scriptable
    from tvm.tir.schedule.trace import Trace

    def show(self, style=None, black_format=None, **options):
        """Shows the object in the window."""
        _show(dict(describe(self), text=cut(self.script(**options))))

    def show_trace(self, style=None, black_format=None):
        """Shows the steps in the window."""
        _show({"kind": "code", "title": "Trace", "text": cut(str(self)), "language": "python"})

    Scriptable.show = show
    Trace.show = show_trace
    from tvm.tir.schedule.schedule import Schedule

    def show_schedule(self, style=None, black_format=None):
        """Shows the program and its steps in the window."""
        _show(describe(self))

    Schedule.show = show_schedule


def cut(text):
    """The text, or its beginning and its end."""
    if len(text) <= MOST_TEXT:
        return text
    return f"{text[:MOST_TEXT // 2]}\n... {len(text) - MOST_TEXT} characters left out ...\n{text[-MOST_TEXT // 2:]}"


def key_of(value):
    """The same number for the same object."""
    global _next_key
    try:
        if value not in _keys:
            _next_key += 1
            _keys[value] = _next_key
        return _keys[value]
    except TypeError:
        return 0


# ---- kinds ----


def _script(value, kind, name):
    text = value.script()
    view = {"kind": kind, "title": f"{type(value).__name__} {name}".strip(), "name": name, "text": cut(text)}
    if "metadata[" in text:
        whole = value.script(show_meta=True)                    # what can be read again: with its constants
        if len(whole) <= MOST_PROGRAM:
            view["program"] = whole
    return view


def _function(value):
    attrs = getattr(value, "attrs", None)
    name = ""
    try:
        name = str(attrs["global_symbol"]) if attrs is not None and "global_symbol" in attrs else ""
    except (KeyError, TypeError):
        pass
    return _script(value, "function", name)


def _module(value):
    return _script(value, "module", "")


def _tensors(value):
    """The te tensors that the value is: one, or a list of them; else none."""
    items = [value] if not isinstance(value, (list, tuple)) else list(value)
    return items if items and all(_is(item, "tvm.te.tensor", "Tensor") for item in items) else []


def _te(tensors):
    """Tensors of te, as the function of what they are made from."""
    from tvm import te

    inputs, seen, stack = [], set(), [tensor.op for tensor in reversed(tensors)]
    while stack:
        op = stack.pop()
        if op in seen:
            continue
        seen.add(op)
        if isinstance(op, te.PlaceholderOp):
            inputs.append(op.output(0))
        stack += [tensor.op for tensor in reversed(list(op.input_tensors))]
    outputs = [tensor for tensor in tensors if not isinstance(tensor.op, te.PlaceholderOp)]
    names = ", ".join(tensor.op.name for tensor in tensors)
    return {"kind": "te", "title": f"te.Tensor {names}", "names": names, "text": cut(te.create_prim_func(inputs + outputs).script())}


def _schedule(value):
    start = value.copy()
    start._undo_to(0)
    from tvm.runtime.script_printer import readable

    from . import questions

    base = start.mod.script(show_meta=True)
    view = {"kind": "schedule", "title": "Schedule", "text": cut(value.mod.script()), "base": base,
            "trace": str(value.trace), "steps": len(questions.changing_steps(value)), "key": key_of(value)}
    program = readable(start.mod)
    if program != base:
        view["program"] = program                               # the steps ask for names that the text cannot show
    return view


def _target_of(node):
    """As one writes it: torch.matmul, not <built-in method matmul of type object at ...>."""
    target = node.target
    if node.op != "call_function" or not hasattr(target, "__name__"):
        return str(target)
    module = getattr(target, "__module__", None) or "torch"
    return f"{'operator' if module == '_operator' else module}.{target.__name__}"


def _saved(module):
    """The graph as export_fx.py writes it, without the tensors, or nothing when it has what cannot be saved."""
    import json

    try:
        from tvm.relax.frontend.torch.export_fx import describe as describe_graph

        return json.dumps(describe_graph(module)[0])
    except Exception:  # a picture less
        return ""


def _graph(graph, module):
    rows = [[str(n.op), n.name, _target_of(n), ", ".join(map(str, n.args)), ", ".join(f"{k}={v}" for k, v in n.kwargs.items())]
            for n in graph.nodes]
    return {"kind": "graph", "title": f"torch.fx graph, {len(rows)} nodes", "count": len(rows), "columns": ["opcode", "name", "target", "args", "kwargs"],
            "rows": [[cell[:400] for cell in row] for row in rows[:MOST_ROWS]], "cut": max(0, len(rows) - MOST_ROWS),
            "code": cut(getattr(module, "code", "") or ""), "text": cut(str(graph)), "fx": _saved(module) if module is not None else ""}


def _png(data):
    """A PNG of grey values, an array (h, w) of uint8."""
    h, w = data.shape
    raw = b"".join(b"\0" + data[i].tobytes() for i in range(h))
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(raw, 6)), (b"IEND", b""))
    body = b"".join(struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d)) for t, d in chunks)
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + body).decode()


def _picture(array, low, high):
    import numpy as np

    steps = [max(1, -(-n // PICTURE)) for n in array.shape]
    small = array[::steps[0], ::steps[1]].astype("float64")
    small = (np.nan_to_num(small) - low) / (high - low or 1.0)
    large = max(1, 2 * PICTURE // max(small.shape))             # elements are squares, which a window that scales would blur
    return _png((np.clip(small, 0, 1) * 255).astype("uint8").repeat(large, 0).repeat(large, 1))


def _array(array, title, text):
    import numpy as np

    view = {"kind": "array", "title": f"{title} {tuple(array.shape)} {array.dtype}", "shape": [int(n) for n in array.shape],
            "dtype": str(array.dtype), "text": cut(text)}
    if array.dtype.kind not in "biuf" or array.size == 0:
        return view
    finite = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    if finite.size:
        low, high = float(finite.min()), float(finite.max())
        view.update(low=low, high=high, mean=float(finite.mean(dtype="float64")))
    table = array.reshape(1, -1) if array.ndim == 1 else array if array.ndim == 2 else array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)
    part = table[:TABLE, :TABLE]
    view["rows"] = [[f"{x:.6g}" if array.dtype.kind == "f" else str(x) for x in row] for row in part.tolist()]
    view["cut"] = int(table.shape[0] > TABLE or table.shape[1] > TABLE)
    image = array.reshape(array.shape[-2:]) if array.ndim > 2 and array.size == array.shape[-1] * array.shape[-2] else array
    if image.ndim == 2 and min(image.shape) >= 8 and finite.size:
        view["png"] = _picture(image, low, high)
    return view


# ---- measurements of a cell whose view is a chart ----

_measured = []


def adopt_timing():
    """Remembers what time_evaluator gave."""
    from tvm.runtime.module import BenchmarkResult

    plain = BenchmarkResult.__init__

    def remember(self, *args, **kwargs):
        plain(self, *args, **kwargs)
        _measured.append([float(x) for x in self.results])

    BenchmarkResult.__init__ = remember


def adopt_tuning():
    """A search says how far it is, below the cell that waits for it."""
    import logging

    class Printed(logging.Handler):
        """Prints where the cell prints."""

        def emit(self, record):
            print(record.getMessage(), file=sys.stderr)

    logger = logging.getLogger("tvm.meta_schedule")
    logger.setLevel(logging.INFO)
    logger.addHandler(Printed(logging.INFO))


def forget_measured():
    """A new cell begins."""
    _measured.clear()


def show_measured(show):
    """All measurements of the cell, one below the other."""
    if _measured:
        show({"kind": "timing", "title": f"{len(_measured)} measurements" if len(_measured) > 1 else "measurement", "text": "",
              "count": len(_measured), "series": [seconds[:2000] for seconds in _measured[:12]]})


def _timing(value):
    seconds = [float(x) for x in value.results]
    return {"kind": "timing", "title": f"{len(seconds)} samples", "count": len(seconds), "seconds": seconds[:10000], "text": cut(repr(value))}


def _machine_code(module):
    """What a built module consists of: assembly without the assembler's directives, or the device's source; None where it has neither."""
    imported = list(getattr(module, "imported_modules", []))
    devices = [part for part in imported if part.type_key in ("cuda", "opencl", "rocm")]
    for part in devices or [module] + imported:
        if part.type_key == "llvm":
            lines = [line.expandtabs(8) for line in part.get_source("asm").splitlines() if line.strip() and not line.lstrip().startswith((".", "#"))
                     or line.startswith(".L") and not line.startswith(".Lfunc_")]
            return {"kind": "code", "title": "Machine code", "text": cut("\n".join(lines) + "\n"), "language": "asm"}
        if part.type_key in ("c", "cuda", "opencl", "rocm"):
            return {"kind": "code", "title": "Code", "text": cut(part.get_source()), "language": "c"}
    return None


def _rich(value):
    """What a notebook would show of an object of somebody else's."""
    for name, kind in (("_repr_png_", "png"), ("_repr_svg_", "svg")):
        method = getattr(type(value), name, None)
        if method is None:
            continue
        data = method(value)
        if isinstance(data, str) and kind == "svg":
            return {"kind": "picture", "title": type(value).__name__, "svg": data, "text": repr(value)}
        if isinstance(data, bytes):
            return {"kind": "picture", "title": type(value).__name__, "png": base64.b64encode(data).decode(), "text": repr(value)}
    return None


def _text_of(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _frame(frame, title):
    """A table of pandas: its index, then its columns."""
    part = frame.iloc[:MOST_ROWS, :MOST_COLUMNS]
    names = [str(name) if name is not None else "" for name in part.index.names]
    rows = []
    for key, values in zip(part.index.tolist(), part.itertuples(index=False, name=None)):
        rows.append([_text_of(x)[:200] for x in (key if isinstance(key, tuple) else (key,)) + tuple(values)])
    return {"kind": "table", "title": f"{title}, {frame.shape[0]} rows, {frame.shape[1]} columns", "name": title,
            "height": frame.shape[0], "width": frame.shape[1], "columns": names + [str(c) for c in part.columns],
            "rows": rows, "cut": int(frame.shape[0] > MOST_ROWS or frame.shape[1] > MOST_COLUMNS), "text": cut(repr(frame))}


def _figure(figure):
    from . import figures

    figures.close(figure)
    return figures.picture(figure)


def _is_table(value):
    """A list of rows of plain values, all with the same keys or the same length, is read best as a table."""
    return (isinstance(value, list) and len(value) > 1 and all(isinstance(row, dict) and row for row in value)
            and all(list(row) == list(value[0]) for row in value) and all(isinstance(x, (str, int, float, bool)) for row in value for x in row.values()))


def _rows(value):
    return {"kind": "table", "title": f"list, {len(value)} rows", "name": "list", "height": len(value), "columns": [str(k) for k in value[0]],
            "rows": [[_text_of(x)[:200] for x in row.values()] for row in value[:MOST_ROWS]], "cut": int(len(value) > MOST_ROWS), "text": cut(repr(value))}


def _is(value, module, name):
    loaded = sys.modules.get(module)
    kind = getattr(loaded, name, None) if loaded is not None else None
    return isinstance(kind, type) and isinstance(value, kind)


def _special(value):
    if _is(value, "tvm.tir.schedule.schedule", "Schedule"):
        return _schedule(value)
    if _is(value, "tvm.ir.module", "IRModule"):
        return _module(value)
    if _is(value, "tvm.tir.function", "PrimFunc") or _is(value, "tvm.relax.expr", "Function"):
        return _function(value)
    if _tensors(value):
        return _te(_tensors(value))
    if _is(value, "tvm.runtime.module", "BenchmarkResult"):
        return _timing(value)
    if _is(value, "tvm.runtime.module", "Module"):
        return _machine_code(value)
    if _is(value, "numpy", "ndarray"):
        return _array(value, "array", repr(value))
    if _is(value, "tvm.runtime.ndarray", "NDArray"):
        return _array(value.numpy(), "NDArray", repr(value))
    if _is(value, "pandas", "DataFrame"):
        return _frame(value, "DataFrame")
    if _is(value, "pandas", "Series"):
        return _frame(value.to_frame(), "Series")
    if _is(value, "matplotlib.figure", "Figure"):
        return _figure(value)
    if _is_table(value):
        return _rows(value)
    if _is(value, "torch", "Tensor"):
        return _array(value.detach().cpu().numpy(), "Tensor", repr(value))
    if _is(value, "torch.fx", "GraphModule"):
        return _graph(value.graph, value)
    if _is(value, "torch.fx", "Graph"):
        return _graph(value, None)
    if _is(value, "IPython.display", "Code"):
        return {"kind": "code", "title": "Code", "text": cut(value.data), "language": getattr(value, "language", "") or ""}
    return _rich(value)


def describe(value):
    """The description of a value; falls back to its repr, and to words when even that raises."""
    try:
        view = _special(value)
        if view is not None:
            return view
    except KeyboardInterrupt:
        raise
    except Exception as problem:
        print(f"{type(value).__name__} is shown as text: {type(problem).__name__}: {problem}", file=sys.stderr)
    return {"kind": "text", "title": type(value).__name__, "text": cut(repr(value))}


# ---- figures ----


def show_figures(show):
    """Shows the open figures of matplotlib, if it is in use, and closes them."""
    plt = sys.modules.get("matplotlib.pyplot")
    if plt is None:
        return
    if "get_fignums" not in vars(plt):
        plt.show()
        return
    from . import figures

    for number in plt.get_fignums():
        show(figures.picture(plt.figure(number), number))
    plt.close("all")


def put(view):
    """Shows a description below the cell that runs; outside of a kernel there is no such place."""
    if _show is not None:
        _show(view)


def display(*values):
    """What IPython.display.display does; outside of a kernel too, where it prints."""
    for value in values:
        if _show is None:
            print(value)
        else:
            _show(describe(value))
