"""The PrimFuncs of a module with the shapes of their arguments, and scripts that measure them."""
import os
import re

from ...ir import IRModule
from ...target import Target
from ...tir import IntImm, PrimFunc, Var


def extract_func_info_from_prim_func(func):
    """([(shape, dtype) of each argument], {name of each variable of a shape: its type}); a number as argument is ((), dtype)."""
    args, variables = [], {}
    for param in func.params:
        buffer = func.buffer_map[param] if param in func.buffer_map else None
        if buffer is None:
            args.append(((), str(param.dtype)))
            continue
        shape = tuple(int(extent) if isinstance(extent, (int, IntImm)) else extent for extent in buffer.shape)
        for extent in shape:
            for var in _variables(extent):
                variables.setdefault(var.name, str(var.dtype))
        args.append((shape, str(buffer.dtype)))
    return args, variables


def _variables(extent):
    if isinstance(extent, int):
        return []
    if isinstance(extent, Var):
        return [extent]
    from ...tir.analysis import undefined_vars
    from ...tir import Evaluate

    return list(undefined_vars(Evaluate(extent), []))


def _calls(func, mod):
    """The PrimFuncs that a Relax function calls by call_tir, as often as it does."""
    from ... import relax
    from ...relax.analysis import post_order_visit

    found = []

    def visit(node):
        if isinstance(node, relax.Call) and getattr(node.op, "name", "").startswith("relax.call_tir") and node.args[0] in mod.functions:
            found.append((node.args[0], node))

    post_order_visit(func, visit)
    return found


def _call_info(call, func):
    """As extract_func_info_from_prim_func, by what the call hands over: numbers where the call knows them."""
    from ... import relax

    given = call.args[1].fields if isinstance(call.args[1], relax.Tuple) else [call.args[1]]
    results = [one for info in call.sinfo_args for one in (info.fields if isinstance(info, relax.TupleStructInfo) else [info])]
    args, variables = [], {}
    for info in [one.struct_info for one in given] + results:
        if not isinstance(info, relax.TensorStructInfo) or info.shape is None:
            return extract_func_info_from_prim_func(func)
        shape = tuple(int(extent) if isinstance(extent, (int, IntImm)) else extent for extent in info.shape.values)
        for extent in shape:
            for var in _variables(extent):
                variables.setdefault(var.name, str(var.dtype))
        args.append((shape, str(info.dtype)))
    return (args, variables) if len(args) == len(func.params) else extract_func_info_from_prim_func(func)


def extract_all_func_info_from_relax(mod):
    """{Relax function: {PrimFunc that it calls: [(arguments, variables, how often)]}}, both by their global variables."""
    from ... import relax

    found = {}
    for gvar, func in mod.functions.items():
        if not isinstance(func, relax.Function):
            continue
        mine = found.setdefault(gvar, {})
        for callee, call in _calls(func, mod):
            if not isinstance(mod[callee], PrimFunc):
                continue
            args, variables = _call_info(call, mod[callee])
            known = mine.setdefault(callee, [])
            for i, (other, other_variables, weight) in enumerate(known):
                if str(other) == str(args) and other_variables == variables:
                    known[i] = (other, other_variables, weight + 1)
                    break
            else:
                known.append((args, variables, 1))
    return found


def _literal(args):
    """The arguments as Python: an extent that is no number is its text."""
    shapes = [f"(({', '.join(str(e) if isinstance(e, int) else repr(str(e)) for e in shape)}{',' if len(shape) == 1 else ''}), {dtype!r})" for shape, dtype in args]
    return f"[{', '.join(shapes)}]"


def extract_prim_func(model_name, relax_func_name, prim_func_name, func, *, func_args=None, dym_var_dict=None, weight=1, sample_number=5, target=None):
    """A script that holds the function and measures it `sample_number` times."""
    target = Target(target) if target is not None else Target.current(allow_none=True)
    if target is None:
        raise ValueError("there is no target: hand one over, or stand within `with target:`")
    found_args, found_variables = extract_func_info_from_prim_func(func)
    args, variables = found_args if func_args is None else func_args, found_variables if dym_var_dict is None else dym_var_dict
    text = IRModule({"main": func.with_attr("global_symbol", "main")}).script(show_meta=True)
    return f'''"""{prim_func_name}, which {relax_func_name} of {model_name} calls {weight} times."""
import tvm
from tvm.dlight.benchmark import benchmark_prim_func
from tvm.script import ir as I, relax as R, tir as T  # noqa: F401
{text}

MODEL_NAME, RELAX_FUNC_NAME, PRIM_FUNC_NAME, WEIGHT = {model_name!r}, {relax_func_name!r}, {prim_func_name!r}, {weight}
TARGET = tvm.target.Target({dict(target.export())!r})
INPUT_ARGS, DYM_VARS = {_literal(args)}, {variables!r}

if __name__ == "__main__":
    benchmark_prim_func(Module, args=INPUT_ARGS, sample_number={sample_number}, target=TARGET, weight=WEIGHT, relax_func_name=RELAX_FUNC_NAME,
                        prim_func_name=PRIM_FUNC_NAME)
'''


def _file_name(name):
    return re.sub(r"[^\w.-]", "_", name)


def extract_from_relax(mod, model_name, file_path, target=None):
    """A script for each PrimFunc that a Relax function calls: FILE_PATH/MODEL/RELAX FUNCTION/PRIMFUNC.py; _1, .. for calls with other shapes."""
    for gvar, callees in extract_all_func_info_from_relax(mod).items():
        folder = os.path.join(file_path, _file_name(model_name), _file_name(gvar.name_hint))
        os.makedirs(folder, exist_ok=True)
        for callee, calls in callees.items():
            for i, (args, variables, weight) in enumerate(calls):
                name = callee.name_hint if i == 0 else f"{callee.name_hint}_{i}"
                with open(os.path.join(folder, _file_name(name) + ".py"), "w", encoding="utf-8") as out:
                    out.write(extract_prim_func(model_name, gvar.name_hint, callee.name_hint, mod[callee], func_args=args, dym_var_dict=variables,
                                                weight=weight, target=target))
