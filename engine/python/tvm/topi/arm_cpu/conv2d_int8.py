"""Convolutions of bytes."""


def is_int8_hw_support(data_dtype, kernel_dtype, target=None):
    """Does a target multiply vectors of bytes?  It takes an LLVM that knows the instructions, too."""
    from ...target import Target, codegen

    target = target if target is not None else Target.current(allow_none=True)
    if target is None or codegen.llvm_version_major() < 8:
        return False
    return data_dtype == kernel_dtype and "int8" in data_dtype and bool(target.features.has_asimd or target.features.has_dotprod)
