"""Programs are built in processes of their own, several at once.

What is built is a file: the program with its target (tvm.runtime.Module.export_library), which load_module makes runnable.
"""
import os
import tempfile

from .utils import Named, cpu_count, get_global_func_with_default_on_worker, missing


class BuilderInput(Named):
    """What is built: a module for a target."""

    def __init__(self, mod, target, params=None):
        self.mod, self.target, self.params = mod, target, params


class BuilderResult(Named):
    """Where it is, or why there is nothing."""

    def __init__(self, artifact_path=None, error_msg=None):
        self.artifact_path, self.error_msg = artifact_path, error_msg


class Builder(Named):
    """By name: "local"."""

    max_workers = None

    def build(self, build_inputs):
        """A BuilderResult for each BuilderInput."""
        raise NotImplementedError

    @staticmethod
    def create(kind="local", *args, **kwargs):
        """A builder."""
        if isinstance(kind, Builder):
            return kind
        if kind != "local":
            raise ValueError(f"there is no builder {kind}; there is local")
        return LocalBuilder(*args, **kwargs)


class PyBuilder(Builder):
    """A base for builders written in Python."""

    build = missing("build")


def default_build(mod, target, params=None):
    """The module, compiled."""
    from ..driver.build_module import build

    return build(mod, target=target)


def default_export(mod):
    """Where the compiled module was written."""
    from ..contrib.tar import tar

    path = os.path.join(tempfile.mkdtemp(), "tvm_tmp_mod." + tar.output_format)
    mod.save_program(path)
    return path


def _work(f_build, f_export, mod, target, params):
    build = get_global_func_with_default_on_worker(f_build, default_build)
    export = get_global_func_with_default_on_worker(f_export, default_export)
    return export(build(mod, target, params))


class LocalBuilder(Builder):
    """On this machine.

    f_build (mod, target, params) -> module, f_export (module) -> path: functions or names of registered ones.  initializer: called in each process first.
    """

    def __init__(self, *, max_workers=None, timeout_sec=30.0, f_build=None, f_export=None, initializer=None):
        self.max_workers = max_workers or cpu_count()
        self.timeout_sec, self.f_build, self.f_export, self.initializer = timeout_sec, f_build, f_export, initializer
        self._check()

    def _check(self):
        from ..contrib.popen_pool import PopenWorker

        def look(names):
            for name in names:
                get_global_func_with_default_on_worker(name, None)

        worker = PopenWorker(self.initializer)
        names = [name for name in (self.f_build, self.f_export) if isinstance(name, str)]
        if names:
            worker.send(look, (names,))
            worker.recv()

    def build(self, build_inputs):
        from ..contrib.popen_pool import PopenPoolExecutor, StatusKind

        pool = PopenPoolExecutor(self.max_workers, self.timeout_sec, self.initializer)
        results = []
        for one in pool.map_with_error_catching(lambda i: _work(self.f_build, self.f_export, i.mod, i.target, i.params), build_inputs):
            if one.status == StatusKind.COMPLETE:
                results.append(BuilderResult(one.value, None))
            elif one.status == StatusKind.TIMEOUT:
                results.append(BuilderResult(None, f"LocalBuilder: Timeout, killed after {self.timeout_sec} seconds"))
            else:
                results.append(BuilderResult(None, "LocalBuilder: An exception occurred\n" + str(one.value)))
        return results


def _register():
    from ..runtime._registry import register_func

    register_func("meta_schedule.builder.default_build", default_build, override=True)
    register_func("meta_schedule.builder.default_export", default_export, override=True)


_register()
create = Builder.create
