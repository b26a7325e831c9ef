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


def _register():
    from ..runtime._registry import register_func

    register_func("testing.echo", echo, override=True)
    register_func("testing.nop", nop, override=True)


_register()


def object_use_count(obj):
    """How many references an object of the engine has."""
    import _loopscope as _core

    return _core.use_count(obj)


def device_test(dev, device_type, device_id):
    """The device, once it is found to be of this type and number."""
    if (dev.device_type, dev.device_id) != (device_type, device_id):
        raise ValueError(f"{dev} is no device {device_id} of type {device_type}")
    return dev


def test_wrap_callback(callback):
    """A function that calls another one."""
    return lambda: callback()


def test_raise_error_callback(message):
    """A function that raises the error that a message stands for."""
    from ..error import error_of_message

    def fail():
        raise error_of_message(message)

    return fail


class ErrorTest:
    """An object whose field cannot be read."""

    @property
    def attr(self):
        """Raises."""
        raise AttributeError("this field cannot be read")


def test_raise_error(kind, message):
    """Raises an error of a kind, by its name."""
    import builtins

    from .. import error

    raise (getattr(error, kind, None) or getattr(builtins, kind, error.TVMError))(message)


test_raise_error.__test__ = False
test_wrap_callback.__test__ = False
test_raise_error_callback.__test__ = False


def _register_conversions():
    """Functions that show how arguments arrive."""
    from ..runtime import convert_to_object
    from ..runtime._registry import register_func
    from ..tir import const

    def expr(value):
        return const(value, "bool" if isinstance(value, bool) else "int32") if isinstance(value, (bool, int)) else convert_to_object(value)

    functions = {
        "AcceptsBool": bool, "AcceptsInt": int, "AcceptsObjectRefArray": lambda values: values[0], "AcceptsMapReturnsValue": lambda table, key: table[key],
        "AcceptsMapReturnsMap": lambda table: table, "AcceptsPrimExpr": expr, "AcceptsArrayOfPrimExpr": lambda values: [expr(x) for x in values],
        "AcceptsMapOfPrimExpr": lambda table: {key: expr(x) for key, x in table.items()},
    }

    def returns_variant(number):
        """Half of an even number, a text for an odd one."""
        return expr(number // 2) if number % 2 == 0 else "argument was odd"

    def accepts_variant(value):
        """The class of a text or whole number; nothing else is taken."""
        if isinstance(value, str):
            return "runtime.String"
        if isinstance(value, int) or getattr(value, "type_key", "") == "IntImm":
            return "IntImm"
        from ..error import TVMError

        raise TVMError(f"expected a String or an IntImm, not {type(value).__name__}")

    functions.update(ReturnsVariant=returns_variant, AcceptsVariant=accepts_variant)
    for name, function in functions.items():
        register_func("testing." + name, function, override=True)


_register_conversions()
