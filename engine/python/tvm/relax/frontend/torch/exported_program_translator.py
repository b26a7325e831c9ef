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

# Calls that run a graph of their own as it stands, and where that is among the arguments; before it is what they set for it, behind it its inputs.
_REGIONS = {"wrap_with_set_grad_enabled": 1, "wrap_with_autocast": 4}
_AUTOCAST_ENABLED = 2


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


def _target(node):
    if node.target is operator.getitem:
        return "operator.getitem"
    name = str(node.target)
    return name if name.startswith("torch.") else "torch.ops." + name


def _is_node(value):
    return hasattr(value, "op") and hasattr(value, "target") and hasattr(value, "meta")


def _held(module, target):
    """What a module has by a name with dots."""
    for name in str(target).split("."):
        module = getattr(module, name)
    return module


class _Reader:
    """The rows of the graph, its tensors by the names of their placeholders, and the nodes of what the user gives.  Regions stand where they are called."""

    def __init__(self, program):
        self.program = program
        self.rows, self.tensors, self.users, self.weights = [], {}, [], []
        self.names = {}         # node of a region -> its name among all
        self.same = {}          # node -> what it is: the value of an input or of a result of a region
        self.parts = {}         # call of a region with several results -> them
        self.taken = {node.name for node in program.graph.nodes}
        self._specs = {spec.arg.name: spec for spec in program.graph_signature.input_specs}
        for node in program.graph.nodes:
            where = f"node {len(self.rows) + 1} \"{node.name}\""
            if node.op == "placeholder":
                self._input(node, where)
            elif node.op == "output":
                self._output(node)
            else:
                self._inner(node, program.graph_module, where)

    def _argument(self, value):
        while _is_node(value) and value in self.same:
            value = self.same[value]
        if _is_node(value):
            known = value.meta.get("val")
            if known is not None and not hasattr(known, "shape") and not isinstance(known, (tuple, list)):
                return _number(known)
            return {"node": self.names.get(value, value.name)}
        if isinstance(value, (tuple, list)):
            return [self._argument(item) for item in value]
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

    def _put(self, node, op, target, args=(), kwargs=None):
        row = {"name": self.names.get(node, node.name), "op": op, "target": target, "args": list(args), "kwargs": kwargs or {}}
        value = node.meta.get("val")
        if hasattr(value, "shape"):
            row["shape"], row["dtype"] = [_extent(size) for size in value.shape], _dtype(value.dtype)
        trace = str(node.meta.get("stack_trace") or "").rstrip().split("\n")
        place = trace[-2].strip() if len(trace) > 1 else ""
        if place.startswith('File "') and ", line " in place:
            file, line = place[6:].split('", line ', 1)
            row["source"] = {"file": file, "line": int(line.split(",")[0]), "text": trace[-1].strip()}
        self.rows.append(row)

    def _input(self, node, where):
        spec, program = self._specs.get(node.name), self.program
        kind = spec.kind.name if spec is not None else "USER_INPUT"
        if kind == "USER_INPUT" and not hasattr(node.meta.get("val"), "shape"):
            if _is_symbol(node.meta.get("val") or 0):
                raise NotImplementedError(f"{where}: an input that is a number and not fixed ({node.meta['val']}) is not read")
        elif kind == "USER_INPUT":       # one that is fixed stands where it is used
            self.users.append(node)
            self._put(node, "placeholder", node.name)
        elif kind in _WEIGHTS:
            held = program.state_dict if spec.target in program.state_dict else program.constants
            if spec.target not in held:
                raise ValueError(f"{where}: the program has no value for {spec.target}")
            self.tensors[node.name] = held[spec.target]
            self.weights.append(node)
            self._put(node, "get_attr", node.name)
        elif kind != "TOKEN":
            raise NotImplementedError(f"{where}: an input of the kind {kind} is not read")

    def _output(self, node):
        results = list(node.args[0])
        for spec, result in zip(self.program.graph_signature.output_specs, list(results)):
            if spec.kind.name != "USER_OUTPUT":
                warnings.warn(f"what the program writes to {spec.target} ({spec.kind.name}) is no result of the module")
                results.remove(result)
        self._put(node, "output", "output", [[self._argument(item) for item in results]])

    def _inner(self, node, module, where):
        """A node that is neither an input nor the output of the graph of `module`."""
        value = node.meta.get("val")
        if node.op == "get_attr":
            held = _held(module, node.target)
            if not hasattr(held, "graph"):      # a region is there for its call
                self.tensors[self.names.get(node, node.name)] = held
                self._put(node, "get_attr", node.name)
        elif node.target is operator.getitem and node.args[0] in self.parts:
            self.same[node] = self.parts[node.args[0]][node.args[1]]
        elif any(_is_node(one) and one.op == "get_attr" and hasattr(_held(module, one.target), "graph") for one in node.args):
            self._region(node, module, where)
        elif value is None and not getattr(node, "users", True):
            pass                # it demands something of a number, and gives nothing
        elif value is None or hasattr(value, "shape") or isinstance(value, (tuple, list)):         # else a number, which stands where it is used
            self._put(node, node.op, _target(node), self._argument(node.args), {key: self._argument(item) for key, item in node.kwargs.items()})

    def _region(self, node, module, where):
        name = str(node.target).rsplit(".", 1)[-1]
        at = _REGIONS.get(name)
        if at is None:
            raise NotImplementedError(f"{where}: {name}, which has graphs of its own, is not read")
        if name == "wrap_with_autocast" and node.args[_AUTOCAST_ENABLED]:
            raise NotImplementedError(f"{where}: what stands under torch.autocast is not read; export the model in the type that it is to compute in")
        region, inputs = _held(module, node.args[at].target), iter(node.args[at + 1:])
        for one in region.graph.nodes:
            if one.op == "placeholder":
                self.same[one] = next(inputs)
            elif one.op == "output":
                result = one.args[0]
            else:
                self.names[one] = self._free(f"{node.name}_{one.name}")
                self._inner(one, region, f"node {len(self.rows) + 1} \"{self.names[one]}\"")
        if isinstance(result, (tuple, list)):
            self.parts[node] = list(result)
        else:
            self.same[node] = result

    def _free(self, wanted):
        name, number = wanted, 1
        while name in self.taken:
            name, number = f"{wanted}_{number}", number + 1
        self.taken.add(name)
        return name


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
    read = _Reader(exported_program)
    rows, tensors, users, weights = read.rows, read.tensors, read.users, read.weights
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
