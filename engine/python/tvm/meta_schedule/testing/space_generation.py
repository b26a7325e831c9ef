"""Spaces of designs, and their comparison with what is expected."""


def generate_design_space(kind, mod, target, types, sch_rules=None, initial_state=None):
    """The schedules that the rules of a target make."""
    from ..tune_context import TuneContext

    return TuneContext(mod=mod, target=target, space_generator="post-order-apply", task_name="test").generate_design_space()


def print_sketches(sketches):
    """Prints modules and decisions."""
    for i, sch in enumerate(sketches):
        print(f"###### {i}")
        sch.mod.show()
        for inst in sch.trace.insts:
            if inst in sch.trace.decisions:
                print(sch.trace.decisions[inst])


def check_sketches(mod, sketches, expected_mods, expected_decisions):
    """Raises AssertionError unless every expected module is made by one of the sketches with its decisions."""
    from ...ir import structural_equal
    from ...tir.schedule import Schedule, Trace

    assert len(sketches) == len(expected_mods) == len(expected_decisions)
    left = list(sketches)
    for expected, decisions in zip(expected_mods, expected_decisions):
        for sch in left:
            chosen = dict(zip(sch.trace.decisions.keys(), [d for _, d in decisions]))
            made = Schedule(mod)
            Trace(sch.trace.insts, {k: v for k, v in chosen.items()}).apply_to_schedule(made, remove_postproc=False)
            if structural_equal(made.mod, expected):
                left.remove(sch)
                break
        else:
            raise AssertionError("no sketch makes the expected module")
