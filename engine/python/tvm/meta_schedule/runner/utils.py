"""Arguments of programs, and calls of them."""
import itertools

T_ARG_INFO_JSON_OBJ = list
T_ARG_INFO_JSON_OBJ_LIST = list
T_ARGUMENT = object
T_ARGUMENT_LIST = list


def _tensor(device, dtype, shape):
    """Numbers at random; in types that cannot be drawn, zeros."""
    import numpy as np

    from ...runtime.ndarray import array, empty

    draw = np.random.RandomState(1)
    dtype, shape = str(dtype), [int(n) for n in shape]
    if dtype.startswith("float"):
        return array(draw.uniform(0.1, 1.0, shape).astype(dtype), device) if dtype in ("float16", "float32", "float64") else empty(shape, dtype, device)
    if dtype.startswith(("int", "uint")) and dtype.lstrip("uint") in ("8", "16", "32", "64"):
        return array(draw.randint(0, 10, shape).astype(dtype), device)
    return empty(shape, dtype, device)


def alloc_argument_common(device, args_info, alloc_repeat):
    """As many lists of arguments as alloc_repeat says; args_info: as ArgInfo.as_json gives it."""
    for arg in args_info:
        if arg[0] != "TENSOR":
            raise NotImplementedError(arg)
    return [[_tensor(device, *arg[1:]) for arg in args_info] for _ in range(alloc_repeat)]


def run_evaluator_common(rt_mod, device, evaluator_config, repeated_args):
    """Seconds of each repetition on each list of arguments."""
    evaluator = rt_mod.time_evaluator(func_name=rt_mod.entry_name, dev=device, number=evaluator_config.number, repeat=evaluator_config.repeat,
                                      min_repeat_ms=evaluator_config.min_repeat_ms,
                                      f_preproc="cache_flush_cpu_non_first_arg" if evaluator_config.enable_cpu_cache_flush else "")
    return [float(cost) for cost in itertools.chain.from_iterable(evaluator(*args).results for args in repeated_args)]
