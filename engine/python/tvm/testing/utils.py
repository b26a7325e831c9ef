"""Comparison of arrays and expressions, and small helpers of tests."""
import os
import sys

from .features import *  # noqa: F403
from .features import _arch  # noqa: F401
from .fixtures import (CompareBeforeAfter, device_enabled, enabled_targets, exclude_targets, fixture, known_failing_targets, parameter, parameters,
                       parametrize_targets, skip_parameterizations, xfail_parameterizations)

IS_IN_CI = os.getenv("CI", "") == "true"
SKIP_SLOW_TESTS = os.getenv("SKIP_SLOW_TESTS", "").lower() in {"true", "1", "yes"}
DEFAULT_TEST_TARGETS = ["llvm"]


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


def check_numerical_grads(function, input_values, grad_values, function_value=None, delta=1e-3, atol=1e-2, rtol=0.1):
    """Raises AssertionError unless gradients agree with central differences of a function."""
    import numpy as np

    as_dict = isinstance(input_values, dict)
    items = list(input_values.items()) if as_dict else list(enumerate(input_values))
    inputs = {k: np.array(v) for k, v in items}

    def value():
        given = {k: v for k, v in inputs.items()}
        return float(np.sum(function(**given) if as_dict else function(*[given[k] for k, _ in items])))

    for key, array in inputs.items():
        found = np.zeros(array.shape)
        flat, out = array.reshape(-1), found.reshape(-1)
        for i in range(flat.size):
            kept = flat[i]
            flat[i] = kept + delta / 2
            high, above = float(flat[i]), value()
            flat[i] = kept - delta / 2
            low, below = float(flat[i]), value()
            flat[i] = kept
            out[i] = (above - below) / (high - low)
        grad = np.asarray(grad_values[key])
        if grad.shape != found.shape:
            raise AssertionError(f"Derivatives wrt '{key}' have unexpected shape, expected {found.shape} observed {grad.shape}")
        distance = np.sqrt(np.sum((found - grad) ** 2))
        bound = rtol * max(1e-30, np.sqrt(np.sum(found ** 2))) + atol * np.sqrt(max(1, grad.size))
        if not np.all(np.isfinite(found)) or distance > bound:
            raise AssertionError(f"Analytical and numerical grads wrt '{key}' differ too much: distance {distance}, allowed {bound}")


def assert_prim_expr_equal(lhs, rhs):
    """Raises ValueError unless two integer expressions can be proved equal."""
    from ..arith import Analyzer

    if not Analyzer().can_prove_equal(lhs, rhs):
        raise ValueError(f"{lhs} and {rhs} are not equal")


def check_bool_expr_is_true(bool_expr, vranges, cond=None):
    """Evaluates a condition, in compiled code, for every value of its variables that fulfils `cond`."""
    import numpy as np

    from .. import build, nd, te
    from ..tir import Not, Or, const
    from ..tir.stmt_functor import substitute

    if cond is not None:
        bool_expr = Or(Not(cond), bool_expr)
    shape = [int(r.extent) for r in vranges.values()] or [1]

    def at(*indices):
        places = {var: index + domain.min for (var, domain), index in zip(vranges.items(), indices)}
        return te.if_then_else(substitute(bool_expr, places), const(1, "int8"), const(0, "int8"))

    holds = te.compute(shape, at, name="holds")
    result = nd.empty(shape, "int8")
    build(te.create_prim_func([holds]))(result)
    wrong = np.argwhere(result.numpy() == 0)
    if len(wrong):
        values = ", ".join(sorted(f"{var} = {int(domain.min) + int(i)}" for (var, domain), i in zip(vranges.items(), wrong[0])))
        raise AssertionError(f"The expression {bool_expr} is not true on {vranges}; counterexample: {values}")


def check_int_constraints_trans_consistency(constraints_trans, vranges=None):
    """Checks that a change of variables leads every solution to a solution, and back to itself, in both directions."""
    from ..arith import Analyzer
    from ..tir import all as every
    from ..tir import const
    from ..tir.stmt_functor import substitute

    def check(source, target, forth, back):
        simplify = Analyzer().simplify
        domains = dict(vranges or {})
        domains.update(source.ranges.items())
        wanted = [const(True)] + list(target.relations)
        for var in target.variables:
            if var in target.ranges:
                domain = target.ranges[var]
                wanted += [var >= domain.min, var < domain.min + domain.extent]
        wanted = [simplify(substitute(every(*wanted), dict(back.items())))]
        for var in source.variables:
            if var in forth:
                wanted.append((var == simplify(substitute(forth[var], dict(back.items())))).asobject())
        check_bool_expr_is_true(every(const(True), *wanted), domains, every(const(True), *source.relations))

    there, back = constraints_trans.src_to_dst, constraints_trans.dst_to_src
    check(constraints_trans.src, constraints_trans.dst, there, back)
    check(constraints_trans.dst, constraints_trans.src, back, there)


def install_request_hook(depth):
    """Nothing to do: tests here fetch nothing."""


def strtobool(val):
    """A word for yes or no as a number."""
    val = val.lower()
    if val in ("y", "yes", "t", "true", "on", "1"):
        return 1
    if val in ("n", "no", "f", "false", "off", "0"):
        return 0
    raise ValueError(f"invalid truth value {val!r}")


def get_dtype_range(dtype):
    """The smallest and the largest value of a type."""
    import numpy as np

    info = np.finfo(dtype) if "float" in dtype else np.iinfo(dtype)
    return info.min, info.max


def identity_after(x, sleep):
    """x, after a while."""
    import time

    if sleep:
        time.sleep(sleep)
    return x


def terminate_self():
    """Ends the process."""
    sys.exit(-1)


def is_ampere_or_newer():
    """Is there such a GPU?"""
    return False


def _any_device(name):
    return False
