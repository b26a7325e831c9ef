"""Two arrays that a case compared and that are not the same: the first element that differs, and a part of both around it.

They are found in the frames of the function that compared them (of numpy.testing, tvm.testing, torch.testing), or, for `assert np.allclose(a, b)` and
`assert (a == b).all()`, in the text of the statement."""
import ast
import sys

MOST = 128              # rows and columns of the part

# Of a comparing function: how its two arrays may be called.
_NAMES = {
    "assert_allclose": (("actual", "desired"),), "assert_close": (("actual", "expected"),),
    "assert_array_equal": (("x", "y"), ("actual", "desired")), "assert_array_almost_equal": (("x", "y"), ("actual", "desired")),
    "assert_equal": (("actual", "desired"),), "assert_almost_equal": (("actual", "desired"),),
}
_PACKAGES = ("numpy", "tvm", "torch")
_CALLS = {"allclose": True, "array_equal": False}       # with a tolerance?


def _array(value):
    """The value as an array of numbers, or None."""
    import numpy as np

    for method in ("detach", "cpu", "numpy"):
        if type(value).__module__.split(".")[0] in _PACKAGES and hasattr(value, method) and not isinstance(value, np.ndarray):
            value = getattr(value, method)()
    array = np.asanyarray(value)
    return array if array.dtype.kind in "biuf" and array.size > 0 else None


def _tolerance(names):
    """(rtol, atol) as the function was given them."""
    if isinstance(names.get("decimal"), int):
        return 0.0, 1.5 * 10.0 ** -names["decimal"]
    found = [names.get(key) if isinstance(names.get(key), (int, float)) else None for key in ("rtol", "atol")]
    if "expected" in names and found == [None, None]:
        return 1.3e-6, 1e-5             # what torch takes for float32
    return found[0] or 0.0, found[1] or 0.0


def _from_frames(problem):
    tb = problem.__traceback__
    while tb is not None:
        frame = tb.tb_frame
        package = str(frame.f_globals.get("__name__", "")).split(".")[0]
        for pair in _NAMES.get(frame.f_code.co_name, ()) if package in _PACKAGES else ():
            if all(name in frame.f_locals for name in pair):
                return (*(frame.f_locals[name] for name in pair), *_tolerance(frame.f_locals))
        tb = tb.tb_next
    return None


def _is_plain(node):
    """Can it be evaluated once more, and nothing else happens?"""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr in ("numpy", "asnumpy", "detach") and not node.args and _is_plain(node.func.value)
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Slice, ast.Tuple, ast.operator,
                             ast.unaryop, ast.expr_context)):
        return False
    return all(_is_plain(child) for child in ast.iter_child_nodes(node))


def _operands(test):
    """The two sides of a condition that compares arrays, and its tolerance; or None."""
    if not isinstance(test, ast.Call):
        return None
    name = test.func.attr if isinstance(test.func, ast.Attribute) else getattr(test.func, "id", "")
    if name in _CALLS and len(test.args) >= 2:
        given = dict(zip(("rtol", "atol"), test.args[2:]), **{word.arg: word.value for word in test.keywords})
        numbers = {key: node.value for key, node in given.items() if isinstance(node, ast.Constant)}
        return test.args[0], test.args[1], *((numbers.get("rtol", 1e-5), numbers.get("atol", 1e-8)) if _CALLS[name] else (0.0, 0.0))
    inner = test.func.value if name == "all" and isinstance(test.func, ast.Attribute) and not test.args else test.args[0] if name == "all" and test.args else None
    if isinstance(inner, ast.Compare) and len(inner.ops) == 1 and isinstance(inner.ops[0], ast.Eq):
        return inner.left, inner.comparators[0], 0.0, 0.0
    return None


def _from_text(problem, code, filename):
    """Of a plain assert in the cell."""
    tb, last = problem.__traceback__, None
    while tb is not None:
        last = tb if tb.tb_frame.f_code.co_filename == filename else last
        tb = tb.tb_next
    if last is None or not isinstance(problem, AssertionError):
        return None
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Assert) and node.lineno <= last.tb_lineno <= (node.end_lineno or node.lineno):
            sides = _operands(node.test)
            if sides is None or not all(_is_plain(side) for side in sides[:2]):
                return None
            frame = last.tb_frame
            values = [eval(compile(ast.Expression(side), filename, "eval"), frame.f_globals, frame.f_locals) for side in sides[:2]]
            return (*values, *sides[2:])
    return None


def _words(array):
    return " ".join(repr(value) if isinstance(value, float) else str(int(value)) for value in array.ravel().tolist())


def _told(yours, wanted, rtol, atol):
    import numpy as np

    told = {"type": str(yours.dtype), "shape": list(yours.shape), "wanted_shape": list(wanted.shape)}
    if yours.shape != wanted.shape:
        wanted_part, first = wanted, None
        if wanted.ndim == 0 or yours.ndim == 0:
            return told
        yours = yours[(0,) * max(yours.ndim - 2, 0)]
        wanted_part = wanted[(0,) * max(wanted.ndim - 2, 0)]
        parts = [np.atleast_2d(part)[:MOST, :MOST] for part in (yours, wanted_part)]
        told.update(slice=[0] * max(len(told["shape"]) - 2, 0), row=0, column=0)
    else:
        with np.errstate(all="ignore"):
            same = np.isclose(yours, wanted, rtol=rtol, atol=atol, equal_nan=True)
        differ = np.argwhere(~np.atleast_1d(same))
        if len(differ) == 0:
            return None
        first = [int(n) for n in differ[0]][:yours.ndim]
        told.update(first=first, differ=len(differ), of=int(yours.size))
        row, column = (first[-2] if len(first) > 1 else 0), (first[-1] if first else 0)
        at = tuple(first[:-2])
        top, left = max(row - MOST // 2, 0), max(column - MOST // 2, 0)
        parts = [np.atleast_2d(side[at])[top:top + MOST, left:left + MOST] for side in (yours, wanted)]
        part = np.atleast_2d(np.atleast_1d(same)[at] if at else np.atleast_1d(same))[top:top + MOST, left:left + MOST]
        told.update(slice=list(at), row=top, column=left, same="".join("1" if one else "0" for one in part.ravel().tolist()))
    for name, part in zip(("yours", "wanted"), parts):
        told[name] = {"rows": part.shape[0], "columns": part.shape[1], "values": _words(part)}
    return told


def arrays(problem, code, filename):
    """What is told of a failed comparison of arrays: their shapes, the first element that differs, how many do, a part of both; {} when it was none."""
    if not isinstance(problem, AssertionError) or "numpy" not in sys.modules:
        return {}
    try:
        found = _from_frames(problem) or _from_text(problem, code, filename)
        sides = [_array(value) for value in found[:2]] if found is not None else [None, None]
        told = _told(*sides, *found[2:]) if all(side is not None for side in sides) else None
    except Exception:  # what a case compares may be anything
        return {}
    return {"arrays": told} if told else {}
