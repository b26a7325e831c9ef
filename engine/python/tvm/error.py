"""Exceptions, with TVM's names."""
import _loopscope as _core


class TVMError(RuntimeError):
    """Whatever the engine refuses."""


class _ValueMismatch(TVMError, ValueError):
    """A value that cannot be used, such as one of another type or number of dimensions than was said."""


class _KindMismatch(TVMError, TypeError):
    """A value of another kind than was said."""


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


def register_error(func_name=None, cls=None):
    """Kept for programs that name their own errors."""
    if callable(func_name):
        return func_name
    return cls if cls is not None else (lambda c: c)
