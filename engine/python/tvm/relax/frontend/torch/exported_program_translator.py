"""Programs of torch.export to Relax.  What is asked of a program is what torch 2.4 to 2.8 give it (graph, graph_signature, state_dict, constants,
range_constraints; of a node op, name, target, args, kwargs and meta["val"]); torch itself is not imported.  The graph is written down as for torch.fx,
and the importer in C makes the module.  torch.compile has no importer."""
import json
import math
import operator
import sys
import warnings

import _loopscope as _core

from ... import block_builder as _builder

_WEIGHTS = {"PARAMETER", "BUFFER", "CONSTANT_TENSOR"}


def _dtype(value):
    return str(value).replace("torch.", "")


def _tensor(value):
    value, dtype = value.detach().cpu().contiguous(), None
    if hasattr(value, "dtype") and _dtype(value.dtype) == "bfloat16":      # which numpy has not
        value, dtype = value.view(sys.modules["torch"].int16), "bfloat16"
    array = value.numpy()
    return _core.tensor(dtype or str(array.dtype), list(array.shape), array.tobytes())


def _is_symbol(value):
    """A size that is not fixed: torch's SymInt, which is no int."""
    return not isinstance(value, (int, float, bool))


def _extent(size):
    """A number, or the text of what it is computed of: "2*s0"."""
    return str(size) if _is_symbol(size) else int(size)


def _number(value):
    if not _is_symbol(value):
        return value
    kind = type(value).__name__
    return {"unread": kind} if kind in ("SymFloat", "SymBool") else {"extent": str(value)}


