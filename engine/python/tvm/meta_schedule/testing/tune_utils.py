"""Inputs of programs, and timers."""


def generate_input_data(input_shape, input_dtype, *, low=None, high=None):
    """An array of numbers at random."""
    import numpy as np

    if input_dtype.startswith("float"):
        return np.random.uniform(size=input_shape).astype(input_dtype)
    low, high = 0 if low is None else low, high
    if high is None:
        info = np.iinfo(input_dtype) if input_dtype in ("int8", "uint8") else None
        if info is None:
            raise ValueError(f"it is not known from which range numbers of {input_dtype} are drawn")
        low, high = info.min, info.max
    return np.random.randint(low, high, size=input_shape, dtype=input_dtype)


def create_timer(backend):
    """A function (module, device, arguments) that times a module."""
    if backend not in ("vm", "graph"):
        raise ValueError(f"programs are timed by vm or graph, not by {backend}")

    def time(rt_mod, dev, input_data):
        return rt_mod.time_evaluator(rt_mod.entry_name, dev, number=10)(*input_data.values())

    return time
