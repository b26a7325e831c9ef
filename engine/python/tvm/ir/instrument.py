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
        return cls if issubclass(cls, PassInstrument) else type(cls.__name__, (cls, PassInstrument), {"__doc__": cls.__doc__, "__module__": cls.__module__})

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
class PassPrintingInstrument:
    """Prints modules before and after passes of these names."""

    def __init__(self, print_before_pass_names=(), print_after_pass_names=()):
        self.before, self.after = list(print_before_pass_names), list(print_after_pass_names)

    def run_before_pass(self, mod, info):
        """Prints."""
        if info.name in self.before:
            print(f"Print IR before: {info.name}\n{mod}\n")

    def run_after_pass(self, mod, info):
        """Prints."""
        if info.name in self.after:
            print(f"Print IR after: {info.name}\n{mod}\n")


@pass_instrument
class DumpIR:
    """Writes each module after its pass into a folder: the number of the pass, and its name.  refresh: dumps that lie there go first, unless the folder
    has anything else in it."""

    def __init__(self, dump_dir, refresh=False):
        import pathlib
        import re

        self.dump_dir, self.counter = pathlib.Path(dump_dir), 0
        if not refresh or not self.dump_dir.is_dir():
            return
        files = list(self.dump_dir.iterdir())
        if all(file.is_file() and re.fullmatch(r"\d{3,}_.*\.py", file.name) for file in files):
            for file in files:
                file.unlink()
        else:
            print(f"WARNING: {self.dump_dir} is left as it is: not everything in it is a dump")

    def run_after_pass(self, mod, info):
        """Writes."""
        import re

        self.dump_dir.mkdir(parents=True, exist_ok=True)
        name = re.sub(r'[<>:"/\\|?*]', "_", info.name)
        (self.dump_dir / f"{self.counter:03d}_{name}.py").write_text(mod.script(show_meta=True), encoding="utf-8")
        self.counter += 1


@pass_instrument
class PassTimingInstrument:
    """Times passes, those inside others below them; what was timed is told until the context is left."""

    def __init__(self):
        self.times, self._open = [], []

    def run_before_pass(self, mod, info):
        """Starts a clock."""
        import time

        self.times.append([len(self._open), info.name, None])
        self._open.append((self.times[-1], time.perf_counter()))

    def run_after_pass(self, mod, info):
        """Stops it."""
        import time

        entry, start = self._open.pop()
        entry[2] = time.perf_counter() - start

    def exit_pass_ctx(self):
        """Forgets."""
        self.times, self._open = [], []

    def render(self):
        """The times as text."""
        whole = sum(seconds or 0 for depth, _, seconds in self.times if depth == 0) or 1.0
        return "\n".join(f"{'	' * depth}{name}: {1e6 * (seconds or 0):.0f}us [{1e6 * (seconds or 0):.0f}us] ({100 * (seconds or 0) / whole:.2f}%)"
                         for depth, name, seconds in self.times) + ("\n" if self.times else "")
