"""Steps of a trace."""


class InstructionKind:
    """A primitive."""

    _kinds = {}

    def __init__(self, name, row, pure):
        self.name = name
        self._row = row
        self._pure = pure

    @property
    def is_pure(self):
        """Does it only look?"""
        return self._pure

    @staticmethod
    def get(name):
        """The primitive of a name ("Split")."""
        return InstructionKind._kinds[name]

    def __repr__(self):
        return self.name


class Instruction:
    """One step: a primitive, what it is given and what it gives."""

    def __init__(self, kind, inputs, attrs, outputs, text=""):
        self.kind, self.inputs, self.attrs, self.outputs = kind, inputs, attrs, outputs
        self._text = text

    def __repr__(self):
        return self._text
