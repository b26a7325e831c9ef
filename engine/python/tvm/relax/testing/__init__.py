"""Help for tests of Relax."""
from . import nn, runtime_builtin
from .ast_printer import ASTPrinter, dump_ast
from .matmul import get_relax_matmul_module
from .vm import check_saved_func
