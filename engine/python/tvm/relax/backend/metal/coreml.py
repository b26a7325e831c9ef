"""What Core ML computes: which parts of a module it is handed.  Its models are made by coremltools and compiled by Xcode, which are Apple's."""
from ...._ffi import register_func
from ....contrib import coreml_runtime
from ....contrib.xcode import compile_coreml
from ...dpl import is_op, wildcard
from ...transform import CanonicalizeBindings, FuseOpsByPattern, MergeCompositeFunctions
from ..pattern_registry import get_patterns_with_prefix, register_patterns
from ..patterns import make_matmul_pattern

# An operator by its name, and what its arguments are called.
_OPERATORS = {"add": ("lhs", "rhs"), "multiply": ("lhs", "rhs"), "nn.softmax": ("lhs",), "nn.relu": ("lhs",), "expand_dims": ("lhs",), "nn.avg_pool2d": ("lhs",),
              "nn.conv2d": ("lhs", "rhs"), "clip": ("arg0", "arg1", "arg2")}


def _any(context):
    del context
    return True


def _pattern(name, args):
    given = {arg: wildcard() for arg in args}
    root = is_op("relax." + name)(*given.values())
    return ("coreml." + name, root, {**given, "root": root}, _any)


register_patterns([*(_pattern(name, args) for name, args in _OPERATORS.items()), ("coreml.matmul", *make_matmul_pattern(), _any)])


def partition_for_coreml(mod):
    """The module with what Core ML computes in functions of their own."""
    mod = FuseOpsByPattern(get_patterns_with_prefix("coreml"), bind_constants=True, annotate_codegen=False)(CanonicalizeBindings()(mod))
    return MergeCompositeFunctions()(mod)


@register_func("relax.ext.coreml")
def coreml_compiler(funcs, options, constant_names):
    """Models of Core ML of functions: raises where coremltools is not installed, which has what they are made of."""
    del options, constant_names
    names = ", ".join(str(func.attrs["global_symbol"]) for func in funcs)
    raise RuntimeError(f"Core ML models of {names} are made by coremltools and Apple's Xcode; Loopscope does not make them")


__all__ = ["coreml_compiler", "coreml_runtime", "compile_coreml", "partition_for_coreml"]
