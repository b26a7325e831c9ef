"""One module under several names: TVM has moved its modules about, and its users' imports name all the places."""
import importlib
import importlib.machinery
import sys

# What is asked for under the first name, and all below it, is there under the second.
_MOVED = {}


def alias(name, module):
    """Makes `import name` give a module that exists; the name is that of its parent and a last word."""
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent in sys.modules and not hasattr(sys.modules[parent], last):
        setattr(sys.modules[parent], last, module)
    return module


class _Mover:
    """Finds `tvm.tirx.transform` as `tvm.tir.transform`: the same module, not another one of the same text.

    A finder and a loader by what it answers: the classes of importlib.abc cost a third of the import of this package.
    """

    def find_spec(self, name, path=None, target=None):
        before = name if name.startswith(("tvm.", "tvm_ffi")) else ""
        while before and before not in _MOVED:
            before = before.rpartition(".")[0]
        if not before:
            return None
        try:
            module = importlib.import_module(_MOVED[before] + name[len(before):])
        except ModuleNotFoundError:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, is_package=hasattr(module, "__path__"))
        spec.loader_state = module, module.__spec__
        return spec

    def create_module(self, spec):
        return spec.loader_state[0]

    def exec_module(self, module):
        # the machinery has given it the spec of the asked name: it keeps its own
        module.__spec__ = module.__spec__.loader_state[1]


def moved(name, where):
    """Makes `import name`, and imports of what is below it, give what stands below `where`."""
    if not _MOVED:
        sys.meta_path.insert(0, _Mover())
    _MOVED[name] = where
