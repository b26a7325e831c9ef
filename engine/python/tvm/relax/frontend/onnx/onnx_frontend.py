"""Models of ONNX to Relax; the importer is in C and needs no onnx package."""
import os

import _loopscope as _core

from ... import expr as _expr


def from_onnx(model, shape_dict=None, dtype_dict="float32", opset=None, keep_params_in_input=False, sanitize_input_names=True):
    """The module of a model: a ModelProto, its bytes, or the path of a file.  shape_dict: name of an input -> shape, instead of what the model
    says.  dtype_dict: types of inputs, one or a dict; the model's own types stay where it states them.  keep_params_in_input: the weights are
    parameters behind the inputs, their values in the attribute "params" (relax.frontend.detach_params).  A node that is not supported is an
    error that names it."""
    name, folder = "the model", None
    if hasattr(model, "SerializeToString"):
        data = model.SerializeToString()
    elif isinstance(model, (bytes, bytearray, memoryview)):
        data = bytes(model)
    else:
        name = os.fspath(model)
        folder = os.path.dirname(os.path.abspath(name))
        with open(name, "rb") as file:
            data = file.read()
    shapes = {key: [x if isinstance(x, _expr.Expr) or not hasattr(x, "__index__") else int(x) for x in value] for key, value in (shape_dict or {}).items()}
    dtypes = dict(dtype_dict) if isinstance(dtype_dict, dict) else {}
    mod, params = _core.onnx_import(data, name, folder, shapes, dtypes, int(opset or 0), (bool(keep_params_in_input), not sanitize_input_names))
    if keep_params_in_input:
        mod["main"] = mod["main"].with_attr("params", params)
    return mod
