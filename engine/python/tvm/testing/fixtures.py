"""Parameters and fixtures of tests, and the comparison of a module before and after a pass."""
import functools
import inspect
import itertools
import sys

_groups = itertools.count()


def parameter(*values, ids=None, by_dict=None):
    """A fixture with several values."""
    import pytest

    if by_dict is not None:
        if values or ids:
            raise RuntimeError("Use the by_dict parameter alone to specify parameters")
        ids, values = list(by_dict.keys()), list(by_dict.values())

    @pytest.fixture(params=list(values), ids=ids)
    def fixture(*_self, request):
        return request.param

    return fixture


def parameters(*value_sets, ids=None):
    """Several fixtures whose values belong together: they follow one hidden fixture, put beside them, that counts the sets."""
    import pytest

    scope = sys._getframe(1).f_locals
    group = f"_parameters_{next(_groups)}"

    def count(*_self, request):
        return request.param

    count.__name__ = group
    scope[group] = pytest.fixture(params=list(range(len(value_sets))), ids=ids)(count)

    def follow(values):
        def fixture(*_self, **kwargs):
            return values[kwargs[group]]

        fixture.__signature__ = inspect.Signature([inspect.Parameter("_self", inspect.Parameter.VAR_POSITIONAL),
                                                   inspect.Parameter(group, inspect.Parameter.KEYWORD_ONLY)])
        return pytest.fixture(fixture)

    return tuple(follow(values) for values in zip(*value_sets))


def fixture(func=None, *, cache_return_value=False):
    """A fixture; with cache_return_value it is computed once for each set of arguments, and given as a copy."""
    import pytest

    def make(function):
        return pytest.fixture(_cached(function) if cache_return_value else function)

    return make(func) if func is not None else make


def _cached(function):
    import copy

    known = {}

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        key = repr((args, sorted(kwargs.items())))
        if key not in known:
            known[key] = function(*args, **kwargs)
        try:
            return copy.deepcopy(known[key])
        except Exception:  # noqa: BLE001
            return function(*args, **kwargs)

    return wrapper


def enabled_targets():
    """Targets that run here, with their devices."""
    from ..runtime.ndarray import cpu

    return [("llvm", cpu(0))]


def device_enabled(target):
    """Does code of this target run here?"""
    kind = target.kind.name if hasattr(target, "kind") else str(target).split()[0]
    return kind in ("llvm", "c")


def parametrize_targets(*args):
    """A mark: the test runs once for each of these targets, where they run at all."""
    import pytest

    def params(targets):
        return [pytest.param(t, marks=[] if device_enabled(t) else [pytest.mark.skip(reason=f"{t} does not run here")]) for t in targets]

    if len(args) == 1 and callable(args[0]):
        return pytest.mark.parametrize("target", params([t for t, _ in enabled_targets()]))(args[0])
    return pytest.mark.parametrize("target", params(args))


def exclude_targets(*args):
    """A mark: the test does not run for these targets."""

    def wrap(func):
        func.tvm_excluded_targets = list(args)
        return func

    return wrap


def known_failing_targets(*args):
    """A mark: the test is known to fail for these targets."""

    def wrap(func):
        func.tvm_known_failing_targets = list(args)
        return func

    return wrap


def xfail_parameterizations(*xfail_params, reason):
    """A mark: the test is expected to fail for these sets of parameters."""
    return _mark_nodes(set(xfail_params), lambda pytest, request: request.node.add_marker(pytest.mark.xfail(reason=reason)))


def skip_parameterizations(*skip_params, reason):
    """A mark: the test is skipped for these sets of parameters."""
    return _mark_nodes(set(skip_params), lambda pytest, request: pytest.skip(reason=reason))


def _mark_nodes(names, act):
    def wrap(func):
        import pytest

        @pytest.fixture(autouse=True)
        def mark(request):
            if request.node.name.rpartition("[")[2].rstrip("]") in names and request.node.originalname == func.__name__:
                act(pytest, request)

        func.__globals__[f"_mark_{func.__name__}_{next(_groups)}"] = mark
        return func

    return wrap


