"""Steps of a schedule that are made of several."""
from ..function import TensorIntrin
from .analysis import get_tensorize_loop_mapping


def tile_with_tensor_intrin(sch, block, intrin_name, allow_padding=False):
    """Splits the loops that a tensor intrinsic stands for and moves their inner parts inside.

    The outermost of the inner parts, which `tensorize` takes; None where the block does not compute what the intrinsic does.
    With `allow_padding` a block whose extents are no multiples of the intrinsic's is padded first (pad_einsum).
    """
    desc = TensorIntrin.get(intrin_name).desc
    info = get_tensorize_loop_mapping(sch, block, desc, allow_padding)
    if info is None:
        return None
    if info.block_iter_paddings is not None:
        sch.pad_einsum(block, [int(n) for n in info.block_iter_paddings])
        info = get_tensorize_loop_mapping(sch, block, desc)
    loops = [(sch.get(one), one) for one in sch.get_loops(block)]
    inner = [None] * len(info.loop_map)
    for place, wanted in info.loop_map.items():
        parts = sch.split(next(handle for loop, handle in loops if loop.same_as(place.stmt)), [None, int(wanted.extent)])
        inner[int(info.desc_loop_indexer[wanted])] = parts[1]
    order, met = [], False
    for loop in sch.get_loops(block):
        if any(sch.get(loop).same_as(sch.get(one)) for one in inner):
            met = True
        elif met:
            order.append(loop)
    sch.reorder(*order, *inner)
    return inner[0]
