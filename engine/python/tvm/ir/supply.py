"""Names that are not taken."""


class NameSupply:
    """Gives each name once."""

    def __init__(self, prefix=""):
        self._prefix, self._taken = prefix, {}

    def _full(self, name, add_prefix, add_underscore):
        name = name or "v"
        text = f"{self._prefix}{'_' if add_underscore else ''}{name}" if add_prefix and self._prefix else name
        return "".join(c if c.isalnum() else "_" for c in text)

    def fresh_name(self, name, add_prefix=True, add_underscore=True):
        """A name like this one."""
        text = self._full(name, add_prefix, add_underscore)
        if text not in self._taken:
            self._taken[text] = 0
            return text
        while True:
            self._taken[text] += 1
            fresh = f"{text}_{self._taken[text]}"
            if fresh not in self._taken:
                self._taken[fresh] = 0
                return fresh

    def reserve_name(self, name, add_prefix=True, add_underscore=True):
        """Takes a name."""
        text = self._full(name, add_prefix, add_underscore)
        self._taken.setdefault(text, 0)
        return text

    def contains_name(self, name, add_prefix=True, add_underscore=True):
        """Is it taken?"""
        return self._full(name, add_prefix, add_underscore) in self._taken


class GlobalVarSupply:
    """Gives each GlobalVar once."""

    def __init__(self, value=None):
        from .module import IRModule

        self._names = value if isinstance(value, NameSupply) else NameSupply()
        self._vars = {}
        for mod in [value] if isinstance(value, IRModule) else value if isinstance(value, (list, tuple)) else []:
            for var in mod.functions:
                self.reserve_global(var)

    def fresh_global(self, name, add_prefix=True):
        """A new one with a name like this one."""
        from .expr import GlobalVar

        var = GlobalVar(self._names.fresh_name(name, add_prefix))
        self._vars[var.name_hint] = var
        return var

    def unique_global_for(self, name, add_prefix=True):
        """The one of this name, always the same."""
        from .expr import GlobalVar

        text = self._names._full(name, add_prefix, True)
        if text not in self._vars:
            self._names.reserve_name(name, add_prefix)
            self._vars[text] = GlobalVar(text)
        return self._vars[text]

    def reserve_global(self, global_var, allow_conflict=False):
        """Takes the name of a GlobalVar."""
        self._names.reserve_name(global_var.name_hint, False, False)
        self._vars[global_var.name_hint] = global_var
