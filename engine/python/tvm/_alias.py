"""One module under several names: TVM has moved its modules about, and its users' imports name all the places."""
import sys


def alias(name, module):
    """Makes `import name` give a module that exists; the name is that of its parent and a last word."""
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent in sys.modules and not hasattr(sys.modules[parent], last):
        setattr(sys.modules[parent], last, module)
    return module
