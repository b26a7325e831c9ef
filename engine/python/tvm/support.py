"""What the engine was built with."""


def libinfo():
    """Names and values."""
    from . import support_libinfo

    return support_libinfo()


def describe():
    """Prints where this runs."""
    import platform
    import sys

    print("Python Environment")
    print(f"  Python version = {sys.version.splitlines()[0]}")
    print(f"  os.uname() = {platform.platform()}")
