"""Spaces of designs, and their comparison with what is expected."""


def get_rules(kind, types):
    """The rules of a kind of target that are of one of these classes."""
    from ..schedule_rule import ScheduleRule

    return [rule for rule in ScheduleRule.create(kind) if isinstance(rule, types)]


def generate_design_space(kind, mod, target, types, sch_rules=None):
    """The schedules that rules make: the given ones, else those of a kind of target that are of one of the classes `types`."""
    from ..space_generator import PostOrderApply
    from ..tune_context import TuneContext

    if sch_rules is None:
        sch_rules = get_rules(kind, types)
    elif types is not None:
        raise ValueError("types choose among the rules of a target; sch_rules are all that there are")
    space = PostOrderApply(sch_rules=sch_rules, postprocs=[], mutator_probs={})
    return TuneContext(mod=mod, target=target, space_generator=space, task_name="test").generate_design_space()


def print_sketches(sketches):
    """Prints modules and decisions."""
    for i, sch in enumerate(sketches):
        print(f"###### {i}")
        sch.mod.show()
        for inst in sch.trace.insts:
            if inst in sch.trace.decisions:
                print(f'("{inst.kind.name}", {sch.trace.decisions[inst]}),')


def _called_main(mod):
    """A function, or a module of one function main, whatever the function is called."""
    from ...ir import IRModule
    from ...tir import PrimFunc

    if isinstance(mod, PrimFunc):
        return IRModule({"main": mod.with_attr("global_symbol", "main")})
    return mod


def _made_by(mod, sch, decisions, debug_mask="all"):
    """The program of a sketch with other decisions; None: they do not fit."""
    from ...tir.schedule import Schedule, Trace

    trace = sch.trace
    drawn = [inst for inst in trace.insts if inst in trace.decisions]
    if [inst.kind.name for inst in drawn] != [name for name, _ in decisions]:
        return None
    made = Schedule(_called_main(mod), debug_mask=debug_mask)
    Trace(trace.insts, {inst: value for inst, (_, value) in zip(drawn, decisions)}).apply_to_schedule(made, remove_postproc=False)
    return made.mod


def check_sketches(mod, sketches, expected_mods, expected_decisions, *, debug_mask="all"):
    """Raises AssertionError unless every expected module is made by one of the sketches with its decisions; debug_mask: of the schedules."""
    from ...ir import structural_equal

    assert len(sketches) == len(expected_mods) == len(expected_decisions)
    left = list(sketches)
    for expected, decisions in zip(expected_mods, expected_decisions):
        wanted = _called_main(expected)
        for sch in left:
            made = _made_by(mod, sch, decisions, debug_mask)
            if made is not None and structural_equal(made, wanted):
                left.remove(sch)
                break
        else:
            raise AssertionError("no sketch makes the expected module\n" + str(wanted))
