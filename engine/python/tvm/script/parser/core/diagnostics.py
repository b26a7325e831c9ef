"""The text of a definition, and what is said of places in it."""
import inspect
import sys

from . import doc


class Source:
    """The text that is read: its file, where it begins, and the whole file around it."""

    def __init__(self, program):
        if isinstance(program, str):
            self.source_name = "<str>"
            self.start_line, self.start_column = 1, 0
            self.source = self.full_source = program
            return
        if isinstance(program, doc.AST):
            self.source_name, self.source, self.full_source = "<tree>", "", ""
            self.start_line, self.start_column, self._tree = 1, 0, program
            return
        self.source_name = inspect.getsourcefile(program)
        lines, self.start_line = inspect.getsourcelines(program)
        self.start_column = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
        if self.start_column and lines:
            lines = [line[self.start_column:] if not line[:self.start_column].strip() else line for line in lines]
        self.source = "".join(lines)
        module = inspect.getmodule(program)
        self.full_source = self.source if module is None else _whole(module, self.source)

    def as_ast(self):
        """The tree of the text."""
        return getattr(self, "_tree", None) or doc.parse(self.source)


def _whole(module, text):
    try:
        return inspect.getsource(module)
    except (OSError, TypeError):
        return text


class Diagnostics:
    """What is said of a text while it is read; an error ends the reading."""

    def __init__(self, source):
        self.source = source

    def _place(self, node):
        line = (getattr(node, "lineno", None) or 1) + self.source.start_line - 1
        return f"{self.source.source_name}:{line}:{(getattr(node, 'col_offset', None) or 0) + self.source.start_column + 1}"

    def error(self, node, message):
        """Raises DiagnosticError with the place."""
        from ....error import DiagnosticError

        raise DiagnosticError(f"{self._place(node)}: error: {message}")

    def warning(self, node, message):
        """Writes a sentence to the error output."""
        print(f"{self._place(node)}: warning: {message}", file=sys.stderr)
