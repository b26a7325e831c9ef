"""Hooks that check modules around passes."""
from ...ir.instrument import pass_instrument


@pass_instrument
class WellFormedInstrument:
    """Checks that modules are well formed before and after each pass; Normalize makes them so."""

    def __init__(self, validate_before_transform=True):
        self.skip_pass_name = ["Normalize", "NormalizeGlobalVar", "ResolveGlobals"]
        self.validate_before_transform = validate_before_transform

    def run_before_pass(self, mod, pass_info):
        """Before."""
        if self.validate_before_transform:
            self._check(mod, pass_info.name, "Before")

    def run_after_pass(self, mod, pass_info):
        """After."""
        self._check(mod, pass_info.name, "After")

    def _check(self, mod, pass_name, when):
        from .. import analysis

        if pass_name not in self.skip_pass_name and not analysis.well_formed(mod):
            mod.show()
            raise AssertionError(f"{when} running the pass {pass_name}, the module is not well formed")
