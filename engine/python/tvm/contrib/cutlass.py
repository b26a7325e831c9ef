"""CUTLASS: needs CUDA's compiler."""


def has_cutlass():
    """Is it there?"""
    from .. import get_global_func

    return get_global_func("relax.ext.cutlass", allow_missing=True) is not None
