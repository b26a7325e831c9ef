"""Functions that differ by target."""


class GenericFunc:
    """A function with a default, and others for the keys of targets."""

    def __init__(self, name=None):
        self.name, self.fdefault, self._by_key = name, None, {}

    def set_default(self, func, allow_override=False):
        """The function where no key fits."""
        if self.fdefault is not None and not allow_override:
            raise ValueError(f"{self.name} has a default already")
        self.fdefault = func

    def register(self, func, key_list, allow_override=False):
        """The function of some keys."""
        for key in [key_list] if isinstance(key_list, str) else key_list:
            if key in self._by_key and not allow_override:
                raise ValueError(f"{self.name} has a function for {key} already")
            self._by_key[key] = func

    def get_packed_func(self):
        """The function for the current target."""
        from .target import Target

        target = Target.current(allow_none=True)
        func = next((self._by_key[key] for key in (target.keys if target is not None else []) if key in self._by_key), self.fdefault)
        if func is None:
            raise ValueError(f"{self.name} has no default and no function for {target}")
        return func

    def __call__(self, *args, **kwargs):
        return self.get_packed_func()(*args, **kwargs)


def _decorated(made):
    """A function that calls the one of the current target, with `register` for others."""
    def call(*args, **kwargs):
        return made(*args, **kwargs)

    def register(key, func=None, override=False):
        """The function of a key, or of several."""
        def keep(given):
            made.register(given, key, override)
            return given

        return keep if func is None else keep(func)

    call.__name__, call.__doc__ = made.fdefault.__name__, made.fdefault.__doc__
    call.register, call.fdefault, call.dispatch_dict = register, made.fdefault, made._by_key
    call.get_packed_func, call.generic_func_node = made.get_packed_func, made
    return call


def generic_func(fdefault):
    """Decorator: a function with others for the keys of targets, by `register`."""
    made = GenericFunc(fdefault.__name__)
    made.set_default(fdefault)
    return _decorated(made)


def override_native_generic_func(func_name):
    """Decorator: the same for the function that `get_native_generic_func` knows by a name; the engine's own operators have no variants by target."""
    def decorate(fdefault):
        made = get_native_generic_func(func_name)
        made.set_default(fdefault, allow_override=True)
        return _decorated(made)

    return decorate


_NATIVE = {}


def get_native_generic_func(name):
    """The function of a name: one for all who ask."""
    return _NATIVE.setdefault(name, GenericFunc(name))
