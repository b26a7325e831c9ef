"""Help for tests of Relax."""
from . import nn, runtime_builtin
from .ast_printer import ASTPrinter, dump_ast
from .vm import check_saved_func
