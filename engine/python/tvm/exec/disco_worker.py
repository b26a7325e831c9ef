"""The process of a worker of tvm.runtime.disco.ProcessSession, and functions that tests of sessions call on every worker."""
import sys

from .. import nd, register_func
from ..runtime import ShapeTuple, String


@register_func("tests.disco.add_one", override=True)
def _add_one(x):
    return x + 1


@register_func("tests.disco.add_one_float", override=True)
def _add_half(x):
    return x + 0.5


@register_func("tests.disco.add_one_ndarray", override=True)
def _add_one_to_each(x):
    return nd.array(x.numpy() + 1)


@register_func("tests.disco.str", override=True)
def _suffixed(x):
    return x + "_suffix"


@register_func("tests.disco.str_obj", override=True)
def _suffixed_object(x):
    return String(x + "_suffix")


@register_func("tests.disco.shape_tuple", override=True)
def _longer(x):
    return ShapeTuple(list(x) + [4, 5])


if __name__ == "__main__":
    from ..runtime.disco.process import main

    main(sys.argv[1:])
