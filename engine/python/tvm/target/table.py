"""What is known of targets: options of kinds, tags, features of processors."""
import functools

import _loopscope as _core

_TEXT, _NUMBER, _YES_NO, _LIST = "runtime.String", "IntImm", "runtime.BoxBool", "Array"
OPTIONS = {
    "*": {"kind": _TEXT, "tag": _TEXT, "keys": _LIST, "device": _TEXT, "model": _TEXT, "libs": _LIST, "host": "Target", "from_device": _NUMBER,
          "target_device_type": _NUMBER},
    "llvm": {"mattr": _LIST, "mcpu": _TEXT, "mtriple": _TEXT, "mfloat-abi": _TEXT, "mabi": _TEXT, "num-cores": _NUMBER, "fast-math": _YES_NO,
             "fast-math-nnan": _YES_NO, "fast-math-ninf": _YES_NO, "fast-math-nsz": _YES_NO, "fast-math-arcp": _YES_NO, "fast-math-contract": _YES_NO,
             "fast-math-reassoc": _YES_NO, "opt-level": _NUMBER, "cl-opt": _LIST, "jit": _TEXT, "vector-width": _NUMBER},
    "c": {"mcpu": _TEXT, "march": _TEXT, "workspace-byte-alignment": _NUMBER, "constants-byte-alignment": _NUMBER},
    "gpu": {"max_num_threads": _NUMBER, "max_threads_per_block": _NUMBER, "thread_warp_size": _NUMBER, "max_shared_memory_per_block": _NUMBER},
    "cuda": {"mcpu": _TEXT, "arch": _TEXT, "max_shared_memory_per_block": _NUMBER, "max_threads_per_block": _NUMBER, "thread_warp_size": _NUMBER,
             "registers_per_block": _NUMBER, "l2_cache_size_bytes": _NUMBER, "max_num_threads": _NUMBER},
    "composite": {"devices": _LIST},
}
_STRICT = ("llvm", "cuda")

@functools.cache
def _of_kind(kind):
    return {name: value if isinstance(value, str) else getattr(value, "value", value) for name, value in _core.target_defaults(kind).items()}


def defaults_of(kind):
    """What a kind of devices says of itself; of a processor nothing."""
    return {name: value for name, value in _of_kind(kind).items() if name != "mtriple"}


def with_defaults(kind, attrs):
    """The attributes, and those of the kind that are not among them."""
    return {**_of_kind(kind), **attrs}


def host_triple():
    """The triple of this machine as LLVM names it."""
    return _of_kind("llvm")["mtriple"]


def unknown_option(kind, attrs):
    """An option that a kind does not know, or None."""
    if kind not in _STRICT:
        return None
    known = {**OPTIONS["*"], **OPTIONS[kind]}
    return next((name for name in attrs if name not in known and not name.startswith("feature.")), None)


def is_list(kind, name):
    """Does the option hold several values?"""
    return {**OPTIONS["*"], **OPTIONS.get(kind, {})}.get(name) == _LIST


_CACHES = {"nvidia-a100": 41943040, "nvidia-h100": 52428800, "geforce-rtx-4090": 75497472}
_ARCHES = {
    "sm_53": "jetson-nano jetson-tx1", "sm_62": "jetson-tx2", "sm_72": "jetson-agx-xavier", "sm_87": "jetson-agx-orin-32gb jetson-agx-orin-64gb",
    "sm_60": "tesla-p100", "sm_61": "tesla-p4 tesla-p40 geforce-gtx-1080-ti geforce-gtx-1080 geforce-gtx-1070 geforce-gtx-1060 geforce-gtx-1050-ti",
    "sm_70": "tesla-v100 nvidia-v100", "sm_75": "tesla-t4 nvidia-t4 geforce-rtx-2080-ti geforce-rtx-2080 geforce-rtx-2070 geforce-rtx-2060 geforce-gtx-1660-ti",
    "sm_80": "nvidia-a100 nvidia-a30", "sm_86": "nvidia-a10 nvidia-a40 nvidia-a10g rtx-a6000 geforce-rtx-3090 geforce-rtx-3090-ti geforce-rtx-3080 "
    "geforce-rtx-3080-ti geforce-rtx-3070 geforce-rtx-3060", "sm_89": "geforce-rtx-4090 geforce-rtx-4080 nvidia-l4 nvidia-l40", "sm_90a": "nvidia-h100",
    "sm_52": "tesla-m40 geforce-gtx-980 geforce-gtx-titan-x", "sm_37": "tesla-k80",
}
_SMALL_REGISTERS = ("jetson-nano", "jetson-tx1", "jetson-tx2")


