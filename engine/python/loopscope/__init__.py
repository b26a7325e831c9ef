"""What Loopscope offers to Python beside the module tvm.

run_isolated(function, *args)   calls a function, or what tvm.build made, in a process of its own in a jail
jail()                          what of that jail holds on this machine
strict(on)                      are steps of schedules refused that change what a program computes, where TVM accepts them?
fast_threads(on)                do kernels run as compiled loops, unchecked, in the place of simulated threads?
count_threads(function, *args)  sectors, banks, barriers and instructions of each kernel, on the simulated ones

tvm.build makes code that runs in this process, as TVM does: an access outside a buffer can overwrite anything, a wrong loop never ends.
run_isolated is for code that is not trusted that far, and for code that may crash.
"""
from ._isolated import Crash, IsolatedError, NoJail, OutOfMemory, Raised, TimedOut, run_isolated
from ._jail import jail
from ._strict import strict
from ._threads import count_threads, fast_threads

__all__ = ["run_isolated", "jail", "strict", "fast_threads", "count_threads", "IsolatedError", "Crash", "TimedOut", "OutOfMemory", "Raised", "NoJail"]
