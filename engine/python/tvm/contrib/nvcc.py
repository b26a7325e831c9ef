"""CUDA's compiler.  There are no such devices here; questions about versions of devices are answered all the same."""
import os
import shutil


def compile_cuda(code, target_format=None, arch=None, options=None, path_target=None):
    """Raises where the compiler is missing."""
    import subprocess
    import tempfile

    compiler = shutil.which("nvcc")
    if compiler is None:
        raise RuntimeError("Cannot find cuda path")
    kind = target_format or "ptx"
    with tempfile.TemporaryDirectory() as folder:
        source, result = os.path.join(folder, "kernel.cu"), path_target or os.path.join(folder, "kernel." + kind)
        with open(source, "w", encoding="utf-8") as file:
            file.write(code)
        extra = [options] if isinstance(options, str) else list(options or [])
        done = subprocess.run([compiler, "--" + kind, "-O3", *(["-arch", arch] if isinstance(arch, str) else arch or []), *extra, "-o", result, source],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise RuntimeError(code + "\nCompilation error:\n" + done.stdout.decode())
        with open(result, "rb") as file:
            return bytearray(file.read())


def find_cuda_path():
    """Where CUDA is."""
    if "CUDA_PATH" in os.environ:
        return os.environ["CUDA_PATH"]
    compiler = shutil.which("nvcc")
    if compiler:
        return os.path.realpath(os.path.join(compiler, "../.."))
    if os.path.exists("/usr/local/cuda/bin/nvcc"):
        return "/usr/local/cuda"
    raise RuntimeError("Cannot find cuda path")


def get_cuda_version(cuda_path=None):
    """Its version."""
    import json

    path = os.path.join(cuda_path or find_cuda_path(), "version.json")
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            return tuple(int(x) for x in json.load(file)["cuda"]["version"].split("."))
    raise RuntimeError("Cannot read cuda version file")


def get_target_compute_version(target=None):
    """The version of a target's device: "8.0" of sm_80."""
    from ..target import Target

    target = target or Target.current()
    arch = str(getattr(target, "arch", None) or "") if target is not None else ""
    if arch.startswith("sm_"):
        digits = arch[3:].rstrip("a")
        return f"{digits[:-1]}.{digits[-1]}"
    raise ValueError("No CUDA architecture was specified or GPU detected."
                     "Try specifying it by adding '-arch=sm_xx' to your target.")


def parse_compute_version(compute_version):
    """"8.6" as (8, 6)."""
    try:
        major, minor = compute_version.split(".")
        return int(major), int(minor)
    except (IndexError, ValueError) as error:
        raise RuntimeError("Compute version parsing error") from error


def _at_least(compute_version, major, minor=0):
    return parse_compute_version(compute_version) >= (major, minor)


def have_fp16(compute_version):
    """Half precision?"""
    major, minor = parse_compute_version(compute_version)
    return (major == 5 and minor == 3) or major >= 6


def have_int8(compute_version):
    """Products of bytes?"""
    return _at_least(compute_version, 6, 1)


def have_tensorcore(compute_version=None, target=None):
    """Matrix units?"""
    if compute_version is None:
        try:
            compute_version = get_target_compute_version(target)
        except ValueError:
            return False
    return _at_least(compute_version, 7)


def have_bf16(compute_version):
    """bfloat16?"""
    return _at_least(compute_version, 8)


def have_fp8(compute_version):
    """Floats of 8 bits?"""
    return _at_least(compute_version, 8, 9)


def have_cudagraph():
    """Graphs of kernels?"""
    try:
        return get_cuda_version()[0] >= 10
    except RuntimeError:
        return False
