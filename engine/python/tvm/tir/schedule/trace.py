"""The steps of a schedule."""
import json

import _loopscope as _core

from ...runtime.object import Object
from .instruction import Instruction, InstructionKind


class Trace:
    """Steps that can be printed, applied to another schedule and written as JSON."""

    def __init__(self, insts=None, decisions=None):
        self._impl = _core.trace_from_json("[[], []]")
        if insts:
            raise NotImplementedError("a trace is made by a schedule or from JSON")

    @staticmethod
    def _wrap(impl):
        self = Trace.__new__(Trace)
        self._impl = impl
        return self

    def _instruction(self, i, lines):
        row, args, _, outputs, kind = self._impl.step(i)
        inputs = [x for x in args if isinstance(x, Object) and _core.kind(x) == "Var"]
        attrs = [x for x in args if not (isinstance(x, Object) and _core.kind(x) == "Var")]
        return Instruction(InstructionKind._of(kind, row), inputs, attrs, outputs, lines[i] if i < len(lines) else kind, i)

    @property
    def insts(self):
        """The steps."""
        lines = self.as_python()
        return [self._instruction(i, lines) for i in range(self._impl.n())]

    @property
    def decisions(self):
        """What was drawn, by step."""
        result = {}
        for i, inst in enumerate(self.insts):
            decision = self._impl.step(i)[2]
            if decision is not None:
                result[inst] = decision
        return result

    def get_decision(self, inst):
        """What was drawn in a step, or None."""
        return self._impl.step(inst._number)[2]

    def with_decision(self, inst, decision, remove_postproc):
        """The same steps with another draw."""
        changed = Trace._wrap(self._impl.with_decision(inst._number, decision))
        return changed._without_postproc() if remove_postproc else changed

    def _without_postproc(self):
        return Trace.from_json(json.loads(self._impl.to_json(True)))

    def as_json(self, remove_postproc=False):
        """The steps as lists and numbers."""
        return json.loads(self._impl.to_json(remove_postproc))

    @staticmethod
    def from_json(data):
        """What as_json gave."""
        return Trace._wrap(_core.trace_from_json(data if isinstance(data, str) else json.dumps(data)))

    @staticmethod
    def apply_json_to_schedule(json_obj, sch):
        """Makes steps that were written as JSON."""
        Trace.from_json(json_obj).apply_to_schedule(sch, remove_postproc=False)

    def as_python(self, remove_postproc=False):
        """The lines."""
        lines = str(self).splitlines()
        return [line.strip() for line in lines[2:]]

    def apply_to_schedule(self, sch, remove_postproc, decision_provider=None):
        """Makes the same steps on another schedule."""
        impl = self._impl
        if decision_provider is not None:
            for inst in self.insts:
                decision = self.get_decision(inst)
                if decision is not None:
                    impl = impl.with_decision(inst._number, decision_provider(inst, inst.inputs, inst.attrs, decision))
        impl.apply(sch, remove_postproc, True)

    def simplified(self, remove_postproc):
        """Without steps that only look or draw and whose results nobody uses."""
        return Trace._wrap(self._impl.simplified(remove_postproc))

    def show(self, style=None, black_format=None):
        """Prints the steps."""
        from ...script.highlight import cprint

        cprint(str(self), style=style)

    def __repr__(self):
        return self._impl.print().rstrip("\n")

    __str__ = __repr__
