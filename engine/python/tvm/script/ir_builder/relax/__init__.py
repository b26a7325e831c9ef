"""R of the builder: Relax functions, made by calls while the program runs."""
from .frame import DataflowFrame, ElseFrame, FunctionFrame, IfFrame, ThenFrame
from .ir import *  # noqa: F401,F403
from . import ir


def __getattr__(name):
    return getattr(ir, name)