def _argument(value):
    if hasattr(value, "op") and hasattr(value, "target") and hasattr(value, "meta"):
        known = value.meta.get("val")
        if known is not None and not hasattr(known, "shape") and not isinstance(known, (tuple, list)):
            return _number(known)
        return {"node": value.name}
    if isinstance(value, (tuple, list)):
        return [_argument(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    kind = type(value).__name__
    if kind == "dtype":
        return {"dtype": _dtype(value)}
    if kind in ("device", "memory_format", "layout", "Generator"):
        return None
    return _number(value) if kind.startswith("Sym") else {"unread": kind}


def _target(node):
    if node.target is operator.getitem:
        return "operator.getitem"
    name = str(node.target)
    return name if name.startswith("torch.") else "torch.ops." + name


def _row(node, op, target, args=(), kwargs=None):
    row = {"name": node.name, "op": op, "target": target, "args": list(args), "kwargs": kwargs or {}}
    value = node.meta.get("val")
    if hasattr(value, "shape"):
        row["shape"], row["dtype"] = [_extent(size) for size in value.shape], _dtype(value.dtype)
    trace = str(node.meta.get("stack_trace") or "").rstrip().split("\n")
    place = trace[-2].strip() if len(trace) > 1 else ""
    if place.startswith('File "') and ", line " in place:
        file, line = place[6:].split('", line ', 1)
        row["source"] = {"file": file, "line": int(line.split(",")[0]), "text": trace[-1].strip()}
    return row


def _read(program):
    """The rows of the graph, its tensors by the names of their placeholders, and the names of what the user gives."""
    nodes = list(program.graph.nodes)
    specs = {spec.arg.name: spec for spec in program.graph_signature.input_specs}
    rows, tensors, users, weights = [], {}, [], []
    for node in nodes:
        where = f"node {len(rows) + 1} \"{node.name}\""
        if node.op == "placeholder":
            spec = specs.get(node.name)
            kind = spec.kind.name if spec is not None else "USER_INPUT"
            if kind == "USER_INPUT" and not hasattr(node.meta.get("val"), "shape"):
                if _is_symbol(node.meta.get("val") or 0):
                    raise NotImplementedError(f"{where}: an input that is a number and not fixed ({node.meta['val']}) is not read")
            elif kind == "USER_INPUT":       # one that is fixed stands where it is used
                users.append(node)
                rows.append(_row(node, "placeholder", node.name))
            elif kind in _WEIGHTS:
                held = program.state_dict if spec.target in program.state_dict else program.constants
                if spec.target not in held:
                    raise ValueError(f"{where}: the program has no value for {spec.target}")
                tensors[node.name] = held[spec.target]
                weights.append(node)
                rows.append(_row(node, "get_attr", node.name))
            elif kind != "TOKEN":
                raise NotImplementedError(f"{where}: an input of the kind {kind} is not read")
        elif node.op == "get_attr":
            tensors[node.name] = getattr(program.graph_module, node.target)
            rows.append(_row(node, "get_attr", node.name))
        elif node.op == "output":
            results = list(node.args[0])
            for spec, result in zip(program.graph_signature.output_specs, list(results)):
                if spec.kind.name != "USER_OUTPUT":
                    warnings.warn(f"what the program writes to {spec.target} ({spec.kind.name}) is no result of the module")
                    results.remove(result)
            rows.append(_row(node, "output", "output", [[_argument(item) for item in results]]))
        else:
            value = node.meta.get("val")
            if value is None and not getattr(node, "users", True):
                continue        # it demands something of a number, and gives nothing
            if value is not None and not hasattr(value, "shape") and not isinstance(value, (tuple, list)):
                continue        # a number stands where it is used
            rows.append(_row(node, node.op, _target(node), _argument(node.args),
                             {key: _argument(item) for key, item in node.kwargs.items()}))
    return rows, tensors, users, weights


def _bound(constraint, which):
    """A number that the program demands of a size, or None: torch says an infinity of its own."""
    try:
        number = int(getattr(constraint, which))
    except (AttributeError, TypeError, ValueError, OverflowError):      # by version
        return None
    return number if abs(number) < 2**62 else None


def from_exported_program(exported_program, *, keep_params_as_input=False, unwrap_unit_return_tuple=False, no_bind_return_tuple=False):
    """The module of what torch.export.export returns.  Sizes that are not fixed become variables, with the bounds that the program demands as attributes of
    main.  keep_params_as_input: parameters, buffers and constants are parameters behind the inputs, in the order of the signature, their values
    in the attribute "params" (relax.frontend.detach_params).  An operator without a rule is an error that names its node."""
    missing = [name for name in ("graph", "graph_signature", "state_dict", "range_constraints") if not hasattr(exported_program, name)]
    if missing:
        raise TypeError(f"from_exported_program takes what torch.export.export returns, which has {missing[0]}, not {type(exported_program).__name__}; "
                        "a model that torch.fx traced is for from_fx, a .pt2 file for loopscope-cli import")
    rows, tensors, users, weights = _read(exported_program)
    if keep_params_as_input:
        kept = {node.name for node in weights}
        places = {row["name"]: row for row in rows if row["name"] in kept}
        for row in places.values():
            row["op"] = "placeholder"
        order = [row for row in rows if row["op"] == "placeholder" and row["name"] not in kept] + [places[node.name] for node in weights]
        rows = order + [row for row in rows if row["op"] != "placeholder"]
    bounds = {str(symbol): [_bound(constraint, "lower"), _bound(constraint, "upper")] for symbol, constraint in exported_program.range_constraints.items()}
    document = {"format": "loopscope.fx", "version": 1, "nodes": rows, "modules": {}, "parameters": [], "bounds": bounds}
    mod = _core.fx_import(_builder.BlockBuilder()._impl, json.dumps(document), {name: _tensor(value) for name, value in tensors.items()}, None,
                          (False, bool(unwrap_unit_return_tuple), bool(no_bind_return_tuple), True), None)
    if keep_params_as_input:
        mod["main"] = mod["main"].with_attr("num_input", len(users)).with_attr("params", [_tensor(tensors[node.name]) for node in weights])
    return mod


def relax_dynamo(pipeline=None):
    """Not offered: there is no backend for torch.compile."""
    raise NotImplementedError("there is no backend for torch.compile; trace the model with torch.fx.symbolic_trace and use from_fx")


def dynamo_capture_subgraphs(model, *params, **kwargs):
    """Not offered: graphs of torch.compile are not read."""
    raise NotImplementedError("graphs of torch.compile are not read; trace the model with torch.fx.symbolic_trace and use from_fx")
