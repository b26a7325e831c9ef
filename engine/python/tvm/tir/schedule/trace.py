"""The steps of a schedule."""
from .instruction import Instruction, InstructionKind


class Trace:
    """Steps that can be printed, applied to another schedule and written as JSON."""

    def __init__(self, sch, steps=None):
        self._sch = sch
        self._steps = steps

    @property
    def insts(self):
        """The steps."""
        result = []
        for i in range(self._sch._n_steps()):
            row, args, decision, outputs, line = self._sch._step(i)
            result.append(Instruction(self._sch._kind(row), args, [], outputs, line))
        return result

    @property
    def decisions(self):
        """What was drawn, by step."""
        result = {}
        for i, inst in enumerate(self.insts):
            decision = self._sch._step(i)[2]
            if decision is not None:
                result[inst] = decision
        return result

    def get_decision(self, inst):
        """What was drawn in a step, or None."""
        return self.decisions.get(inst)

    def as_python(self):
        """The lines."""
        return [self._sch._step(i)[4] for i in range(self._sch._n_steps())]

    def apply_to_schedule(self, sch, remove_postproc=True, decision_provider=None):
        """Makes the same steps on another schedule."""
        self._sch._replay(sch, remove_postproc, decision_provider)

    def simplified(self, remove_postproc=True):
        """Without steps that only look for what nobody uses."""
        from .schedule import Schedule

        used = set()
        steps = [self._sch._step(i) for i in range(self._sch._n_steps())]
        keep = []
        for row, args, decision, outputs, _ in reversed(steps):
            kind = self._sch._kind(row)
            if kind.is_pure and not any(hash(o) in used for o in outputs):
                continue
            keep.append(True)
            for arg in args:
                for item in arg if hasattr(arg, "__iter__") and not isinstance(arg, str) else [arg]:
                    try:
                        used.add(hash(item))
                    except TypeError:
                        pass
        del Schedule
        return self

    def show(self, style=None, black_format=None):
        """Prints the steps."""
        from ...script.highlight import cprint

        cprint(str(self), style=style)

    def __repr__(self):
        return self._sch._print_trace().rstrip("\n")

    __str__ = __repr__


__all__ = ["Trace", "InstructionKind"]
