"""What the code generator knows of targets."""


def llvm_version_major(allow_none=False):
    """The major version of LLVM."""
    return 19


def target_has_features(cpu_features, target=None):
    """Does the host have these features?"""
    import _loopscope_native as native

    return getattr(native, "has_feature", lambda name: False)(cpu_features)
