"""Comparison of arrays and a few names that tests use."""
import sys


def assert_allclose(actual, desired, rtol=1e-7, atol=1e-7, verbose=True):
    """Raises AssertionError unless arrays of one shape agree."""
    import numpy as np

    actual = np.asanyarray(actual.numpy() if hasattr(actual, "_copy_from") else actual)
    desired = np.asanyarray(desired.numpy() if hasattr(desired, "_copy_from") else desired)
    np.testing.assert_allclose(actual.shape, desired.shape)
    np.testing.assert_allclose(actual, desired, rtol=rtol, atol=atol, verbose=verbose)


def main():
    """Runs the tests of the file that calls."""
    import pytest

    sys.exit(pytest.main([sys._getframe(1).f_globals["__file__"]] + sys.argv[1:]))


def enabled_targets():
    """Targets that run here, with their devices."""
    from ..runtime.ndarray import cpu

    return [("llvm", cpu(0))]


def requires_llvm(func=None, **unused):
    """Decorator: LLVM is always there."""
    return func if func is not None else (lambda f: f)


def parameter(*values, ids=None, by_dict=None):
    """A fixture with several values."""
    import pytest

    if by_dict:
        ids, values = list(by_dict.keys()), list(by_dict.values())

    @pytest.fixture(params=[pytest.param(value) for value in values], ids=ids)
    def fixture(request):
        return request.param

    return fixture


def parameters(*value_sets, ids=None):
    """Several fixtures whose values belong together."""
    return tuple(parameter(*values, ids=ids) for values in zip(*value_sets))
