"""Steps of a trace."""
import _loopscope as _core


class InstructionKind:
    """A primitive."""

    _kinds = {}

    def __init__(self, name, row):
        self.name = name
        self._row = row

    @staticmethod
    def _of(name, row):
        kind = InstructionKind._kinds.get(name)
        if kind is None:
            kind = InstructionKind._kinds[name] = InstructionKind(name, row)
        return kind

    @property
    def is_pure(self):
        """Does it only look?"""
        return bool(_core.instructions()[self._row][3] & 3)

    @staticmethod
    def get(name):
        """The primitive of a name ("Split")."""
        if name not in InstructionKind._kinds:
            for i, row in enumerate(_core.instructions()):
                spelled = "".join(word.capitalize() for word in row[0].split("_"))
                if spelled == name:
                    return InstructionKind._of(name, i)
            raise ValueError(f"there is no instruction {name}")
        return InstructionKind._kinds[name]

    def same_as(self, other):
        """The same primitive?"""
        return self == other

    def __eq__(self, other):
        return isinstance(other, InstructionKind) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __repr__(self):
        return self.name


class Instruction:
    """One step: a primitive, what it is given and what it gives."""

    def __init__(self, kind, inputs, attrs, outputs, text="", number=-1):
        self.kind, self.inputs, self.attrs, self.outputs = kind, inputs, attrs, outputs
        self._text = text
        self._number = number

    def same_as(self, other):
        """The same step?"""
        return self == other

    def __eq__(self, other):
        if self._number < 0:
            return self is other
        return isinstance(other, Instruction) and (self._number, self._text) == (other._number, other._text)

    def __hash__(self):
        return id(self) if self._number < 0 else hash((self._number, self._text))

    def __repr__(self):
        if self._number >= 0 or self._text:
            return self._text
        from .trace import print_alone

        return print_alone(self)
