"""Convolutions of bytes."""


def is_int8_hw_support(data_dtype, kernel_dtype, target=None):
    """Does a target multiply vectors of bytes?"""
    from ...target import Target

    target = target if target is not None else Target.current(allow_none=True)
    features = set(str(target.attrs.get("mattr", "")).replace("+", "").replace("[", "").split(",")) if target is not None else set()
    same = data_dtype == kernel_dtype and data_dtype in ("int8", "uint8")
    return same and ("dotprod" in features or "neon" in features)
