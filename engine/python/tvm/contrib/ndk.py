"""The compiler of Android: not offered."""


def create_shared(output, objects, options=None):
    """Not offered."""
    raise NotImplementedError("the compiler of Android is not offered")


create_shared.output_format = "so"
