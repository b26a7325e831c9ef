"""Functions measured with random arguments."""
import random
import statistics

from ...ir import IRModule
from ...runtime import cpu, device as device_of
from ...target import Target
from ...tir import IntImm, PrimFunc, Var
from .extract import _variables, extract_all_func_info_from_relax, extract_func_info_from_prim_func


def default_dym_var_sample_func(dym_var_dict):
    """A number from 2 to 128 for each variable of a shape."""
    return {name: random.randint(2, 128) for name in dym_var_dict}


def _number(extent, sample):
    if isinstance(extent, (int, IntImm)):
        return int(extent)
    if isinstance(extent, str):
        return int(sample[extent])
    if isinstance(extent, Var):
        return int(sample[extent.name])
    from ...arith import Analyzer
    from ...tir.stmt_functor import substitute

    return int(Analyzer().simplify(substitute(extent, {var: IntImm(str(var.dtype), sample[var.name]) for var in _variables(extent)})))


def _array(shape, dtype, dev):
    import numpy as np

    from ... import nd

    if dtype == "bool":
        values = np.random.randint(0, 2, shape).astype("bool")
    elif dtype.startswith(("int", "uint")):
        values = np.random.randint(0, 2, shape).astype(dtype)
    elif dtype.startswith("float") and dtype[5:] in ("16", "32", "64"):
        values = np.random.uniform(-1, 1, shape).astype(dtype)
    else:
        return nd.empty(shape, dtype, dev)
    return nd.array(values, dev)


def _alone(mod_or_func):
    """(the module with the function as main, the function)"""
    if isinstance(mod_or_func, PrimFunc):
        return IRModule({"main": mod_or_func.with_attr("global_symbol", "main")}), mod_or_func
    funcs = [func for func in mod_or_func.functions.values() if isinstance(func, PrimFunc)]
    if len(funcs) != 1:
        raise ValueError(f"a module with one PrimFunc is measured, this one has {len(funcs)}")
    return _alone(funcs[0])


def benchmark(mod_or_func, *, dym_var_sample=None, args=None, target=None, evaluator_config=None, rpc_config=None):
    """Runs a PrimFunc with random arguments: ([(shape, dtype) of each argument], median of the times, their deviation), in microseconds."""
    target = Target(target) if target is not None else Target.current(allow_none=True)
    if target is None:
        raise ValueError("there is no target: hand one over, or stand within `with target:`")
    if rpc_config is not None:
        raise NotImplementedError("functions are measured on this machine: rpc_config has to be None")
    mod, func = _alone(mod_or_func)
    found, names = extract_func_info_from_prim_func(func)
    sample = dym_var_sample if dym_var_sample is not None else default_dym_var_sample_func(names)
    infos = [(tuple(_number(extent, sample) for extent in shape), str(dtype)) for shape, dtype in (found if args is None else args)]
    from ... import build

    dev = cpu(0) if target.kind.name in ("llvm", "c") else device_of(target.kind.name, 0)
    lib = build(mod, target=target)
    values = [_array(shape, dtype, dev) if shape or param in func.buffer_map else _scalar(dtype, param, sample)
              for (shape, dtype), param in zip(infos, func.params)]
    config = evaluator_config
    timer = lib.time_evaluator("main", dev, number=getattr(config, "number", 3), repeat=getattr(config, "repeat", 3),
                               min_repeat_ms=getattr(config, "min_repeat_ms", 0))
    times = [seconds * 1e6 for seconds in timer(*values).results]
    return infos, statistics.median(times), statistics.pstdev(times)


def _scalar(dtype, param, sample):
    value = sample.get(param.name, 1) if hasattr(sample, "get") else 1
    return float(value) if dtype.startswith("float") else int(value)


_COLUMNS = ("InputInfo", "Time(us)", "Std(us)", "Memory(GB/s)")


def _row(infos, median, deviation):
    size = 0
    for shape, dtype in infos:
        bits = int("".join(c for c in dtype.split("_")[0] if c.isdigit()) or 8)
        count = bits / 8
        for extent in shape:
            count *= extent
        size += count
    return [", ".join(f"{list(shape)} {dtype}" for shape, dtype in infos), median, deviation, size / median / 1e3 if median > 0 else 0.0]


def _print_rows(rows, first, sort_by, desc):
    columns = (*first, *_COLUMNS)
    if sort_by is not None:
        if sort_by not in columns:
            raise ValueError(f"there is no column {sort_by!r} to sort by; there are {', '.join(columns)}")
        rows = sorted(rows, key=lambda row: row[columns.index(sort_by)], reverse=desc)
    cells = [columns, *[[f"{x:.3f}" if isinstance(x, float) else str(x) for x in row] for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def benchmark_prim_func(mod_or_func, *, dym_var_sample_func=default_dym_var_sample_func, args=None, sample_number=5, target=None, weight=1,
                        relax_func_name=None, prim_func_name=None, evaluator_config=None, rpc_config=None, sort_by=None, desc=True):
    """Measures a PrimFunc with `sample_number` choices of its variables and prints a table."""
    _, func = _alone(mod_or_func)
    names = extract_func_info_from_prim_func(func)[1]
    rows = []
    for _ in range(sample_number if names else 1):
        rows.append([relax_func_name or "-", prim_func_name or "main", weight,
                     *_row(*benchmark(func, args=args, dym_var_sample=dym_var_sample_func(names), target=target, evaluator_config=evaluator_config,
                                      rpc_config=rpc_config))])
    _print_rows(rows, ("RelaxFunc", "PrimFunc", "Weight"), sort_by, desc)


def benchmark_relax_func(mod, relax_func, sample_number=2, dym_var_sample_func=default_dym_var_sample_func, target=None, evaluator_config=None,
                         rpc_config=None):
    """Measures each PrimFunc that a Relax function calls, with `sample_number` choices of the variables, and prints a table for each choice."""
    gvar = mod.get_global_var(relax_func) if isinstance(relax_func, str) else relax_func
    callees = next(calls for other, calls in extract_all_func_info_from_relax(mod).items() if other.name_hint == gvar.name_hint)
    names = {name: dtype for calls in callees.values() for _, variables, _ in calls for name, dtype in variables.items()}
    for _ in range(sample_number if names else 1):
        sample, rows = dym_var_sample_func(names), []
        for callee, calls in callees.items():
            for args, _, weight in calls:
                rows.append([callee.name_hint, weight, *_row(*benchmark(mod[callee], args=args, dym_var_sample=sample, target=target,
                                                                       evaluator_config=evaluator_config, rpc_config=rpc_config))])
        print(f"{gvar.name_hint}: {', '.join(f'{name} = {value}' for name, value in sample.items()) or 'no variables'}")
        _print_rows(rows, ("PrimFunc", "Weight"), None, True)
        print(f"together {sum(row[1] * row[3] for row in rows):.3f} us\n")
