"""How many threads a target's blocks are given."""
from ...tir import IntImm

# Threads in a block that reductions are written for, by kind of target; others get 64.
_SUGGESTED = {"cuda": 1024, "rocm": 256, "metal": 256, "opencl": 256}


def max_threads_per_block(target):
    """The most threads that a block of the target may have: its attribute, and 256 where it says nothing."""
    for name in ("max_threads_per_block", "max_num_threads"):
        value = target.attrs.get(name) if target.attrs is not None else None
        if value is not None:
            return int(value)
    return 256


def suggest_threads_per_block(target, loops, max_threads_for_dynamic_loop=32):
    """Threads for each of the loops: powers of two up to the extents, together no more than suits the target.

    A loop whose extent is not known gets up to `max_threads_for_dynamic_loop` of what the others leave.
    """
    left = _SUGGESTED.get(target.kind.name, 64)
    found = []
    for loop in loops:
        if not isinstance(loop.extent, IntImm):
            found.append(None)
            continue
        extent, count = int(loop.extent), 1
        while count <= extent and count < left:
            count *= 2
        count = count if count <= extent else count // 2
        found.append(max(count, 1))
        left //= max(count, 1)
    for i, one in enumerate(found):
        if one is None:
            count = 1
            while count < max_threads_for_dynamic_loop and count < left:
                count *= 2
            found[i] = count
            left //= count
    return found


def unroll_fully(sch, loop, steps):
    """The two marks that have a loop's inside unrolled up to so many steps."""
    sch.annotate(loop, "pragma_auto_unroll_max_step", steps)
    sch.annotate(loop, "pragma_unroll_explicit", 1)
