"""type_checked: a function that compares what it is called with to its annotations."""
import collections.abc
import functools
import inspect
import typing


def type_checked(func):
    """The function, which raises TypeError for an argument that is of another type than its annotation says.  None is let through where
    it is the default."""
    signature = inspect.signature(func)
    hints = typing.get_type_hints(func)

    @functools.wraps(func)
    def checked(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for param in signature.parameters.values():
            if param.name not in hints:
                continue
            value, hint = bound.arguments[param.name], hints[param.name]
            parts = list(value) if param.kind is param.VAR_POSITIONAL else list(value.values()) if param.kind is param.VAR_KEYWORD else [value]
            for part in parts:
                if part is param.default:
                    continue
                wrong = _mismatch(param.name, part, hint)
                if wrong is not None:
                    raise TypeError(wrong)
        return func(*args, **kwargs)

    return checked


def _mismatch(name, value, hint):
    """What is wrong with the value of a name, in words; None where nothing is."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is typing.Any or isinstance(hint, typing.TypeVar):
        return None
    if hint is None or hint is type(None):
        return None if value is None else _words(name, "None", value)
    if _is_union(origin):
        return None if any(_mismatch(name, value, one) is None for one in inner) else _words(name, _said(hint), value)
    if origin is typing.Literal:
        return None if value in inner else _words(name, _said(hint), value)
    if origin in (list, collections.abc.Sequence, set, frozenset, collections.abc.Iterable):
        if not isinstance(value, (list, tuple, set, frozenset)) and not _is_array(value):
            return _words(name, _said(hint), value)
        return _first((f"{name}[{i}]", part, inner[0]) for i, part in enumerate(value))
    if origin is tuple:
        if not isinstance(value, tuple):
            return _words(name, _said(hint), value)
        hints = [inner[0]] * len(value) if len(inner) == 2 and inner[1] is ... else list(inner)
        if len(hints) != len(value):
            return _words(name, _said(hint), value)
        return _first((f"{name}[{i}]", part, one) for i, (part, one) in enumerate(zip(value, hints)))
    if origin in (dict, collections.abc.Mapping):
        if not isinstance(value, dict):
            return _words(name, _said(hint), value)
        return (_first((f"{name}'s key {key!r}", key, inner[0]) for key in value)
                or _first((f"{name}[{key!r}]", part, inner[1]) for key, part in value.items()))
    if origin is collections.abc.Callable or hint is typing.Callable:
        return None if callable(value) else _words(name, _said(hint), value)
    plain = origin or hint
    if isinstance(plain, type) and not (isinstance(value, plain) or (plain is float and isinstance(value, int) and not isinstance(value, bool))):
        return _words(name, _said(hint), value)
    return None


def _first(cases):
    """The first mismatch of several values, or None."""
    return next((wrong for wrong in (_mismatch(*case) for case in cases) if wrong is not None), None)


def _is_union(origin):
    return origin is typing.Union or getattr(origin, "__name__", "") == "UnionType"


def _is_array(value):
    from ...ir.container import Array

    return isinstance(value, Array)


def _said(hint):
    """The name of a type as one writes it."""
    inner = typing.get_args(hint)
    name = "Union" if _is_union(typing.get_origin(hint)) else getattr(hint, "__name__", None) or str(hint)
    if hint is type(None):
        return "None"
    return f"{name}[{', '.join('...' if one is ... else _said(one) if isinstance(one, type) or typing.get_origin(one) else str(one) for one in inner)}]" if inner else name


def _words(name, wanted, value):
    return f'"{name}" is expected to be of type {wanted}, but got {type(value).__name__}: {value!r}'
