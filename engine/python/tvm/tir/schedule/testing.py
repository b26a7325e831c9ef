"""What tests of schedules ask for again and again."""
from ...ir import assert_structural_equal, structural_equal
from .schedule import Schedule
from .trace import Trace


def assert_structural_equal_ignore_global_symbol(func1, func2, *args, **kwargs):
    """The functions are equal up to the symbol under which they are called from outside."""
    symbol = "global_symbol"
    name = next((f.attrs[symbol] for f in (func1, func2) if f.attrs and symbol in f.attrs), "main")
    assert_structural_equal(func1.with_attr(symbol, name), func2.with_attr(symbol, name), *args, **kwargs)


def verify_trace_roundtrip(sch, mod, *, debug_mask="all", text_format=("python", "json")):
    """The trace as JSON, and as Python, leads from the module to the same program and the same trace again."""
    trace = sch.trace
    assert trace is not None, "this schedule keeps no trace"
    for text in (text_format,) if isinstance(text_format, str) else text_format:
        fresh = Schedule(mod=mod, debug_mask=debug_mask)
        if text == "json":
            Trace.apply_json_to_schedule(json_obj=trace.as_json(), sch=fresh)
        elif text == "python":
            steps = "\n".join(trace.as_python())
            exec(steps, dict(_names(), sch=fresh))  # pylint: disable=exec-used
        else:
            raise ValueError(f"{text} is no form of a trace; there are json and python")
        assert_structural_equal(fresh.mod, sch.mod)
        assert structural_equal(fresh.mod, sch.mod)
        assert "\n".join(fresh.trace.as_python()) == "\n".join(trace.as_python())
    return fresh


def _names():
    """What the text of a trace may name."""
    from ... import tir
    from ...script import tir as script

    return {"tir": tir, "T": script}
