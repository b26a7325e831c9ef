"""The border of a window as four or six numbers."""


def get_pad_tuple(padding, kernel):
    """Numbers, "VALID" or "SAME" as (top, left, down, right)."""
    height, width = kernel if isinstance(kernel, (list, tuple)) else list(kernel.shape)
    if isinstance(padding, (list, tuple)):
        if len(padding) == 2:
            vertical, horizontal = padding[0] * 2, padding[1] * 2
        elif len(padding) == 4:
            return tuple(padding)
        else:
            raise ValueError(f"a padding of two dimensions is two numbers or four, not {len(padding)}")
    elif isinstance(padding, int):
        vertical = horizontal = padding * 2
    elif padding == "VALID":
        vertical = horizontal = 0
    elif padding == "SAME":
        vertical, horizontal = height - 1, width - 1
    else:
        raise ValueError(f"a padding is numbers, VALID or SAME, not {padding!r}")
    top, left = (vertical + 1) // 2, (horizontal + 1) // 2
    return top, left, vertical - top, horizontal - left
