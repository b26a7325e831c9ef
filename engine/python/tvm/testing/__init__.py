"""Help for tests: comparison, what a test needs, parameters, passes before and after."""
from .utils import *  # noqa: F403
from .utils import IS_IN_CI, SKIP_SLOW_TESTS
from .runner import local_run, rpc_run


def echo(value):
    """The value through the registry of functions and back."""
    from ..runtime import convert

    return convert(value) if isinstance(value, (list, tuple, dict)) else value


def nop(*args):
    """Does nothing."""


def object_use_count(obj):
    """How many references an object of the engine has."""
    import _loopscope as _core

    return _core.use_count(obj)


def test_wrap_callback(callback):
    """A function that calls another one."""
    return lambda: callback()


def test_raise_error_callback(message):
    """A function that raises."""
    from ..error import TVMError

    def fail():
        raise TVMError(message)

    return fail


test_wrap_callback.__test__ = False
test_raise_error_callback.__test__ = False
