"""Whether kernels are simulated with every check, or run fast as loops; what they cost in the simulator."""


def fast_threads(on=None):
    """Makes kernels run as loops over blocks and threads that are compiled for this CPU, or on checked simulated threads again; returns
    what it was.  Without `on` it only tells.

    Fast kernels compute what the threads would (barriers, shuffles and tensor cores cut the loops), but nothing is checked: a race, a read of
    memory that nobody wrote or an index outside of an array is not found.  Time them with time_evaluator as any function; no time is a GPU's.
    """
    from tvm.runtime import simt

    was = simt.fast
    if on is not None:
        simt.fast = bool(on)
    return was


def count_threads(function, *args):
    """Runs a function that was built for a target with threads on the simulated ones and counts what does not depend on a chip: a dictionary for each kernel, with
    its grid and block, the bytes and 32-byte sectors of global memory that its warps fetched and needed, the passes over the banks of shared memory, barriers,
    branches that split a warp, and instructions of warps.  TVMError says what the kernels do wrong (a race, a barrier that some miss).

        >>> loopscope.count_threads(tvm.build(sch.mod, target="cuda"), a, b)
    """
    import _loopscope as core
    from tvm.error import TVMError
    from tvm.runtime import simt

    function = getattr(function, "entry_func", function)
    if not isinstance(function, simt.SimtFunction):
        raise TypeError("count_threads counts what was built for cuda, nvptx, opencl or rocm; tvm.build(mod, target=\"cuda\") gives such a function")
    found, kernels = core.simt_count(function.lowered, function._text, tuple(args))
    faults = [text for kind, text in found if kind != "same-value"]
    if faults:
        raise TVMError("\n".join(faults))
    return kernels
