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
    """Base of tests of a pass: `before`, `expected` and `transform` are given as attributes of the class."""

    check_well_formed = True

    def __init_subclass__(cls):
        for name, convert in (("before", cls._as_program), ("expected", cls._as_program), ("transform", cls._as_transform)):
            if name in cls.__dict__:
                setattr(cls, name, convert(cls.__dict__[name], name))

    @classmethod
    def _is_fixture(cls, func):
        return hasattr(func, "_pytestfixturefunction") or type(func).__name__ == "FixtureFunctionDefinition"

    @classmethod
    def _fixture_of(cls, name, value):
        import pytest

        def inner(self):
            return value() if getattr(value, "_loopscope_late", False) else value

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
            return cls._fixture_of(name, func)
        if isinstance(func, type):
            from ..script import ir_module

            return cls._fixture_of(name, ir_module(func, check_well_formed=cls.check_well_formed))
        parameters_ = list(inspect.signature(func).parameters)
        if parameters_[:1] == ["self"]:
            return pytest.fixture(func)
        from ..script import prim_func

        return cls._fixture_of(name, prim_func(func, check_well_formed=cls.check_well_formed))

    @classmethod
    def _as_transform(cls, transform, name):
        import pytest

        from ..ir.transform import Pass

        if cls._is_fixture(transform):
            return transform
        if isinstance(transform, Pass):
            return cls._fixture_of(name, functools.partial(_apply, transform))
        if callable(transform):
            if list(inspect.signature(transform).parameters)[:1] == ["self"] and len(inspect.signature(transform).parameters) == 1:
                return pytest.fixture(transform)

            def inner(self):
                return functools.partial(transform, self)

            inner.__name__ = name
            return pytest.fixture(inner)
        raise TypeError("Expected transform to be a tvm.ir.transform.Pass, or a method returning a Pass")

    def test_compare(self, before, expected, transform):
        """The module after the pass is the expected one."""
        import pytest

        from ..ir import IRModule, assert_structural_equal

        module = before if isinstance(before, IRModule) else IRModule.from_expr(before.with_attr("global_symbol", "main") if _unnamed(before) else before)
        if isinstance(expected, type) and issubclass(expected, Exception):
            with pytest.raises(expected):
                transform(module)
            return
        after = transform(module)
        wanted = expected
        if not isinstance(expected, IRModule):
            if len(after.functions) == 1:
                after = next(iter(after.functions.values()))
            if hasattr(after, "without_attr"):
                after = after.without_attr("global_symbol")
            wanted = expected.without_attr("global_symbol")
        assert_structural_equal(after, wanted)


def _apply(transform, given):
    """A pass on a module, or on a function as the only one of a module."""
    from ..ir import IRModule

    return transform(given) if isinstance(given, IRModule) else transform(IRModule({"main": given}))["main"]


def _unnamed(func):
    return not (func.attrs and "global_symbol" in func.attrs)
