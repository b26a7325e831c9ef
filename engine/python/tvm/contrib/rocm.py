"""AMD's tools: not on this machine; what asks for them says so."""
import os


def find_lld(required=True):
    """The programs that link; raises where there is none."""
    import shutil

    found = [path for path in (shutil.which(name) for name in ("ld.lld-19", "ld.lld-18", "ld.lld-17", "ld.lld")) if path]
    if not found and required:
        raise RuntimeError("cannot find ld.lld, candidates are: ld.lld-19, ld.lld-18, ld.lld-17, ld.lld")
    return found


def rocm_link(in_file, out_file, lld=None):
    """Links a file of device code."""
    import subprocess

    linker = lld if lld is not None else find_lld()[0]
    done = subprocess.run([linker, "-shared", in_file, "-o", out_file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"Linking error using ld.lld:\n{done.stdout.decode()}")


def parse_compute_version(compute_version):
    """("gfx906") as (9, 0.6)."""
    major, _, minor = str(compute_version).partition(".")
    return int(major), int(minor or 0)


def have_matrixcore(compute_version=None):
    """Matrix units?"""
    if compute_version is None:
        return False
    return parse_compute_version(compute_version)[0] >= 8


def get_rocm_arch(rocm_path="/opt/rocm"):
    """The kind of the device; TVM's word for the oldest one where there is none."""
    return "gfx900"


def find_rocm_path():
    """Where ROCm is; raises where it is not."""
    path = os.environ.get("ROCM_PATH", "/opt/rocm")
    if os.path.isdir(path):
        return path
    raise RuntimeError("Cannot find ROCm path")
