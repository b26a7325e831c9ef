"""Hooks around passes."""


class PassInstrument:
    """Base of hooks: override run_before_pass and run_after_pass."""

    def enter_pass_ctx(self):
        """The context begins."""

    def exit_pass_ctx(self):
        """The context ends."""

    def should_run(self, mod, info):
        """Is the pass to run?"""
        return True

    def run_before_pass(self, mod, info):
        """Before a pass."""

    def run_after_pass(self, mod, info):
        """After a pass."""


def pass_instrument(pi_cls=None):
    """Decorator: a class with some of the hooks becomes one with all of them."""

    def make(cls):
        return type(cls.__name__, (cls, PassInstrument), {"__doc__": cls.__doc__})

    return make(pi_cls) if pi_cls is not None else make


@pass_instrument
class PrintAfterAll:
    """Prints each module after its pass."""

    def run_after_pass(self, mod, info):
        """Prints."""
        print("After Running Pass: " + str(info))
        print(mod)


@pass_instrument
class PrintBeforeAll:
    """Prints each module before its pass."""

    def run_before_pass(self, mod, info):
        """Prints."""
        print("Before Running Pass: " + str(info))
        print(mod)


@pass_instrument
class PassTimingInstrument:
    """Times passes."""

    def __init__(self):
        self.times = []

    def run_before_pass(self, mod, info):
        """Starts the clock."""
        import time

        self._start = time.perf_counter()

    def run_after_pass(self, mod, info):
        """Stops it."""
        import time

        self.times.append((info.name, time.perf_counter() - self._start))

    def render(self):
        """The times as text."""
        return "\n".join(f"{name}: {1e6 * seconds:.0f}us" for name, seconds in self.times)
