"""Help for tests of operators."""
import numpy as np

import tvm


def compare_numpy_tvm(inputs, output, target, device, compute, schedule=None):
    """Runs te tensors that `compute` makes of placeholders like some arrays, and compares with what is expected."""
    te_inputs = [tvm.te.placeholder(shape=i.shape, dtype=str(i.dtype)) for i in inputs]
    with tvm.target.Target(target):
        made = compute(*te_inputs)
        func = tvm.compile(tvm.te.create_prim_func([*te_inputs, made]), target=target)
    arrays = [tvm.nd.array(i, device=device) for i in inputs]
    result = tvm.nd.array(np.zeros(output.shape, output.dtype), device=device)
    func(*arrays, result)
    tvm.testing.assert_allclose(result.numpy(), output, rtol=1e-4, atol=1e-4)


def dispatch(target, dispatch_map):
    """What a dictionary by keys of targets holds for a target: the first of its keys, else `generic`."""
    target = tvm.target.Target(target)
    return next((dispatch_map[key] for key in [*target.keys, target.kind.name] if key in dispatch_map), dispatch_map["generic"])
