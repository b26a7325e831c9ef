"""The other process of run_isolated: python -m loopscope._child FD.  The call comes on standard input, the answer goes to FD."""
import os
import sys
import traceback

from . import _ship, _wire


def _arrays(values):
    """The arrays among the arguments, by their places: they may have been written."""
    return {place: value for place, value in enumerate(values) if _wire._array(value) is not None}


def _limit(memory):
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory and "LD_PRELOAD" not in os.environ:
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _loaded(path, entry):
    import tvm

    built = tvm.runtime.load_module(path)
    return built[entry] if entry else built


def _answer(data):
    try:
        function, args, kwargs = _ship.unpack(data)
        if isinstance(function, tuple) and function[:1] == ("built",):
            function = _loaded(*function[1:])
        result = function(*args, **kwargs)
        return {"result": result, "arrays": _arrays(args)}
    except MemoryError:
        return {"memory": True}
    except BaseException as problem:  # the other side says it
        kinds = [kind.__name__ for kind in type(problem).__mro__]
        if isinstance(problem, KeyboardInterrupt):
            raise
        return {"name": type(problem).__name__, "kinds": kinds, "message": str(problem)[:20000], "traceback": traceback.format_exc()[-20000:]}


def main():
    """One call."""
    out, memory = int(sys.argv[1]), int(sys.argv[2])
    data = sys.stdin.buffer.read()
    sys.stdin.close()
    os.set_inheritable(out, False)
    _limit(memory)
    answer = _answer(data)
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        packed = _wire.pack(answer)
    except TypeError as problem:
        packed = _wire.pack({"name": "TypeError", "kinds": ["TypeError"], "message": str(problem), "traceback": ""})
    except MemoryError:
        packed = _wire.pack({"memory": True})
    with os.fdopen(out, "wb") as file:
        file.write(packed)


if __name__ == "__main__":
    main()
