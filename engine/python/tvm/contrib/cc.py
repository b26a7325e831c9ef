"""The C compiler of this machine."""
import os
import subprocess


def get_cc():
    """Its path, or None."""
    import shutil

    return shutil.which(os.environ.get("CXX", "g++")) or shutil.which("gcc") or shutil.which("clang")


def _run(command):
    found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if found.returncode != 0:
        raise RuntimeError("Compilation error:\n" + found.stdout.decode(errors="replace") + "\nCommand line: " + " ".join(command))


def _list(value):
    return [value] if isinstance(value, str) else list(value or [])


def create_shared(output, objects, options=None, cc=None, cwd=None, ccache_env=None):
    """A shared library of objects or sources.  Files that Module.save wrote are joined."""
    from ..runtime.module import join_files

    if not any(str(path).startswith("-") for path in _list(objects)) and join_files(output, _list(objects)):
        return
    _run([cc or get_cc(), "-shared", "-fPIC", "-o", output] + _list(objects) + _list(options))


def create_executable(output, objects, options=None, cc=None, cwd=None, ccache_env=None):
    """A program of objects or sources."""
    _run([cc or get_cc(), "-o", output] + _list(objects) + _list(options))


def create_staticlib(output, inputs, ar=None):
    """An archive of objects."""
    _run([ar or "ar", "qcs", output] + _list(inputs))


create_shared.output_format = "so"


def cross_compiler(compile_func, options=None, output_format=None, get_target_triple=None, add_files=None):
    """create_shared with a compiler and options of its own."""
    def compiler(output, objects, more=None, **kwargs):
        create_shared(output, list(objects) + list(add_files or ()), list(options or ()) + list(more or ()),
                      cc=compile_func if isinstance(compile_func, str) else None)

    compiler.output_format = output_format or "so"
    return compiler
