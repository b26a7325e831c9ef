"""Whether kernels are simulated with every check, or run fast as loops."""


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
