"""Scripts in colour."""
import sys


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
