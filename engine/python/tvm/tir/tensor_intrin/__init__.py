"""Tensor intrinsics that are registered from the start; the modules give their names."""


def function_of(functions, name, module):
    """The description or implementation under its own name, kept in the module."""
    if name not in functions:
        raise AttributeError(f"module {module['__name__']!r} has no attribute {name!r}")
    from ..function import TensorIntrin

    intrin, which = functions[name]
    module[name] = getattr(TensorIntrin.get(intrin), which)
    return module[name]


from . import arm_cpu, cuda, dot_product_common, hexagon, metal, rocm, x86
