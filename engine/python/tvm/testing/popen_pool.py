"""What tests of process pools send to their workers."""
import time

from ..runtime._registry import get_global_func, register_func

TEST_GLOBAL_STATE_1 = TEST_GLOBAL_STATE_2 = TEST_GLOBAL_STATE_3 = 0


def initializer(test_global_state_1, test_global_state_2, test_global_state_3):
    """Sets the three."""
    global TEST_GLOBAL_STATE_1, TEST_GLOBAL_STATE_2, TEST_GLOBAL_STATE_3
    TEST_GLOBAL_STATE_1, TEST_GLOBAL_STATE_2, TEST_GLOBAL_STATE_3 = test_global_state_1, test_global_state_2, test_global_state_3


def after_initializer():
    """Gives them."""
    return TEST_GLOBAL_STATE_1, TEST_GLOBAL_STATE_2, TEST_GLOBAL_STATE_3


@register_func("testing.identity_py", override=True)
def identity_py(arg):
    """The argument."""
    return arg


def register_ffi():
    """Registers a function that gives its argument."""
    register_func("testing.nested_identity_py", lambda arg: arg, override=True)


def call_py_ffi(arg):
    """Calls it."""
    return get_global_func("testing.nested_identity_py")(arg)


def call_cpp_ffi(arg):
    """The argument through the engine."""
    from . import echo

    return echo(arg)


def call_cpp_py_ffi(arg):
    """The argument through a registered function."""
    return get_global_func("testing.identity_py")(arg)


def fast_summation(n):
    """0 + 1 + .. + n - 1."""
    return n * (n - 1) // 2


def slow_summation(n):
    """The same, one by one."""
    result = 0
    for i in range(n):
        result += i
    return result


def timeout_job(n):
    """Takes longer than it may."""
    time.sleep(n * 1.5)


