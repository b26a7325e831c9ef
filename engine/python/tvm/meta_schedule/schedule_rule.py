"""The rules of PostOrderApply, by name; the engine has those of a CPU (engine/schedule/space.h)."""


class ScheduleRule:
    """A rule."""

    @staticmethod
    def create(kind):
        """The rules of a kind of target."""
        if kind not in ("llvm", "c"):
            raise ValueError(f"Unsupported kind '{kind}' for schedule rules: those of a CPU are offered")
        return [rule() for rule in (InlineConstantScalars, AutoInline, AddRFactor, MultiLevelTiling, ParallelizeVectorizeUnroll, RandomComputeLocation)]

    def clone(self):
        """The same again."""
        return self


class InlineConstantScalars(ScheduleRule):
    """Inlines constants."""


class AutoInline(ScheduleRule):
    """Inlines element-wise blocks into their consumers."""


class AddRFactor(ScheduleRule):
    """Sums long reductions in parts."""


class MultiLevelTiling(ScheduleRule):
    """Tiles blocks that use values again."""


class ParallelizeVectorizeUnroll(ScheduleRule):
    """Marks what is to run in parallel, as vectors and unrolled."""


class RandomComputeLocation(ScheduleRule):
    """Moves blocks to where they are used."""


create = ScheduleRule.create


class PyScheduleRule(ScheduleRule):
    """A base for rules written in Python."""
