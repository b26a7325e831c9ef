"""Whether schedules refuse what changes the order of reads and writes that depend on each other, or numbers."""
import _loopscope as _core


def strict(on=None):
    """Makes schedules strict from now on, or no longer; returns what it was.  Without `on` it only tells.

    TVM's conditions accept a reorder, parallel, vectorize, bind, compute_at or compute_inline after which a value is read before it is
    written, or two rounds write one element at the same time.  A strict schedule refuses such a step with two rounds that show it, and a step
    that is warned of for another reason with an element that becomes another number in a run; others do it with a RuntimeWarning, as TVM
    without one.  One schedule: Schedule(mod, strict=True), or sch.strict = True.
    """
    return _core.is_strict() if on is None else _core.set_strict(bool(on))