def _tags():
    tags = {}
    for arch, names in _ARCHES.items():
        for name in names.split():
            attrs = {"arch": arch, "max_shared_memory_per_block": 49152, "max_threads_per_block": 1024, "thread_warp_size": 32,
                     "registers_per_block": 32768 if name in _SMALL_REGISTERS else 65536}
            if name in _CACHES:
                attrs["l2_cache_size_bytes"] = _CACHES[name]
            tags["nvidia/" + name] = ("cuda", attrs)
    for model, cpu, version in (("3b", "cortex-a53", "armv7l"), ("4b", "cortex-a72", "armv8l")):
        for arch, triple in (("aarch64", "aarch64-linux-gnu"), ("arm32", f"{version}-linux-gnueabihf")):
            tags[f"raspberry-pi/{model}-{arch}"] = ("llvm", {"mtriple": triple, "mcpu": cpu, "mattr": ["+neon"], "num-cores": 4})
    for name in ("apple/m1-gpu", "apple/m1-gpu-restricted", "apple/m2-gpu"):
        tags[name] = ("metal", {"max_threads_per_block": 1024, "max_shared_memory_per_block": 32768, "thread_warp_size": 32})
    for size, cores, cpu in (("large", 1, "skylake-avx512"), ("xlarge", 2, "skylake-avx512"), ("2xlarge", 4, "skylake-avx512"),
                             ("4xlarge", 8, "skylake-avx512"), ("9xlarge", 18, "skylake-avx512"), ("12xlarge", 24, "cascadelake"),
                             ("18xlarge", 36, "skylake-avx512"), ("24xlarge", 48, "cascadelake")):
        tags["aws/cpu/c5." + size] = ("llvm", {"keys": ["x86", "cpu"], "mcpu": cpu, "num-cores": cores})
    for version in ("v66", "v68", "v69", "v73"):
        tags["qcom/hexagon-" + version] = ("hexagon", {"mtriple": "hexagon", "mcpu": "hexagon" + version, "mattr": [f"+hvx{version}", "+hvx-length128b"],
                                                       "num-cores": 4, "vtcm-capacity": 262144})
    return tags


TAGS = _tags()


class Features:
    """Features by their names; None for what is not known of a target."""

    def __init__(self, known):
        self._known = known

    def __getattr__(self, name):
        return self._known.get(name)

    def items(self):
        """Those that are known."""
        return self._known.items()


def _arm_version(mattr):
    """8.2 of "+v8.2a"."""
    for word in mattr:
        text = word.lstrip("+")
        if text.startswith("v") and text.endswith("a"):
            try:
                return float(text[1:-1])
            except ValueError:
                pass
    return 8.0


_WITH_DSP = ("cortex-m4", "cortex-m7", "cortex-m33", "cortex-m35p", "cortex-m55", "cortex-m85")
_WITH_MVE = ("cortex-m55", "cortex-m85")


def is_microcontroller(kind, mcpu):
    """Is it a processor of ARM's M profile?"""
    return kind in ("c", "llvm") and mcpu.startswith("cortex-m")


def features_of(target):
    """What an ARM or other processor can do by its triple and its attributes."""
    stated = {key[len("feature."):]: value for key, value in target.attrs.items() if key.startswith("feature.")}
    triple = str(target.attrs.get("mtriple", ""))
    if target.kind.name == "test":
        stated["is_test"] = True
    if is_microcontroller(target.kind.name, target.mcpu):
        taken = {word[3:] for word in target.mattr if word.startswith("+no")}
        return Features({"has_dsp": target.mcpu in _WITH_DSP and "dsp" not in taken,
                         "has_mve": target.mcpu in _WITH_MVE and "mve" not in taken, **stated})
    if target.kind.name != "llvm" or not triple.startswith(("arm", "aarch64")):
        return Features(stated)
    mattr = list(target.mattr)
    aarch64 = triple.startswith("aarch64")
    version = _arm_version(mattr) if aarch64 else 7.0

    def has(name, since=99.0):
        return f"-{name}" not in mattr and (f"+{name}" in mattr or version >= since)

    return Features({"is_aarch64": aarch64, "has_asimd": aarch64 or has("simd") or has("neon"), "has_sve": has("sve", 9.0), "has_dotprod": has("dotprod", 8.4),
                     "has_matmul_i8": has("i8mm", 8.6), "has_fp16_simd": has("fullfp16", 8.4) or has("sve", 9.0), "has_sme": has("sme"), **stated})
