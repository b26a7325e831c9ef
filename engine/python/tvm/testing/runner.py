"""Measures a program here."""


def _arrays(args_info, dev):
    import numpy as np

    from ..runtime.ndarray import array

    return [array(np.random.uniform(0, 10, size=[int(x) for x in info.shape]).astype(info.dtype), dev) if hasattr(info, "shape") else 1
            for info in args_info]


def local_run(artifact_path, device_type, args_info, evaluator_config=None, export_func=None, output_device=None):
    """The times of a program that is in a file, in seconds."""
    from .. import runtime
    from ..meta_schedule.arg_info import TensorInfo
    from ..meta_schedule.runner import EvaluatorConfig

    config = evaluator_config or EvaluatorConfig()
    dev = runtime.device(device_type, 0)
    module = runtime.load_module(artifact_path)
    infos = [TensorInfo.from_json(x) if isinstance(x, (list, tuple)) else x for x in args_info]
    timer = module.time_evaluator(module.entry_name, dev, number=config.number, repeat=config.repeat, min_repeat_ms=config.min_repeat_ms)
    return [float(x) for x in timer(*_arrays(infos, dev)).results]


def rpc_run(*args, **kwargs):
    """Not offered: there are no remote devices."""
    raise NotImplementedError("rpc_run is not offered: programs run on this machine")
