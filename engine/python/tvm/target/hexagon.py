"""The target of a Hexagon processor from its version and what it offers."""
import re

from .target import Target

_VERSIONS = ["v65", "v66", "v67", "v67t", "v68", "v69", "v71", "v73", "v75"]


def _features(version, number, config):
    found = [f"+hvx{version}", f"+hvx-length{config['hvx']}b"] if config["hvx"] > 0 else ["-hvx"]
    if number >= 68:
        found += [("+" if config[key] else "-") + name for key, name in (("use_qfloat", "hvx-qfloat"), ("use_ieee_fp", "hvx-ieee-fp"))]
    return ",".join(found)


def hexagon(cpu_ver="v68", **kwargs):
    """A target by the version of the processor; hvx (bytes of a vector: 0, 64 or 128), use_qfloat, use_ieee_fp, vtcm_capacity (bytes),
    num_cores, llvm_options."""
    version = cpu_ver[cpu_ver.find("v"):].lower() if "v" in cpu_ver else cpu_ver
    if version not in _VERSIONS:
        raise ValueError(f"{cpu_ver} is not a valid Hexagon version\nvalid versions include {_VERSIONS}")
    number = int(re.match(r"v([0-9]+)", version).group(1))
    config = {"hvx": 128, "llvm_options": None, "use_qfloat": number >= 68, "use_ieee_fp": False, "vtcm_capacity": 0, "num_cores": 4, **kwargs}
    if config["hvx"] not in (0, 64, 128):
        raise ValueError("Invalid hvx value, should be one of [0, 64, 128]")
    options = (config["llvm_options"] or "").split() + (["-force-hvx-float"] if number == 68 else [])
    words = ["hexagon", "-mtriple=hexagon", f"-mcpu=hexagon{version}", f"-mattr={_features(version, number, config)}"]
    if options:
        words.append("--llvm-options=" + ",".join(one.replace("=", "@") for one in options))
    return Target(" ".join([*words, f"--num-cores={config['num_cores']}", f"--vtcm-capacity={config['vtcm_capacity']}"]))
