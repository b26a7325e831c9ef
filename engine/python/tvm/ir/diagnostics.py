"""The name under which TVM keeps its diagnostics."""
from ..error import DiagnosticError
