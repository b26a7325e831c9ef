"""What a test may need, as marks of pytest: devices, libraries, compilers.  Of the devices this engine drives the CPU only."""
import os


class Feature:
    """Something that a test needs; used as a decorator it skips the test where that is absent."""

    _all = {}

    def __init__(self, name, long_name=None, present=False, target_kind=None, parents=None):
        self.name = name
        self.long_name = long_name or name
        self.target_kind = target_kind
        self._present = present
        self.parents = [parents] if isinstance(parents, str) else list(parents or [])
        Feature._all[name] = self

    def present(self):
        """Is it there?"""
        here = self._present() if callable(self._present) else self._present
        return bool(here) and all(Feature._all[x].present() for x in self.parents)

    def marks(self, support_required="compile-and-run"):
        """The marks of a test that needs this, to compile for it or to run there; "optional": one that uses it where it is."""
        import pytest

        if support_required == "optional":
            return []
        return [pytest.mark.skipif(not self.present(), reason=f"Need {self.long_name}")]

    def __call__(self, func=None, *, support_required="compile-and-run"):
        def decorate(test):
            for mark in self.marks(support_required):
                test = mark(test)
            return test

        return decorate if func is None else decorate(func)

    @classmethod
    def require(cls, name, support_required="compile-and-run"):
        """The decorator by name."""
        return cls._all[name](support_required=support_required)


def _arch(*names):
    import platform

    return platform.machine().lower() in names


requires_llvm = Feature("llvm", "LLVM", True, "llvm")
requires_cpu = Feature("cpu", "CPU", True)
requires_gpu = Feature("gpu")
requires_multi_gpu = Feature("multi_gpu", "several GPUs", parents="gpu")
requires_x86 = Feature("x86", "x86 Architecture", lambda: _arch("x86_64", "amd64"))
requires_aarch64 = Feature("AArch64", "AArch64", lambda: _arch("aarch64", "arm64"))
requires_cuda = Feature("cuda", "CUDA", target_kind="cuda", parents="gpu")
requires_cudnn = Feature("cudnn", "cuDNN", parents="cuda")
requires_cudagraph = Feature("cudagraph", "CUDA Graph", parents="cuda")
requires_cublas = Feature("cublas", "cuBLAS", parents="cuda")
requires_cutlass = Feature("cutlass", "CUTLASS", parents="cuda")
requires_nvcc_version_base = Feature("nvcc", "NVCC", parents="cuda")
requires_tensorcore = Feature("tensorcore", "NVIDIA Tensor Core", parents="cuda")
requires_nvptx = Feature("nvptx", "NVPTX", target_kind="nvptx", parents="cuda")
requires_hipblas = Feature("hipblas", "hipBLAS")
requires_rocm = Feature("rocm", "ROCm", target_kind="rocm", parents="gpu")
requires_matrixcore = Feature("matrixcore", "AMD Matrix Core", parents="rocm")
requires_metal = Feature("metal", "Metal", target_kind="metal", parents="gpu")
requires_opencl = Feature("opencl", "OpenCL", target_kind="opencl", parents="gpu")
requires_vulkan = Feature("vulkan", "Vulkan", target_kind="vulkan", parents="gpu")
requires_webgpu = Feature("webgpu", "WebGPU", target_kind="webgpu", parents="gpu")
requires_adreno_opencl = Feature("adreno_opencl", "Adreno OpenCL", parents="opencl")
requires_adreno_vulkan = Feature("adreno_vulkan", "Adreno Vulkan", parents="vulkan")
requires_openclml = Feature("openclml", "OpenCLML", parents="opencl")
requires_nnapi = Feature("nnapi", "NNAPI")
requires_hexagon = Feature("hexagon", "Hexagon", target_kind="hexagon")
requires_hexagon_toolchain = Feature("hexagon_toolchain", "Hexagon toolchain")
requires_rpc = Feature("rpc", "RPC")
requires_micro = Feature("micro", "microTVM")
requires_ethosn = Feature("ethosn", "EthosN")
requires_ethosu = Feature("ethosu", "EthosU")
requires_libtorch = Feature("libtorch", "LibTorch")
requires_cmsisnn = Feature("cmsisnn", "CMSIS NN")
requires_vitis_ai = Feature("vitis_ai", "Vitis AI")
requires_mps = Feature("mps", "MPS")
requires_coreml = Feature("coreml", "Core ML")
requires_nccl = Feature("nccl", "NCCL")
requires_nvshmem = Feature("nvshmem", "NVSHMEM")
requires_opt_model = Feature("opt_model", "a model of OPT")
requires_corstone300 = Feature("corstone300", "Corstone-300")
requires_i386 = Feature("i386", "i386 Architecture", lambda: _arch("i386", "i686"))
requires_arm_dot = Feature("arm_dot", "ARM dot product")
requires_arm_fp16 = Feature("arm_fp16", "ARM half precision")
requires_aarch64_sve = Feature("arm_sve", "AArch64 SVE")
requires_aarch64_sme = Feature("arm_sme", "AArch64 SME")
requires_aprofile_aem_fvp = Feature("aprofile-aem-fvp", "AArch64 FVP")
requires_arm_compute_lib = Feature("arm_compute_lib", "Arm Compute Library")


