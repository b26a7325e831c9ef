"""I: modules."""
import re
import sys

from . import source as _source


def ir_module(mod=None, check_well_formed=True, s_tir=True):
    """Decorator: a class of functions becomes an IRModule.

    `s_tir` is the newer marker of modules with schedulable functions: all are here."""
    frame = sys._getframe(1)
    if mod is not None:
        return _decorate_module(mod, frame, check_well_formed)
    return lambda cls: _decorate_module(cls, sys._getframe(1), check_well_formed)


def _decorate_module(cls, frame, check_well_formed, as_module=False):
    if not isinstance(cls, type):
        raise TypeError(f"Expect a class, but got: {cls}")
    text, filename, line = _source.class_definition(cls, frame)
    if as_module:
        text = re.sub(r"@[\w.]+", "@I.ir_module", text, count=1)
    funcs = [f for f in vars(cls).values() if hasattr(f, "__code__") and hasattr(f, "__globals__")]
    names = _source.captured(funcs)
    if frame is not None:
        for name, value in frame.f_locals.items():
            names.setdefault(name, value) if frame.f_locals is frame.f_globals else names.__setitem__(name, value)
    result = _source.parse_text(text, filename, line, names, not check_well_formed)
    if check_well_formed:
        _source.check(result)
    return result


def _inside(name):
    def call(*args, **kwargs):
        return None

    call.__name__ = name
    call.__doc__ = "Has a meaning inside a module only."
    return call


module_attrs = _inside("module_attrs")
module_global_infos = _inside("module_global_infos")


def dummy_global_info():
    """A global info for tests."""
    from ..ir import DummyGlobalInfo

    return DummyGlobalInfo()


def vdevice(target=None, vdevice_id=0, memory_scope="global"):
    """A virtual device; a text with an index, "llvm:0", is the device of that place in the module's list."""
    from ..ir import VDevice

    return VDevice(target, vdevice_id, memory_scope)


def Range(begin, end=None):
    """Whole numbers from `begin` to before `end`."""
    from ..ir import Range as _Range

    return _Range(begin, end)


def GlobalVar(name):
    """The name of a function."""
    from ..ir import GlobalVar as _GlobalVar

    return _GlobalVar(name)


def is_defined_in_class(*unused):
    """Kept for programs that ask."""
    return False
