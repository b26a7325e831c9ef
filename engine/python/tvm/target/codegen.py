"""What the code generator knows of targets: LLVM's version, features of processors, widths of vectors, numbers of intrinsics."""
import sys

from .table import host_triple
from .x86_cpus import CPUS, IMPLIED


def llvm_version_major(allow_none=False):
    """The major version of LLVM."""
    return 19


def _target(target):
    from .target import Target

    target = target if target is not None else Target.current(allow_none=True)
    return Target(target) if target is not None else None


def _native():
    import _loopscope_native as native

    return native


def _needed(target):
    from ..error import InternalError

    found = _target(target)
    if found is None:
        raise InternalError("InternalError: Check failed: (allow_not_defined) is false: Target context required: "
                            "hand a target over, or stand within `with target:`")
    return found


def target_has_features(cpu_features, target=None):
    """Has the processor of a target, or of the current one, these features?  Without either it is an error (InternalError)."""
    known = target_features(_needed(target))
    return all(name in known for name in ([cpu_features] if isinstance(cpu_features, str) else cpu_features))


def llvm_get_cpu_features(target=None):
    """The features of the processor that a target, or the current one, names: by its name alone, without mattr."""
    return sorted(_processor(_needed(target)))


def llvm_get_targets():
    """The architectures that LLVM writes code for."""
    return _native().architectures()


def llvm_get_system_cpu():
    """LLVM's name of this machine's processor."""
    return _native().host_cpu()


def llvm_get_system_triple():
    """The triple of this machine."""
    return host_triple()


def llvm_get_system_x86_vendor():
    """Who made this machine's x86 processor: intel, amd or unknown."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            vendor = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("vendor_id")), "")
    except OSError:
        vendor = ""
    return {"GenuineIntel": "intel", "AuthenticAMD": "amd"}.get(vendor, "unknown")


def llvm_get_cpu_archlist(target=None):
    """The processors that are known of the architecture of a target, or of the current one, by name; [] where none is."""
    return sorted(name for names, _, _ in _table(_triple(_needed(target))) for name in names.split())


def llvm_cpu_has_features(cpu_features, target=None):
    """target_has_features, by its other name."""
    return target_has_features(cpu_features, target)


def _triple(target):
    return str(target.attrs.get("mtriple") or host_triple())


def _table(triple):
    """(names, the processor that it is like, what it has besides) of each processor of an architecture."""
    machine = triple.split("-")[0]
    if machine in ("x86_64", "amd64", "i386", "i486", "i586", "i686", "x86"):
        return CPUS
    is_64 = machine.startswith(("aarch64", "arm64"))
    if is_64 or machine.startswith(("arm", "thumb")):
        from .arm_cpus import CPUS as arm

        return arm["aarch64" if is_64 else "arm"]
    if machine.startswith("riscv"):
        from .riscv_cpus import CPUS as riscv

        return riscv
    return []


def _implied(triple):
    """What features of an architecture bring along."""
    if triple.startswith("riscv"):
        from .riscv_cpus import IMPLIED as riscv

        return riscv
    return IMPLIED


def _processor(target):
    """What the target's processor has by its name; one that is none is said, as LLVM does, and counts as the usual one."""
    name, table = str(target.attrs.get("mcpu") or ""), _table(_triple(target))
    if target.kind.name != "llvm" or not table:
        return set()
    triple = _triple(target)
    usual = "x86-64" if table is CPUS else "generic" if not triple.startswith("riscv") else "generic-rv64" if triple.startswith("riscv64") else "generic-rv32"
    found = _listed(name or usual, table)
    if found is None and name != "generic":
        print(f"Error: Using LLVM {llvm_version_major()} with `-mcpu={name}` is not valid in `-mtriple={triple}`, using default `-mcpu=generic`",
              file=sys.stderr)
    found = found if found is not None else _listed(usual, table) or set()
    if triple.startswith("riscv64"):
        found.add("64bit")
    return {brought for one in found for brought in _with_implied(one, _implied(triple))} if triple.startswith("riscv") else found


def _listed(name, table):
    for names, like, more in table:
        if name in names.split():
            found = set(_listed(like.split()[0], table) if like else ())
            for one in more.split():
                (found.discard(one[1:]) if one.startswith("-") else found.add(one))
            return found
    return None


def _with_implied(name, table):
    found = {name}
    for one in table.get(name, "").split():
        found |= _with_implied(one, table)
    return found


def target_features(target):
    """The features that the processor of a target has by its name, with those of mattr and what they bring, without those that it takes away."""
    found, table = _processor(target), _implied(_triple(target))
    for one in getattr(target, "mattr", None) or []:
        sign, name = str(one)[:1], str(one)[1:]
        if sign == "+":
            found |= _with_implied(name, table)
        elif sign == "-":
            found = {other for other in found if name not in _with_implied(other, table)}
    return found


def llvm_get_vector_width(target=None):
    """Bits of a vector register."""
    target = _target(target)
    width = target.attrs.get("vector-width") if target is not None else None
    if width is not None:
        return int(width)
    features = target_features(target) if target is not None else set()
    if target is not None and _triple(target).startswith("riscv"):
        from .riscv_cpus import register_bits

        return register_bits(features)
    return 512 if "avx512f" in features else 256 if "avx2" in features or "avx" in features else 128


def llvm_lookup_intrinsic_id(name):
    """LLVM's number of an intrinsic; 0: there is none."""
    return _native().intrinsic_id(name)


def llvm_get_intrinsic_name(intrin_id):
    """The intrinsic with LLVM's number; "": there is none."""
    return _native().intrinsic_name(int(intrin_id))


def build_module(mod, target):
    """The functions of a module as machine code for a target."""
    from ..driver import build

    return build(mod, target)
