"""Builders and runners that tests of searches use."""


def run_module_via_rpc(rpc_config, lib, dev_type, args, continuation, backend="graph"):
    """What `continuation` (module, device, arguments as arrays) gives in a session of a tracker."""
    import os
    import tempfile

    from ...contrib.tar import tar
    from ...runtime.ndarray import array
    from ..runner.rpc_runner import default_create_session

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tvm_tmp_mod." + tar.output_format)
        lib.export_library(path, fcompile=tar)
        session = default_create_session(rpc_config)
        session.upload(path)
        module = session.load_module(os.path.basename(path))
        device = session.device(dev_type, 0)
        return continuation(module, device, {key: array(value, device) for key, value in args.items()})
