"""What the code generator knows of targets: LLVM's version, features of processors, widths of vectors, numbers of intrinsics."""


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


def target_has_features(cpu_features, target=None):
    """Has the processor of a target these features?"""
    wanted = [cpu_features] if isinstance(cpu_features, str) else list(cpu_features)
    target = _target(target)
    if target is not None:
        stated = str(target.attrs.get("mattr", "")).replace("'", "")
        known = target_features(target)
        return all(name in known or f"+{name}" in stated for name in wanted)
    return all(getattr(_native(), "has_feature", lambda name: False)(name) for name in wanted)


def target_features(target):
    """The features that a target names or its processor has by its name."""
    mattr = getattr(target, "mattr", None) or []
    named = {str(x)[1:] for x in mattr if str(x).startswith("+")}
    cpu = str(target.attrs.get("mcpu") or "")
    features = getattr(_native(), "cpu_features", None)
    return named | set(features(str(target.attrs.get("mtriple") or ""), cpu) if features is not None and cpu else [])


def llvm_get_vector_width(target=None):
    """Bits of a vector register."""
    target = _target(target)
    width = target.attrs.get("vector-width") if target is not None else None
    if width is not None:
        return int(width)
    features = target_features(target) if target is not None else set()
    return 512 if "avx512f" in features else 256 if "avx2" in features or "avx" in features else 128


def llvm_lookup_intrinsic_id(name):
    """LLVM's number of an intrinsic; 0: there is none."""
    return _native().intrinsic_id(name)


def llvm_get_intrinsic_name(intrin_id):
    """The intrinsic with LLVM's number; "": there is none."""
    return _native().intrinsic_name(int(intrin_id))
