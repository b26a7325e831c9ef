"""The steps of a schedule."""
import json
import re

import _loopscope as _core

from ...runtime.object import Object
from .instruction import Instruction, InstructionKind


def _plain(value):
    """Numbers of the engine as numbers of Python."""
    if isinstance(value, Object) and _core.kind(value) in ("IntImm", "FloatImm"):
        return bool(value.value) if str(value.dtype) == "bool" else value.value
    if isinstance(value, Object) and _core.kind(value) == "StringImm":
        return value.value
    if isinstance(value, Object) and _core.kind(value) == "Array":
        return list(value)
    raise TypeError(f"a trace has no {type(value).__name__} in JSON")


class _Expression(str):
    """An input that is no result itself: an index map as JSON, or an expression over results, by the names that these had."""

    def __new__(cls, text, known):
        self = super().__new__(cls, text)
        self._known = known
        return self

    def named(self, names):
        """The same with the names that the results have now."""
        if self.startswith("{"):
            return str(self)
        return re.sub(r"\b[A-Za-z_]\w*\b", lambda found: names.get(_core.address(self._known[found[0]]), found[0]) if found[0] in self._known else found[0], self)


def print_alone(inst):
    """A step as text without the steps before it: "_" for every result of others and of its own."""
    trace = Trace()
    for value in inst.inputs:
        if isinstance(value, Object) and _core.kind(value) == "Var":
            trace._names[_core.address(value)] = f"b{len(trace._names)}"
    names = set(trace._names.values())
    known = dict(trace._names)
    rows = [["GetBlock", [], ["?", "main"], [name]] for name in sorted(names)]
    trace.append(inst)
    trace._json[0] = rows + trace._json[0]
    line = trace.as_python()[-1]
    for name in list(trace._names.values()) + list(known.values()):
        line = re.sub(rf"\b{name}\b", "_", line)
    return line


class Trace:
    """Steps that can be printed, applied to another schedule and written as JSON."""

    def __init__(self, insts=None, decisions=None):
        self._impl_ = self._found = None
        self._made, self._json, self._names = [], [[], []], {}
        for inst in insts or ():
            self.append(inst, (decisions or {}).get(inst))

    @property
    def _impl(self):
        if self._impl_ is None:
            self._impl_ = _core.trace_from_json(json.dumps(self._json, default=_plain))
        return self._impl_

    def _unfold(self):
        """From steps that the engine holds to steps that can be added to and taken away."""
        if self._made is not None:
            return
        self._json = json.loads(self._impl.to_json(False))
        self._made, self._names = self.insts, {}
        for inst, entry in zip(self._made, self._json[0]):
            for output, name in zip(inst.outputs, entry[3]):
                self._names[_core.address(output)] = name

    def _input(self, value):
        if isinstance(value, (list, tuple)) or (isinstance(value, Object) and _core.kind(value) == "Array"):
            return [self._input(x) for x in value]
        if isinstance(value, Object) and _core.kind(value) == "Var":
            name = self._names.get(_core.address(value))
            if name is None:
                raise ValueError("a step is given the result of a step that is not in the trace")
            return name
        if value is None:
            return "None"
        if isinstance(value, _Expression):
            return value.named(self._names)
        return f'"{value}"' if isinstance(value, str) else value

    def append(self, inst, decision=None):
        """One more step at the end."""
        self._unfold()
        outputs = []
        for output in inst.outputs:
            name = {"BlockRV": "b", "LoopRV": "l"}.get(type(output).__name__, "v") + str(len(self._names))
            self._names[_core.address(output)] = name
            outputs.append(name)
        self._json[0].append([inst.kind.name, [self._input(x) for x in inst.inputs], list(inst.attrs), outputs])
        if decision is not None:
            self._json[1].append([len(self._made), decision])
        self._made.append(inst)
        self._impl_ = None

    def pop(self):
        """Takes the last step away and gives it; None when there is none."""
        self._unfold()
        if not self._made:
            return None
        inst = self._made.pop()
        self._json[0].pop()
        self._json[1] = [row for row in self._json[1] if row[0] < len(self._made)]
        for output in inst.outputs:
            self._names.pop(_core.address(output), None)
        self._impl_ = None
        return inst

    @staticmethod
    def _wrap(impl):
        self = Trace.__new__(Trace)
        self._impl_ = impl
        self._made = self._found = None
        return self

    def _from_engine(self):
        """The steps that the engine holds, with TVM's inputs and attributes."""
        lines, known, found = self.as_python(), {}, []

        def value(x):
            if isinstance(x, list):
                return [value(y) for y in x]
            if x == "None":
                return None
            if isinstance(x, str):
                return known[x] if x in known else x[1:-1] if x[:1] == '"' == x[-1:] else _Expression(x, known)
            return x

        for i, (name, inputs, attrs, names) in enumerate(json.loads(self._impl.to_json(False))[0]):
            row, _, _, outputs, kind = self._impl.step(i)
            inst = Instruction(InstructionKind._of(kind, row), [value(x) for x in inputs], attrs, outputs, lines[i] if i < len(lines) else kind, i)
            known.update(zip(names, outputs))
            found.append(inst)
        return found

    @property
    def insts(self):
        """The steps."""
        if self._made is not None:
            return list(self._made)
        if self._found is None:
            self._found = self._from_engine()
        return list(self._found)

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
        return self._impl.step(self._at(inst))[2]

    def _at(self, inst):
        return inst._number if self._made is None else next(i for i, made in enumerate(self._made) if made is inst)

    def with_decision(self, inst, decision, remove_postproc):
        """The same steps with another draw."""
        changed = Trace._wrap(self._impl.with_decision(self._at(inst), decision))
        return changed._without_postproc() if remove_postproc else changed

    def _without_postproc(self):
        return Trace.from_json(json.loads(self._impl.to_json(True)))

    def as_json(self, remove_postproc=False):
        """The steps as lists and numbers."""
        if self._made is not None and not remove_postproc:
            return [[list(entry) for entry in self._json[0]], [list(row) for row in self._json[1]]]
        return json.loads(self._impl.to_json(remove_postproc))

    @staticmethod
    def from_json(data):
        """What as_json gave."""
        return Trace._wrap(_core.trace_from_json(data if isinstance(data, str) else json.dumps(data, default=_plain)))

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
                    impl = impl.with_decision(self._at(inst), decision_provider(inst, inst.inputs, inst.attrs, decision))
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