class CompareBeforeAfter:
    """Base of tests of a pass: `before`, `expected` (or `Before`, `Expected`) and `transform` are given as attributes of the class.

    A program is a function or class in TVMScript that needs no decorator, a finished one, or a method or fixture that gives one;
    it is read when the test runs.  A transform is a pass, or a method or fixture that gives one.  A PrimFunc goes through it as
    the only function, `main`, of a module.
    """

    check_well_formed = True

    def __init_subclass__(cls):
        for name in ("before", "expected"):
            given = [key for key in (name, name.capitalize()) if key in cls.__dict__]
            assert len(given) <= 1, f"{cls.__name__} has both {name} and {name.capitalize()}"
            if given:
                setattr(cls, name, cls._as_program(cls.__dict__[given[0]], name))
        if "transform" in cls.__dict__:
            cls.transform = cls._as_transform(cls.__dict__["transform"], "transform")

    @classmethod
    def _is_fixture(cls, func):
        return hasattr(func, "_pytestfixturefunction") or type(func).__name__ == "FixtureFunctionDefinition"

    @classmethod
    def _fixture_of(cls, name, make):
        import pytest

        def inner(self):
            return make(self)

        inner.__name__ = name
        return pytest.fixture(inner)

    @classmethod
    def _as_program(cls, func, name):
        import pytest

        from ..ir import IRModule
        from ..tir import PrimFunc

        if cls._is_fixture(func):
            return func
        if isinstance(func, (IRModule, PrimFunc)) or (isinstance(func, type) and issubclass(func, Exception)):
            return cls._fixture_of(name, lambda self: func)
        if isinstance(func, type):
            return cls._fixture_of(name, lambda self: _module_of(func, self.check_well_formed))
        if "self" in inspect.signature(func).parameters:
            return pytest.fixture(func)
        return cls._fixture_of(name, lambda self: _function_of(func, self.check_well_formed))

    @classmethod
    def _as_transform(cls, transform, name):
        import pytest

        from ..ir.transform import Pass

        if cls._is_fixture(transform):
            return transform
        if isinstance(transform, Pass):
            return cls._fixture_of(name, lambda self: transform)
        if callable(transform):
            if list(inspect.signature(transform).parameters) == ["self"]:
                return pytest.fixture(transform)
            return cls._fixture_of(name, lambda self: functools.partial(transform, self))
        raise TypeError("Expected transform to be a tvm.ir.transform.Pass, or a method returning a Pass")

    def test_compare(self, before, expected, transform):
        """The module after the pass is the expected one."""
        import pytest

        from ..ir import IRModule, assert_structural_equal
        from ..tir import PrimFunc

        if isinstance(expected, type) and issubclass(expected, Exception):
            with pytest.raises(expected):
                _apply(transform, before)
            return
        if not isinstance(expected, (IRModule, PrimFunc)):
            raise TypeError(f"CompareBeforeAfter expects an exception, a PrimFunc or an IRModule, not {type(expected).__name__}")
        after = _apply(transform, before)
        if isinstance(after, PrimFunc) and isinstance(expected, PrimFunc):
            after, expected = (func.with_attr("global_symbol", "main") for func in (after, expected))
        assert_structural_equal(after, expected)


def _function_of(func, check_well_formed):
    from ..script import prim_func, relax

    if inspect.getsource(func).lstrip().startswith("@R."):
        return relax.function(func, check_well_formed=check_well_formed)
    return prim_func(func, check_well_formed=check_well_formed)


def _module_of(cls, check_well_formed):
    """The module of a plain class; a function without a decorator is a PrimFunc."""
    from ..ir import BaseFunc, IRModule

    members = {name: func for name, func in cls.__dict__.items() if not name.startswith("_")}
    funcs = {name: func if isinstance(func, BaseFunc) else _function_of(func, check_well_formed) for name, func in members.items()}
    return IRModule({name: func.with_attr("global_symbol", name) for name, func in funcs.items()})


def _apply(transform, given):
    """A pass on a module, or on a function as the only one of a module."""
    from ..ir import IRModule
    from ..tir import PrimFunc

    if isinstance(given, IRModule):
        return transform(given)
    if isinstance(given, PrimFunc):
        return transform(IRModule({"main": given}))["main"]
    raise TypeError(f"Expected IRModule or PrimFunc, but received {type(given).__name__}")
