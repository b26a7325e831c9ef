"""Help for tests of Relax."""
from . import nn, runtime_builtin
