"""Sizes for products of a matrix and a vector, by target."""


def largest_factor(number, candidates):
    """The largest of the candidates that divides the number; 1 where none does or the number is not known."""
    if not isinstance(number, int):
        return 1
    return max((one for one in candidates if one and number % one == 0), default=1)


class Sizes:
    """threads: (along data, along the sum); axes: their names; lanes of a vector of the sum; steps to unroll.

    share: is the vector brought to shared memory; share_lanes: most elements that a thread brings at a time; load_bytes: of the matrix at a time.
    """

    def __init__(self, threads, lanes, unroll, axes=("threadIdx.y", "threadIdx.x"), share=False, share_lanes=1, load_bytes=1):
        self.threads, self.lanes, self.unroll, self.axes = threads, lanes, unroll, axes
        self.share, self.share_lanes, self.load_bytes = share, share_lanes, load_bytes


_SWAPPED = ("threadIdx.x", "threadIdx.y")


def is_android(target):
    """Is it a phone's GPU?"""
    return target.kind.name == "opencl" and ("android" in str(target.host) or "adreno" in target.keys)


def sizes_for(target, data, summed):
    """The sizes for a matrix of `data` values that sum over `summed` each; both None where they are not known."""
    known = isinstance(data, int) and isinstance(summed, int)
    tall = known and data > summed
    kind = target.kind.name
    if kind == "cuda":
        found = Sizes((16, 32) if tall else (4, 64), 4, 256, share=True, share_lanes=8, load_bytes=4)
    elif kind == "metal":
        found = Sizes((4, 16) if tall else (2, 64), 1, 256, _SWAPPED)
    elif kind == "rocm":
        found = Sizes((1, 128) if tall else (8, 64), 4, 256)
    elif is_android(target):
        found = Sizes((4, 8) if tall else (2, 32), 8, 8)
    elif kind == "vulkan":
        found = Sizes((4, 32) if tall else (16, 32), 4, 256)
    elif kind == "opencl" and "mali" in str(target.attrs):
        found = Sizes((1, 64), 8, 64)
    else:
        found = Sizes((1, 64), 1, 64)
    if not isinstance(data, int):
        found.threads = (1, 64)
    along_data, along_sum = found.threads
    while along_data * along_sum > target.max_num_threads:
        along_data, along_sum = (along_data // 2, along_sum) if along_data > 1 else (along_data, along_sum // 2)
    found.threads = (along_data, along_sum)
    return found