def _flags():
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("flags"):
                    return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()


requires_x86_vnni = Feature("x86_vnni", "x86 VNNI", lambda: bool({"avx512_vnni", "avx_vnni"} & _flags()))
requires_x86_avx512 = Feature("x86_avx512", "x86 AVX512", lambda: {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"} <= _flags())
requires_x86_amx = Feature("x86_amx", "x86 AMX", lambda: "amx_int8" in _flags())
requires_cascadelake = requires_x86_vnni
requires_skylake_avx512 = requires_x86_avx512


def requires_nvcc_version(major_version, minor_version=0, release_version=0):
    """A decorator: the test needs CUDA's compiler of a version at least."""
    return requires_nvcc_version_base


def requires_cuda_compute_version(major_version, minor_version=0):
    """A decorator: the test needs a CUDA device of a kind at least."""
    return requires_cuda


def requires_llvm_minimum_version(major_version):
    """A decorator: the test needs an LLVM of a version at least."""
    from ..target.codegen import llvm_version_major

    return Feature(f"llvm{major_version}", f"LLVM {major_version}", lambda: llvm_version_major() >= major_version)


def requires_package(*packages):
    """A decorator: the test needs packages of Python."""
    import importlib.util

    import pytest

    def has(name):
        try:
            return importlib.util.find_spec(name) is not None
        except (ImportError, ValueError):
            return False

    marks = [pytest.mark.skipif(not has(x), reason=f"Cannot import '{x}'") for x in packages]

    def wrap(func):
        for mark in marks:
            func = mark(func)
        return func

    return wrap


def uses_gpu(*args):
    """A mark: the test uses a GPU where there is one."""
    import pytest

    return pytest.mark.gpu(args[0]) if args else [pytest.mark.gpu]


def slow(func):
    """A mark: the test takes long and runs only where SKIP_SLOW_TESTS is not set."""
    import pytest

    return pytest.mark.skipif(os.getenv("SKIP_SLOW_TESTS", "").lower() in ("1", "true", "yes"), reason="skipping slow test")(func)


def skip_if_32bit(reason="Test skipped on 32-bit platforms", **unused):
    """A mark: the test needs pointers of 64 bits."""
    import sys

    import pytest

    def wrap(func):
        return pytest.mark.skipif(sys.maxsize < 2 ** 32, reason="Test skipped on 32-bit platforms" if callable(reason) else reason)(func)

    return wrap(reason) if callable(reason) else wrap


def skip_if_wheel_test(func):
    """A mark: not for wheels."""
    return func


def skip_if_no_reference_system(func):
    """A mark: needs a reference system."""
    import pytest

    return pytest.mark.skip(reason="No reference system")(func)
