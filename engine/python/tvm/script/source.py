"""From a decorated Python object to its text, and from text to modules.

The text of a definition is found through the code object of a function (its file and first line), because a class has
neither in a notebook, and one of two classes of a name would be the wrong one.  Nothing of a class body is run as a
program of TVM.
"""
import builtins
import sys
import types

import _loopscope as _core

MARK = "__loopscope_script__"


def definition_of(func):
    """(text, file, line) of a function with its decorators."""
    code = func.__code__
    return _cut(code.co_filename, code.co_firstlineno, func.__globals__)


def _lines(filename, module_globals):
    import linecache

    lines = linecache.getlines(filename, module_globals)
    if not lines:
        linecache.checkcache(filename)
        lines = linecache.getlines(filename, module_globals)
    if not lines:
        raise OSError(f"the source of {filename} cannot be read")
    return lines


def _cut(filename, line, module_globals):
    lines = _lines(filename, module_globals)
    return _core.definition("".join(lines[line - 1:])), filename, line


def _indent(line):
    return len(line) - len(line.lstrip())


def class_definition(cls, frame):
    """(text, file, line) of a class: upwards from its first function, else by the frame that makes it."""
    first = None
    for value in vars(cls).values():
        func = getattr(value, "__wrapped__", value)
        code = getattr(func, "__code__", None)
        if isinstance(code, types.CodeType) and getattr(func, "__qualname__", "").startswith(cls.__qualname__ + "."):
            if first is None or code.co_firstlineno < first.__code__.co_firstlineno:
                first = func
    if first is None:
        import inspect

        text = inspect.getsource(cls)
        return text, inspect.getsourcefile(cls) or "<class>", inspect.getsourcelines(cls)[1]
    code = first.__code__
    lines = _lines(code.co_filename, first.__globals__)
    at = code.co_firstlineno - 1
    inner = _indent(lines[at])
    while at > 0:
        at -= 1
        words = lines[at].split()
        if words and words[0] == "class" and _indent(lines[at]) < inner and words[1].startswith(cls.__name__):
            break
    level = _indent(lines[at])
    while at > 0:
        above = lines[at - 1]
        if above.strip() and _indent(above) == level and above.lstrip()[0] in "@)":
            at -= 1
        elif above.strip() and _indent(above) > level and any(lines[k].lstrip().startswith("@") and _indent(lines[k]) == level
                                                              and lines[k].count("(") > lines[k].count(")") for k in range(max(0, at - 8), at - 1)):
            at -= 1
        else:
            break
    return _cut(code.co_filename, at + 1, first.__globals__)


def dedent(text):
    """Without the indentation of the first line."""
    lines = text.splitlines(True)
    level = next((_indent(line) for line in lines if line.strip()), 0)
    if level == 0:
        return text
    return "".join(line[level:] if line[:level].isspace() else line.lstrip() if not line[:level].strip() else line for line in lines)


def captured(funcs):
    """What the functions see around them: their globals, then what their closures hold."""
    names = {}
    for func in funcs:
        names.update(func.__globals__)
    for func in funcs:
        for name, cell in zip(func.__code__.co_freevars, func.__closure__ or ()):
            try:
                names[name] = cell.cell_contents
            except ValueError:
                pass
    return names


def mark_macro(func, hygienic):
    """The function as a macro; a hygienic one means the values that its names have now."""
    func.__loopscope_macro__ = hygienic
    func.__loopscope_captured__ = {k: v for k, v in captured([func]).items() if k in func.__code__.co_freevars + func.__code__.co_names}
    return func


def in_class_body(frame):
    """Is the frame one that runs the body of a class that becomes a module (or one of which that cannot be seen)?"""
    if frame is None or "__module__" not in frame.f_locals or "__qualname__" not in frame.f_locals or frame.f_code.co_name == "<module>":
        return False
    try:
        lines = _lines(frame.f_code.co_filename, frame.f_globals)[frame.f_code.co_firstlineno - 1:]
    except OSError:
        return True
    for line in (text.strip() for text in lines):
        if line.startswith("@") and ("ir_module" in line or "rewriter" in line):
            return True
        if line.startswith("class "):
            return False
    return True


def decorated(text, line, decorator, names, key, value):
    """The text and its line with the decorator above it when it is called as a function instead."""
    head = dedent(text)
    if head.lstrip().startswith("@"):
        return text, line
    names[key] = value
    return f"@{key}.{decorator}\n{head}", max(line - 1, 1)


def parse_text(text, filename, line, names, lenient=False):
    """The module of a text; lines are counted as in its file.  `lenient`: a module that is not well formed is one too."""
    from .macros import expand

    text = expand(text, names)
    if "emit_te" in text:
        from .relax import te_caller

        names["_loopscope_call_te"] = te_caller()
    return _parsed("\n" * (line - 1) + dedent(text), filename, names, lenient)


def _parsed(text, filename, names, lenient=False):
    from ..error import DiagnosticError

    try:
        mod = _core.parse(text, filename, names, lenient)
    except DiagnosticError as error:
        from ..ir.diagnostics import tell

        tell(error)
        raise
    return _with_named_intrinsics(mod) if "call_llvm_" in text else mod


def _with_named_intrinsics(mod):
    """The module with the names of LLVM's intrinsics where a text has their numbers: those change with LLVM's version."""
    from ..tir.op import _llvm_name
    from ..tir.transform.each import with_body

    def name(call):
        if getattr(call.op, "name", "") not in ("tir.call_llvm_intrin", "tir.call_llvm_pure_intrin") or _core.kind(call.args[0]) != "IntImm":
            return None
        return _core.call(str(call.dtype), call.op.name, [_llvm_name(int(call.args[0])), *list(call.args)[1:]])

    for var, func in mod.functions.items():
        if _core.kind(func) == "PrimFunc":
            body = _core.transform(func.body, None, name, ["Call"])
            if not body.same_as(func.body):
                mod[var] = with_body(func, body)
    return mod


def check(node):
    """Raises the findings of the verifiers, if any."""
    findings = _core.verify(node) if _core.kind(node) in ("Module", "PrimFunc") else None
    if findings is not None:
        from ..error import DiagnosticError

        raise DiagnosticError(findings)
    check_relax(node)


def check_relax(mod):
    """Raises what the verifier of Relax finds in a module, if anything."""
    if _core.kind(mod) != "Module":
        return
    findings = _core.relax_findings(mod)
    if findings:
        from ..error import DiagnosticError

        raise DiagnosticError("This IR is not well formed: " + "\n".join(findings))


def the_function(mod, name):
    """The one function of a module made from a free definition."""
    return mod[name]


def from_source(program, extra_vars=None, check_well_formed=True):
    """Reads TVMScript text: a module, or a function when the text is one."""
    if not isinstance(program, str):
        import inspect

        program = inspect.getsource(program)
    names = dict(extra_vars or {})
    mod = _parsed(dedent(program), "<str>", names, not check_well_formed)
    if check_well_formed:
        check(mod)
    is_module = any(line.startswith("class ") for line in dedent(program).splitlines())
    functions = list(mod.functions.items())
    if not is_module and len(functions) == 1:
        return functions[0][1]
    return mod


def parse(program, extra_vars=None, check_well_formed=True):
    """The newer name of from_source."""
    return from_source(program, extra_vars, check_well_formed)


def frame_of_caller(depth=2):
    """The frame of whoever called the function that asks."""
    return sys._getframe(depth)


_BUILTINS = vars(builtins)
