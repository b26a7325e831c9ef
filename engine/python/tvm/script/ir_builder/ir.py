"""I of the builder: modules and what they hold."""
from ...ir import IRModule as _IRModule
from .base import IRBuilder, IRBuilderFrame


class IRModuleFrame(IRBuilderFrame):
    """A module."""

    def __init__(self):
        super().__init__()
        self.functions, self.attrs, self.infos = {}, None, {}

    def close(self, builder):
        from ...ir import GlobalVar

        mod = _IRModule({}, attrs=self.attrs, global_infos=self.infos or None)
        for func in self.stmts:
            name = (getattr(func, "attrs", None) or {}).get("global_symbol")
            if name is not None:
                self.functions.setdefault(str(name), func)
        for name, func in self.functions.items():
            if func is not None:
                mod[GlobalVar(name)] = func
        builder.add(mod)


def ir_module():
    """A module."""
    return IRModuleFrame()


def _module():
    frame = IRBuilder.current().find(IRModuleFrame)
    if frame is None:
        raise ValueError("there is no module around")
    return frame


def decl_function(func_name, func_signature):
    """The name of a function that is written later."""
    from ...ir import GlobalVar

    frame = _module()
    if func_name in frame.functions:
        raise ValueError(f"the module has a function {func_name} already")
    frame.functions[func_name] = func_signature
    return GlobalVar(func_name)


def def_function(func_name, func):
    """The function of a name."""
    _module().functions[func_name] = func


def module_attrs(attrs, allow_overwrite=False):
    """The attributes of the module."""
    frame = _module()
    if frame.attrs and not allow_overwrite:
        raise ValueError(f"the module has attributes already: {frame.attrs}")
    frame.attrs = dict(attrs)


def module_get_attrs():
    """The attributes of the module."""
    return _module().attrs or {}


def module_global_infos(global_infos):
    """What its functions share."""
    _module().infos = dict(global_infos)
