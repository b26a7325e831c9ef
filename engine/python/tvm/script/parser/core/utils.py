"""What a definition sees around it."""
import inspect

from ...source import captured


def inspect_function_capture(func):
    """The names that a function sees: its globals, then its closure."""
    return captured([func])


def inspect_class_capture(cls):
    """The names that the functions of a class see."""
    return captured([value for value in vars(cls).values() if inspect.isfunction(value)])


def is_defined_in_class(frames, obj):
    """Is an object made while the body of a class runs?"""
    return len(frames) > 2 and any("class " in (line or "") for line in (frames[2].code_context or []))
