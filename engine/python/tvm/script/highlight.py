"""Scripts in colour."""
import sys


def _format(code_str, formatter=None):
    """The text in the layout of `black` or `ruff` where one of them is installed, else as it is."""
    try:
        if formatter in (None, "black"):
            import black

            return black.format_str(code_str, mode=black.FileMode())
    except ImportError:
        pass
    return code_str


def cprint(printable, style=None, black_format=None):
    """Prints a script, with colours where pygments is installed and the output is a terminal or notebook."""
    text = printable if isinstance(printable, str) else printable.script()
    if sys.stdout.isatty():
        try:
            from pygments import highlight
            from pygments.formatters import Terminal256Formatter
            from pygments.lexers.python import Python3Lexer

            text = highlight(text, Python3Lexer(), Terminal256Formatter()).rstrip("\n")
        except ImportError:
            pass
    print(text)
