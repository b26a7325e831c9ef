"""Printing as TVMScript."""
import re

import _loopscope as _core

from . import object as _object

# What stands alone in a text of its own: the variables that it uses are said before it.
_ALONE = {"RelaxVar", "DataflowVar", "RelaxCall", "RelaxTuple", "TupleGetItem", "SeqExpr", "ShapeExpr", "PrimValue", "VarBinding", "MatchCast", "BindingBlock",
          "DataflowBlock", "TensorStructInfo", "ShapeStructInfo", "TupleStructInfo", "FuncStructInfo", "PrimStructInfo", "DTensorStructInfo"}


def _mismatch():
    """The exception for a name that cannot be used; errors are set up later than this file."""
    from ..error import _ValueMismatch

    return _ValueMismatch


def _printed(name):
    return name + "_1" if name in ("R", "T", "I", "cls") else name


def _declarations(node):
    """Lines for the free variables of a Relax expression, binding, block or struct info, in the order of their use."""
    if _core.kind(node) not in _ALONE:
        return []
    lines, said, bound = [], [], []

    def dimensions(of):
        for var in _core.relax_symbols(of, 0):
            if not any(var.same_as(x) for x in said):
                said.append(var)
                lines.append(f"{_printed(var.name)} = T.{var.dtype}()")

    def enter(part):
        kind = _core.kind(part)
        if kind in ("VarBinding", "MatchCast"):
            _core.walk(part.value, enter, None)
            bound.append(part.var)
            return False
        if kind == "Function":
            return False
        if kind in ("RelaxVar", "DataflowVar") and not any(part.same_as(x) for x in said + bound):
            said.append(part)
            info = part.struct_info_
            if info is not None:
                dimensions(info)
                lines.append(f"{_printed(part.name_hint)}: {info.script()}")
        return True

    _core.walk(node, enter, None)
    dimensions(node)
    return lines


def _choice(node):
    """An If by itself: its branches say their variables themselves."""
    def branch(of):
        return "".join(f"\n    {line}" for line in of.script(verbose_expr=True).splitlines())

    lines = _declarations(node.cond) + [f"if {node.cond.script()}:"]
    return "\n".join(lines) + branch(node.true_branch) + "\nelse:" + branch(node.false_branch)


def readable(node):
    """The text of a module or a function that is to be read again here, with steps on it: with its constants, and with the names that
    the text has to change in comments behind it."""
    return _core.print(node, _object.get_style(), True, False, 4, None, True, None, False, True).rstrip("\n")


class PrinterConfig:
    """How a script is printed."""

    def __init__(self, **options):
        self.__dict__.update(options)


class Scriptable:
    """Something with a script."""

    __slots__ = ()

    def _repr_html_(self):
        """What a notebook shows."""
        from .rich import code

        return code(self.script())

    def script(self, *, name=None, show_meta=False, ir_prefix="I", tir_prefix="T", relax_prefix="R", module_alias="cls", buffer_dtype="float32",
               int_dtype="int32", float_dtype="void", verbose_expr=False, indent_spaces=4, print_line_numbers=False, num_context_lines=None,
               syntax_sugar=True, show_object_address=False, path_to_underline=None, path_to_annotate=None, obj_to_underline=None,
               obj_to_annotate=None, show_all_struct_info=True, style=None):
        """The TVMScript text."""
        for prefix in (ir_prefix, tir_prefix, relax_prefix, module_alias):
            if prefix and not prefix.isidentifier():
                raise _mismatch()(f"a name stands in front of what a dialect offers; {prefix!r} is none")
        if _core.kind(self) == "RelaxIf":
            return _choice(self)
        marks = path_to_underline or obj_to_underline or path_to_annotate or obj_to_annotate
        ranges = [] if marks else None
        text = _core.print(self, style or _object.get_style(), True, not syntax_sugar, indent_spaces, name, show_meta, ranges, not show_all_struct_info)
        if show_object_address and not marks:
            from ..script.printer.marks import with_addresses

            text = with_addresses(text, self, name, syntax_sugar, indent_spaces)
        if verbose_expr and not marks:
            before, text = "".join(line + "\n" for line in _declarations(self)), text.lstrip("\n")
            text = text if text.startswith(before) else before + text
        if (ir_prefix, tir_prefix, relax_prefix, module_alias) != ("I", "T", "R", "cls"):
            if marks:
                raise ValueError("a script with other prefixes has no marks: places are told by the text with the usual ones")
            from ..script.printer.marks import renamed

            text = renamed(text, {"I": ir_prefix, "T": tir_prefix, "R": relax_prefix, "cls": module_alias or "cls"})
            if not module_alias:
                text = re.sub(r"^ *cls = (\w+)\n", "", text, flags=re.MULTILINE)
                text = re.sub(r"(?<![\w.])cls\.(?=\w)", "Module.", text)
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
