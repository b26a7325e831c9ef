"""Machine code from outside, added to a module: its functions are called by their names and written into the library with the rest.

The attribute "external_mods" of the module lists names; the modules themselves stand here, for as long as the process lives."""
from ...ir.transform import module_pass

ATTRIBUTE = "external_mods"
_loaded = {}


def AttachExternModules(extern_modules):  # noqa: N802
    """Adds the functions of ExternModules (relax.frontend.nn.ObjectModule, SourceModule)."""
    from ..frontend.nn import ExternModule

    for one in extern_modules:
        if not isinstance(one, ExternModule):
            raise TypeError(f"what is attached is an ExternModule, not {one}")

    @module_pass(opt_level=0, name="AttachExternalModules")
    def attach(mod, ctx):
        names = [str(name) for name in (mod.attrs[ATTRIBUTE] if mod.attrs and ATTRIBUTE in mod.attrs else [])]
        for one in extern_modules:
            name = f"{type(one).__name__} {len(_loaded)}: {', '.join(one._symbols)}"
            _loaded[name] = (one.load(), list(one._symbols))
            names.append(name)
        return mod.with_attr(ATTRIBUTE, names)

    return attach


def external_modules(mod):
    """(module, [function]) of what AttachExternModules added."""
    names = mod.attrs[ATTRIBUTE] if mod.attrs and ATTRIBUTE in mod.attrs else []
    return [_loaded[str(name)] for name in names if str(name) in _loaded]


def make_callable(modules):
    """The functions become known to the virtual machine, unless one of the name is registered."""
    from ...runtime._registry import get_global_func, register_func

    for module, names in modules:
        for name in names:
            if get_global_func(name, allow_missing=True) is None:
                register_func(name, module.get_function(name))
