"""Printing as TVMScript."""
import _loopscope as _core

from . import object as _object


class PrinterConfig:
    """How a script is printed."""

    def __init__(self, **options):
        self.__dict__.update(options)


class Scriptable:
    """Something with a script."""

    __slots__ = ()

    def script(self, *, name=None, show_meta=False, ir_prefix="I", tir_prefix="T", relax_prefix="R", module_alias="cls", buffer_dtype="float32",
               int_dtype="int32", float_dtype="void", verbose_expr=False, indent_spaces=4, print_line_numbers=False, num_context_lines=None,
               syntax_sugar=True, show_object_address=False, path_to_underline=None, path_to_annotate=None, obj_to_underline=None,
               obj_to_annotate=None, show_all_struct_info=True, style=None):
        """The TVMScript text."""
        marks = path_to_underline or obj_to_underline or path_to_annotate or obj_to_annotate
        ranges = [] if marks else None
        text = _core.print(self, style or _object.get_style(), True, not syntax_sugar, indent_spaces, name, show_meta, ranges)
        if (ir_prefix, tir_prefix, relax_prefix, module_alias) != ("I", "T", "R", "cls"):
            if marks:
                raise ValueError("a script with other prefixes has no marks: places are told by the text with the usual ones")
            from ..script.printer.marks import renamed

            text = renamed(text, {"I": ir_prefix, "T": tir_prefix, "R": relax_prefix, "cls": module_alias})
        if not marks and not print_line_numbers:
            return text.rstrip("\n")
        from ..script.printer.marks import marked

        return marked(text, ranges or [], path_to_underline, obj_to_underline, path_to_annotate, obj_to_annotate, print_line_numbers, num_context_lines)

    def _relax_script(self, **options):
        return self.script(**options)

    def show(self, style=None, black_format=None, **options):
        """Prints the script, in colour where pygments is installed and the terminal shows it."""
        from ..script.highlight import cprint

        cprint(self.script(**options), style=style)
