"""What a device says of a memory scope."""


class MemoryInfo:
    """The bits of a unit, of the widest vector and in all; where it begins, if the processor can see it."""

    def __init__(self, unit_bits, max_num_bits, max_simd_bits, head_address=None):
        self.unit_bits, self.max_num_bits, self.max_simd_bits, self.head_address = int(unit_bits), int(max_num_bits), int(max_simd_bits), head_address


def memory_info(scope):
    """What the registered function tvm.info.mem.SCOPE tells, or None."""
    from .._ffi.registry import get_global_func

    func = get_global_func(f"tvm.info.mem.{scope}", allow_missing=True)
    return None if func is None else func()
