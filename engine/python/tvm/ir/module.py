"""IRModule: functions by name."""
import _loopscope as _core

from ..runtime.object import register
from ..runtime.script_printer import Scriptable
from .attrs import as_attrs
from .base import Node
from .container import Listed
from .expr import GlobalVar


def _told(var, func):
    """The GlobalVar of a function, which knows the signature of a function of Relax."""
    if _core.kind(func) == "Function":
        _core.set_signature(var, func.struct_info)
    return var


def _name(var):
    if isinstance(var, str):
        return var
    if isinstance(var, GlobalVar):
        return var.name_hint
    raise TypeError(f"a function is named by a text or a GlobalVar, not {var!r}")


@register("Module")
class IRModule(Node, Scriptable):
    """Functions by name.  The object can be changed: it then stands for another module of the engine."""

    __slots__ = ()

    def __new__(cls, functions=None, attrs=None, global_infos=None):
        pairs = []
        for key, value in (functions or {}).items():
            if not isinstance(key, (str, GlobalVar)):
                raise TypeError("Expect functions to be Dict[GlobalVar, Function]")
            pairs.append((key, value))
        return _core.module(pairs, attrs, global_infos)

    @staticmethod
    def from_expr(expr, functions=None):
        """A module with one function, under its own name or "main"."""
        attrs = expr.attrs
        name = attrs["global_symbol"] if attrs is not None and "global_symbol" in attrs else "main"
        mod = IRModule(functions)
        mod[name] = expr
        return mod

    def clone(self):
        """A copy that changes apart from this one."""
        return _core.wrap_as(self, IRModule)

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self.clone()

    @property
    def functions(self):
        """A dictionary from GlobalVar to function."""
        return _Functions(self)

    def _move(self):
        """The module, for a call after which nobody asks for it under this name.  Passes make new modules anyway."""
        return self

    @property
    def attrs(self):
        """The attributes of the module, or None."""
        return as_attrs(_core.field(self, "attrs"))

    @property
    def global_infos(self):
        """What the module says of devices."""
        infos = _core.field(self, "global_infos")
        return {} if infos is None else infos

    @property
    def _vars(self):
        return _core.items(_core.field(self, "global_vars"))

    def __getitem__(self, var):
        func = _core.module_get(self, _name(var))
        if func is None:
            names = ", ".join(f'"{v.name_hint}"' for v in self._vars)
            from ..error import TVMError

            raise TVMError(f"ValueError: There is no definition of I.GlobalVar(\"{_name(var)}\"); the module has {names or 'no functions'}")
        return func

    def __setitem__(self, var, func):
        self._add(var, func)

    def __contains__(self, var):
        return _core.module_get(self, _name(var)) is not None

    def __delitem__(self, var):
        if var not in self:
            raise KeyError(_name(var))
        _core.become(self, _core.module_with(self, _name(var), None))

    def __len__(self):
        return len(self._vars)

    def __iter__(self):
        return iter(self._vars)

    def __bool__(self):
        return True

    def _add(self, var, func, update=True):
        name = _name(var)
        if not update and name in self:
            raise ValueError(f"the module already has a function {name}")
        if isinstance(var, GlobalVar) and name not in self:
            pairs = list(zip(self._vars, _core.items(_core.field(self, "functions")))) + [(var, func)]
            _core.become(self, _core.module(pairs, _core.field(self, "attrs"), _core.field(self, "global_infos")))
        else:
            _core.become(self, _core.module_with(self, name, func))

    def update(self, other):
        """Adds the functions of another module or dictionary; those of the same name are replaced."""
        for var, func in other.functions.items() if isinstance(other, IRModule) else other.items():
            self._add(var, func)

    def update_func(self, var, func):
        """Replaces a function."""
        self._add(var, func)

    def update_global_info(self, name, global_info):
        """Replaces a global info."""
        infos = dict(self.global_infos.items() if hasattr(self.global_infos, "items") else {})
        infos[name] = global_info
        pairs = list(zip(self._vars, _core.items(_core.field(self, "functions"))))
        _core.become(self, _core.module(pairs, _core.field(self, "attrs"), infos))

    def get_global_var(self, name):
        """The GlobalVar of a name."""
        for var in self._vars:
            if var.name_hint == name:
                return _told(var, self[name])
        names = ", ".join(f'"{v.name_hint}"' for v in self._vars)
        from ..error import TVMError

        raise TVMError(f'ValueError: Cannot find global var "{name}" in the Module\ncandidates are: [{names}]')

    def get_global_vars(self):
        """All of them."""
        return [_told(var, self[var.name_hint]) for var in self._vars]

    def functions_items(self):
        """Pairs of GlobalVar and function, sorted by name."""
        return sorted(self.functions.items(), key=lambda pair: pair[0].name_hint)

    def replace_global_vars(self, replacements):
        """A module with functions renamed."""
        names = {_name(k): v for k, v in replacements.items()}
        fresh = {v: GlobalVar(_name(names[v.name_hint])) for v in self._vars if _name(names.get(v.name_hint, v)) != v.name_hint}
        if not fresh:
            return self
        pairs = []
        for var, func in zip(self._vars, _core.items(_core.field(self, "functions"))):
            func = _core.substitute(func, fresh)
            if var in fresh and "global_symbol" in (func.attrs or {}):
                func = func.with_attr("global_symbol", fresh[var].name_hint)
            pairs.append((fresh.get(var, var), func))
        return _core.module(pairs, _core.field(self, "attrs"), _core.field(self, "global_infos"))

    def with_attr(self, attr_key, attr_value):
        """A copy with an attribute."""
        return self.with_attrs({attr_key: attr_value})

    def with_attrs(self, attr_map):
        """A copy with these attributes too."""
        attrs = dict(self.attrs.items()) if self.attrs is not None else {}
        return self._with_attributes({**attrs, **dict(attr_map)})

    def _with_attributes(self, attr_map):
        """A copy with these attributes and no others."""
        pairs = list(zip(self._vars, _core.items(_core.field(self, "functions"))))
        return _core.module(pairs, dict(attr_map), _core.field(self, "global_infos"))

    def without_attr(self, attr_key):
        """A copy without an attribute."""
        attrs = dict(self.attrs.items()) if self.attrs is not None else {}
        attrs.pop(attr_key, None)
        return self._with_attributes(attrs)

    def get_attr(self, attr_key):
        """An attribute, or None."""
        return self.attrs.get(attr_key) if self.attrs is not None else None

    def astext(self, show_meta_data=True):
        """The script."""
        return self.script(show_meta=show_meta_data)

    def __repr__(self):
        return self.script()


class _Functions(dict):
    """The functions of a module; a GlobalVar or its name finds one."""

    def __init__(self, module):
        self._node = _core.field(module, "functions")
        super().__init__(zip(module._vars, _core.items(self._node)))

    def __hash__(self):
        return hash(self._node)

    def __missing__(self, key):
        for var, func in self.items():
            if var.name_hint == key:
                return func
        raise KeyError(key)

    def __contains__(self, key):
        return dict.__contains__(self, key) or any(var.name_hint == key for var in self)

    def items(self):
        """Pairs of GlobalVar and function."""
        return list(super().items())

    def keys(self):
        """The GlobalVars."""
        return Listed(super().keys())

    def values(self):
        """The functions."""
        return Listed(super().values())
