"""The process that loads and measures: see workers.py."""
import array
import fcntl
import json
import os
import random
import sys


_CODES = {"float32": "f", "float64": "d", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q"}


def _filled(tvm, dtype, shape):
    """A tensor of small numbers; of zeros in types that Python has no arrays of."""
    code = _CODES.get(dtype)
    if code is None:
        return tvm.nd.empty(tuple(shape), dtype)
    draw = random.Random(1)
    n = 1
    for size in shape:
        n *= size
    some = [draw.random() + 0.1 if code in "fd" else draw.randrange(0, 8) for _ in range(min(n, 4096))]
    values = array.array(code, some) * (n // max(len(some), 1) + 1) if n else array.array(code)
    view = memoryview(values[:n]).cast("B")
    return tvm.nd.array(view.cast(code, tuple(shape)) if shape and n else values[:n])


def _measure(request, lock):
    import tvm

    built = tvm.runtime.load_module(request["path"])
    args = []
    for _, dtype, shape in request["args"]:
        args.append(_filled(tvm, dtype, shape))
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        timer = built.time_evaluator(built.entry_name, tvm.cpu(), number=request["number"], repeat=request["repeat"],
                                     min_repeat_ms=request["min_repeat_ms"])
        return list(timer(*args).results)
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)


def main():
    """One line in, one line out."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with open(sys.argv[1], "rb") as lock:
        for line in sys.stdin:
            try:
                answer = {"seconds": _measure(json.loads(line), lock)}
            except Exception as error:  # noqa: BLE001
                answer = {"error": f"{type(error).__name__}: {error}"}
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
