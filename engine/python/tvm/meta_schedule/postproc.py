"""What is done to each program before it is measured."""
import _loopscope as _core


class Postproc:
    """A postproc."""

    @staticmethod
    def create(kind):
        """Those of a kind of target."""
        if kind not in ("llvm", "c"):
            raise ValueError(f"Unsupported kind '{kind}' for postprocs: those of a CPU are offered")
        return [one() for one in (DisallowDynamicLoop, RewriteParallelVectorizeUnroll, RewriteReductionBlock)]

    def clone(self):
        """The same again."""
        return self


class DisallowDynamicLoop(Postproc):
    """Refuses loops of unknown extent."""


class RewriteParallelVectorizeUnroll(Postproc):
    """Does what was marked."""


class RewriteReductionBlock(Postproc):
    """Decomposes reductions."""


def finish(sch):
    """All of them on a schedule; False: the program is not measured."""
    return _core.space_postprocess(sch)


create = Postproc.create


class PyPostproc(Postproc):
    """A base for finishing steps written in Python."""
