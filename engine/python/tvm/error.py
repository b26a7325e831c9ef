"""Exceptions, with TVM's names."""
import contextlib as _contextlib
import struct as _struct

import _loopscope as _core


class TVMError(RuntimeError):
    """Whatever the engine refuses."""


class _ValueMismatch(TVMError, ValueError):
    """A value that cannot be used, such as one of another type or number of dimensions than was said."""


class _KindMismatch(TVMError, TypeError):
    """A value of another kind than was said."""


class _OperandMismatch(TVMError, TypeError, ValueError):
    """What an operator of Relax is given does not fit: its number, kind, type, shape, axis or device.

    TVM raises one or the other, by the operator; programs catch the one they met, so that this is all of them."""


class _Damaged(TVMError, ValueError):
    """A file or text that does not hold what it should."""


@_contextlib.contextmanager
def _reading(place):
    """What goes wrong inside says where: `place` is a file with its line, or what the text is."""
    try:
        yield
    except _Damaged:
        raise
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError, _struct.error, TVMError) as error:
        reason = f"there is no {error}" if isinstance(error, KeyError) else "it is nested too deep" if isinstance(error, RecursionError) else str(error) or type(error).__name__
        raise _Damaged(f"{place}: this cannot be read: {reason}") from error


def _json_rows(path):
    """The rows of a file with one JSON value a line: (place, value)."""
    import json
    import os

    with open(os.fspath(path), "rb") as file:
        for i, line in enumerate(file):
            if line.strip():
                place = f"{os.fspath(path)}, line {i + 1}"
                with _reading(place):
                    value = json.loads(line.decode("utf-8"))
                yield place, value


class InternalError(TVMError):
    """A fault in the engine itself."""


class RPCError(TVMError):
    """Not raised here: there is no remote execution."""


class RPCSessionTimeoutError(RPCError, TimeoutError):
    """Not raised here."""


class OpError(TVMError):
    """Operators that cannot be understood."""


class OpNotImplemented(OpError, NotImplementedError):
    """An operator without an implementation."""


class OpAttributeRequired(OpError, AttributeError):
    """An attribute of an operator is missing."""


class OpAttributeInvalid(OpError, AttributeError):
    """An attribute of an operator cannot be used."""


class OpAttributeUnImplemented(OpError, NotImplementedError):
    """An attribute of an operator is not supported."""


class DiagnosticError(TVMError):
    """Findings of the script parser or a check, each with its place."""


_core.set_exception("TVMError", TVMError)
_core.set_exception("InternalError", InternalError)
_core.set_exception("DiagnosticError", DiagnosticError)
_core.set_exception("ValueError", _ValueMismatch)
_core.set_exception("TypeError", _KindMismatch)
_core.set_exception("OperandError", _OperandMismatch)


# What programs named themselves.
_NAMED = {}


def register_error(func_name=None, cls=None):
    """The class of errors whose message begins with its name and a colon; a decorator, with or without the name."""
    def register(named, as_name=None):
        _NAMED[as_name or named.__name__] = named
        return named

    if callable(func_name):
        return register(func_name)
    return register(cls, func_name) if cls is not None else (lambda named: register(named, func_name))


def error_of_message(message):
    """The error that a message stands for: "ValueError: ..." is a ValueError with all of the text, what begins with no class a TVMError."""
    import builtins

    name = str(message).partition(":")[0].strip()
    cls = _NAMED.get(name) or globals().get(name) or getattr(builtins, name, None)
    known = isinstance(cls, type) and issubclass(cls, Exception) and not name.startswith("_")
    return (cls if known else TVMError)(message)
