"""An instrument of the virtual machine that runs every compiled function a second time, from another module."""


class LibCompareVMInstrument:
    """After each call of a function that `mod` has as well: calls that one, and compares the last argument."""

    def __init__(self, mod, device, verbose=True, rtol=1e-5, atol=1e-5):
        self.mod, self.device, self.verbose, self.rtol, self.atol = mod, device, verbose, rtol, atol
        self.counter = 0

    def _tell(self, text):
        if self.verbose:
            print(text)

    def compare(self, name, ref_args, new_args, ret_indices):
        """Calls the other function and compares the arguments of these numbers."""
        from ...testing import assert_allclose

        self._tell(f"[{self.counter}] Validating {name} ...")
        self.mod.get_function(name, query_imports=True)(*new_args)
        for i in ret_indices:
            assert_allclose(new_args[i].numpy(), ref_args[i].numpy(), rtol=self.rtol, atol=self.atol)
        self._tell(f"[{self.counter}] Validating {name}, passed.")
        self.counter += 1

    def skip_instrument(self, func, name, before_run, ret_val, *args):
        """Whether to leave a call alone; for subclasses."""
        return False

    def _known(self, name):
        try:
            return self.mod.get_function(name, query_imports=True) is not None
        except AttributeError:
            self._tell(f"Cannot find {name}, skip...")
            return False

    def __call__(self, func, name, before_run, ret_val, *args):
        from ...runtime.ndarray import NDArray, array, empty

        if before_run or name.startswith("vm.builtin.") or not args or any(not isinstance(arg, NDArray) for arg in args) or not self._known(name):
            return
        if self.skip_instrument(func, name, before_run, ret_val, *args):
            return
        last = len(args) - 1
        fresh = [array(arg, self.device) for arg in args[:last]] + [empty(args[last].shape, args[last].dtype, self.device)]
        self.compare(name, args, fresh, (last,))
