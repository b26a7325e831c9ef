"""The builder: frames that are open, and what they collect."""


class IRBuilderFrame:
    """Something that stands around what is built inside it."""

    def __init__(self):
        self.stmts = []

    def __enter__(self):
        IRBuilder.current().frames.append(self)
        return self.value()

    def __exit__(self, exc_type, exc_value, trace):
        builder = IRBuilder.current()
        builder.frames.pop()
        if exc_type is None:
            self.close(builder)

    def value(self):
        """What `as` gives."""
        return self

    def close(self, builder):
        """The frame is complete."""
        raise NotImplementedError


class IRBuilder:
    """`with IRBuilder () as ib:` everything that is made inside it is collected, `ib.get ()` gives the result."""

    _stack = []

    def __init__(self):
        self.frames, self.results = [], []

    def __enter__(self):
        IRBuilder._stack.append(self)
        return self

    def __exit__(self, exc_type, exc_value, trace):
        IRBuilder._stack.pop()

    @staticmethod
    def current():
        """The innermost builder."""
        if not IRBuilder._stack:
            raise ValueError("No IRBuilder in current scope")
        return IRBuilder._stack[-1]

    @staticmethod
    def is_in_scope():
        """Is there one?"""
        return bool(IRBuilder._stack)

    def add(self, value):
        """A statement or a result at the place that is open."""
        (self.frames[-1].stmts if self.frames else self.results).append(value)

    def find(self, kind):
        """The innermost frame of a class, or None."""
        return next((frame for frame in reversed(self.frames) if isinstance(frame, kind)), None)

    def get(self):
        """What was built."""
        from ...tir import Stmt, stmt_seq

        if not self.results:
            raise ValueError("nothing was built")
        if len(self.results) > 1 and all(isinstance(x, Stmt) for x in self.results):
            return stmt_seq(*self.results)
        return self.results[-1]

    @staticmethod
    def name(s, v):
        """Gives a variable or buffer a name; the same object comes back."""
        import _loopscope as _core

        var = getattr(v, "var", v) if _core.kind(v) == "IterVar" else v
        _core.rename(var, s)
        return v

    @staticmethod
    def name_many(s, vs):
        """The same for several."""
        return [IRBuilder.name(name, v) for name, v in zip(s, vs)]
