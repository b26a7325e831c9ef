"""torch.fx graphs to Relax.  The graph is written down as data/scripts/export_fx.py does it; the importer in C makes the module."""
import json

import _loopscope as _core

from ... import block_builder as _builder
from ... import expr as _expr
from ...struct_info import TensorStructInfo

_DTYPES = {"float": "float32", "float32": "float32", "torch.float32": "float32", "float16": "float16", "torch.float16": "float16", "half": "float16",
           "int64": "int64", "torch.int64": "int64", "int32": "int32", "torch.int32": "int32", "bool": "bool", "torch.bool": "bool",
           "float64": "float64", "torch.float64": "float64", "double": "float64"}
for _name in "int8 int16 uint8 uint16 uint32 uint64 bfloat16".split():
    _DTYPES[_name] = _DTYPES["torch." + _name] = _name


def _dtype(value):
    name = str(value).lower()
    if name not in _DTYPES:
        raise NotImplementedError(f"input_type {value} is not handled yet")
    return _DTYPES[name]


def _tensor(value):
    array = value.detach().cpu().contiguous().numpy()
    return _core.tensor(str(array.dtype), list(array.shape), array.tobytes())


class TorchFXImporter:
    """What a converter of one's own gets: `env` from nodes to expressions, and `block_builder`."""

    def __init__(self, model, block_builder):
        self.model, self.block_builder = model, block_builder
        self.env, self.params = {}, {}
        self.named_modules = dict(model.named_modules())
        self._nodes = {node.name: node for node in model.graph.nodes}

    @staticmethod
    def shape_of(tensor):
        return tensor.struct_info.shape if isinstance(tensor, _expr.Expr) else tensor.shape

    @staticmethod
    def _convert_data_type(input_type, env=None):
        return _dtype(env[input_type] if env is not None and input_type in env else input_type)

    @staticmethod
    def _convert_torch_tensor_to_relax(tensor):
        return _expr.const(tensor.detach().cpu().numpy())

    def retrieve_args(self, node):
        return self._retrieve(node.args)

    def _retrieve(self, value):
        if value in self.env if isinstance(value, tuple(type(n) for n in list(self._nodes.values())[:1])) else False:
            return self.env[value]
        if isinstance(value, (list, tuple)):
            return type(value)(self._retrieve(x) for x in value) if type(value) in (list, tuple) else [self._retrieve(x) for x in value]
        return value

    def convert(self, name, inputs, converters):
        node = self._nodes[name]
        self.env.update({self._nodes[key]: value for key, value in inputs.items()})
        key = _custom_key(node, self.named_modules)
        result = converters[key](node, self) if node.op == "call_function" else converters[key](node)
        self.env[node] = result
        return result


def _custom_key(node, modules):
    if node.op == "call_module":
        return type(modules[node.target])
    return node.target.__name__ if node.op == "call_function" else node.target


def from_fx(model, input_info, *, keep_params_as_input=False, unwrap_unit_return_tuple=False, no_bind_return_tuple=False, custom_convert_map=None):
    """The module of a torch.fx.GraphModule.  input_info: (shape, dtype) of each input.  keep_params_as_input: the weights are parameters behind
    the inputs, their values in the attribute "params" (relax.frontend.detach_params).  custom_convert_map: name of a function or method, or class
    of a module -> converter(node, importer) that gives the expression."""
    from . import export_fx

    document, tensors = export_fx.describe(model)
    inputs = [_expr.Var(f"inp_{i}", TensorStructInfo(shape, _dtype(dtype))) for i, (shape, dtype) in enumerate(input_info)]
    builder = _builder.BlockBuilder()
    converter = None
    if custom_convert_map:
        importer = TorchFXImporter(model, builder)
        nodes = {node.name: node for node in model.graph.nodes}
        for row in document["nodes"]:
            if row["op"].startswith("call_") and _custom_key(nodes[row["name"]], importer.named_modules) in custom_convert_map:
                row["custom"] = True
        converter = lambda name, env: importer.convert(name, env, custom_convert_map)
    mod = _core.fx_import(builder._impl, json.dumps(document), {name: _tensor(value) for name, value in tensors.items()}, inputs,
                          (bool(keep_params_as_input), bool(unwrap_unit_return_tuple), bool(no_bind_return_tuple), False), converter)
    if keep_params_as_input:
        params = [_tensor(param.data) for _, param in sorted(model.named_parameters(), key=lambda pair: pair[0])]
        mod["main"] = mod["main"].with_attr("params", params)
    return mod


def add_rules(text):
    """Rules of one's own for all graphs that come after, one a line: mish(x) = multiply(x, tanh(nn.softplus(x)))."""
    _core.fx_rules(text)
