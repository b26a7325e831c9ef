"""Documents as text.

One writer walks a document and remembers where the text of each document with source paths begins and ends; the places
of those whose path is the longest prefix of a path that is asked for are underlined.  Operands get brackets when
they bind weaker than their operator, as in Python's table of precedence, and right operands also when they bind equally.  As in TVM the first value of a conditional expression counts as a left
operand: one that is a conditional itself gets no brackets, although Python reads the text otherwise.
"""
import math

from . import doc as _d
from .doc import OperationKind as _K

_TOKENS = {
    _K.USub: "-", _K.Invert: "~", _K.Not: "not ", _K.Add: "+", _K.Sub: "-", _K.Mult: "*", _K.Div: "/", _K.FloorDiv: "//", _K.Mod: "%", _K.Pow: "**",
    _K.LShift: "<<", _K.RShift: ">>", _K.BitAnd: "&", _K.BitOr: "|", _K.BitXor: "^", _K.Lt: "<", _K.LtE: "<=", _K.Eq: "==", _K.NotEq: "!=", _K.Gt: ">",
    _K.GtE: ">=", _K.And: "and", _K.Or: "or",
}

# From the weakest to the strongest; lambda is weaker than all of them and everything else is stronger.
_LEVELS = [{_K.IfThenElse}, {_K.Or}, {_K.And}, {_K.Not}, {_K.Lt, _K.LtE, _K.Eq, _K.NotEq, _K.Gt, _K.GtE}, {_K.BitOr}, {_K.BitXor}, {_K.BitAnd},
           {_K.LShift, _K.RShift}, {_K.Add, _K.Sub}, {_K.Mult, _K.Div, _K.FloorDiv, _K.Mod}, {_K.USub, _K.Invert}, {_K.Pow}]
_STRENGTH = {kind: level for level, kinds in enumerate(_LEVELS, 1) for kind in kinds}
_ATOM = len(_LEVELS) + 1
_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\", '"': '\\"'}


def _strength(doc):
    if isinstance(doc, _d.OperationDoc):
        return _STRENGTH[doc.kind]
    return 0 if isinstance(doc, _d.LambdaDoc) else _ATOM


def _quoted(text):
    def one(char):
        if char in _ESCAPES:
            return _ESCAPES[char]
        return char if " " <= char <= "~" else "".join(f"\\x{byte:02X}" for byte in char.encode("utf-8", "surrogateescape"))

    return '"' + "".join(map(one, text)) + '"'


def _literal(value):
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, float):
        return f"{value:.17g}" if math.isfinite(value) else f'"{value}"'
    return str(value)


def _comment_lines(text):
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


class _Writer:
    """The text so far, its indentation, and the places of documents."""

    def __init__(self, indent_spaces):
        self._step = indent_spaces
        self._indent = 0
        self._parts = []
        self._size = 0
        self.places = []

    @property
    def text(self):
        """All of it."""
        return "".join(self._parts)

    def put(self, *items):
        """Texts and documents; None is nothing."""
        for item in items:
            if isinstance(item, str):
                self._parts.append(item)
                self._size += len(item)
            elif item is not None:
                start = self._size
                getattr(self, "_put_" + type(item).__name__)(item)
                self.places += [(path, start, self._size) for path in item.source_paths]

    def line(self):
        """A new line."""
        self.put("\n" + " " * self._indent)

    def _joined(self, docs):
        for at, item in enumerate(docs):
            self.put(", " if at else None, item)

    def _block(self, stmts):
        self._indent += self._step
        for stmt in stmts or ["pass"]:
            self.line()
            self.put(stmt)
        self._indent -= self._step

    def _child(self, doc, strength, also_equal=False):
        own = _strength(doc)
        self.put(*("(", doc, ")") if own < strength or (also_equal and own == strength) else (doc,))

    def _comment_behind(self, stmt):
        if stmt.comment is None:
            return
        if "\n" in stmt.comment:
            raise ValueError(f"the comment string of {type(stmt).__name__} cannot have newline.")
        self.put("  # ", stmt.comment)

    def _comment_above(self, stmt):
        for line in _comment_lines(stmt.comment or ""):
            self.put("# ", line)
            self.line()

    def _documentation(self, text):
        for line in ['"""', *_comment_lines(text), '"""']:
            self.put("\n" + " " * self._indent + line if line else "\n")

    # ---- expressions ----------------------------------------------------------------------------

    def _put_LiteralDoc(self, doc):
        self.put(_literal(doc.value))

    def _put_IdDoc(self, doc):
        self.put(doc.name)

    def _put_AttrAccessDoc(self, doc):
        self._child(doc.value, _ATOM)
        self.put(".", doc.name)

    def _put_IndexDoc(self, doc):
        self._child(doc.value, _ATOM)
        self.put("[")
        self._joined(doc.indices or ["()"])
        self.put("]")

    def _put_CallDoc(self, doc):
        self._child(doc.callee, _ATOM)
        self.put("(")
        self._joined(doc.args)
        for at, (key, value) in enumerate(zip(doc.kwargs_keys, doc.kwargs_values)):
            self.put(", " if at or doc.args else None, key, "=", value)
        self.put(")")

    def _put_OperationDoc(self, doc):
        kind, operands, own = doc.kind, doc.operands, _STRENGTH.get(doc.kind)
        if own is None:
            raise ValueError(f"{doc.kind!r} is no operator")
        count = 1 if kind < _K._UnaryEnd else 2 if kind < _K._BinaryEnd else 3
        if len(operands) != count:
            raise ValueError(f"{kind.name} requires {count} operands, but got {len(operands)}")
        if count == 1:
            self.put(_TOKENS[kind])
            self._child(operands[0], own)
        elif count == 3:
            self._child(operands[1], own)
            self.put(" if ")
            self._child(operands[0], own, True)
            self.put(" else ")
            self._child(operands[2], own, True)
        else:
            power = kind == _K.Pow
            self._child(operands[0], own, power)
            self.put(f" {_TOKENS[kind]} ")
            self._child(operands[1], _STRENGTH[_K.USub] if power else own, not power)

    def _put_LambdaDoc(self, doc):
        self.put("lambda ")
        self._joined(doc.args)
        self.put(": ")
        self._child(doc.body, _strength(doc))

    def _put_TupleDoc(self, doc):
        self.put("(")
        self._joined(doc.elements)
        self.put(",)" if len(doc.elements) == 1 else ")")

    def _put_ListDoc(self, doc):
        self.put("[")
        self._joined(doc.elements)
        self.put("]")

    def _put_DictDoc(self, doc):
        self.put("{")
        for at, (key, value) in enumerate(zip(doc.keys, doc.values)):
            self.put(", " if at else None, key, ": ", value)
        self.put("}")

    def _put_SliceDoc(self, doc):
        self.put(doc.start, ":", doc.stop)
        if doc.step is not None:
            self.put(":", doc.step)

    # ---- statements -----------------------------------------------------------------------------

    def _put_StmtBlockDoc(self, doc):
        for stmt in doc.stmts:
            self.put(stmt)
            self.line()

    def _put_AssignDoc(self, doc):
        if isinstance(doc.lhs, _d.TupleDoc):
            self._joined(doc.lhs.elements)
        else:
            self.put(doc.lhs)
        for sign, part in ((": ", doc.annotation), (" = ", doc.rhs)):
            if part is not None:
                self.put(sign, part)
        self._comment_behind(doc)

    def _put_IfDoc(self, doc):
        self._comment_above(doc)
        self.put("if ", doc.predicate, ":")
        self._block(doc.then_branch)
        if doc.else_branch:
            self.line()
            self.put("else:")
            self._block(doc.else_branch)

    def _put_WhileDoc(self, doc):
        self._comment_above(doc)
        self.put("while ", doc.predicate, ":")
        self._block(doc.body)

    def _put_ForDoc(self, doc):
        self._comment_above(doc)
        self.put("for ")
        if isinstance(doc.lhs, _d.TupleDoc):
            self._joined(doc.lhs.elements)
            self.put("," if len(doc.lhs.elements) == 1 else None)
        else:
            self.put(doc.lhs)
        self.put(" in ", doc.rhs, ":")
        self._block(doc.body)

    def _put_ScopeDoc(self, doc):
        self._comment_above(doc)
        self.put("with ", doc.rhs)
        if doc.lhs is not None:
            self.put(" as ", doc.lhs)
        self.put(":")
        self._block(doc.body)

    def _put_ExprStmtDoc(self, doc):
        self.put(doc.expr)
        self._comment_behind(doc)

    def _put_AssertDoc(self, doc):
        self.put("assert ", doc.test)
        if doc.msg is not None:
            self.put(", ", doc.msg)
        self._comment_behind(doc)

    def _put_ReturnDoc(self, doc):
        self.put("return ", doc.value)
        self._comment_behind(doc)

    def _definition(self, doc):
        if doc.comment is not None:
            self._indent += self._step
            self._documentation(doc.comment)
            self._indent -= self._step
        self._block(doc.body)
        self.put("\n")

    def _decorators(self, doc):
        for decorator in doc.decorators:
            self.put("@", decorator)
            self.line()

    def _put_FunctionDoc(self, doc):
        if any(arg.comment is not None for arg in doc.args):
            raise ValueError("a parameter of a function cannot have a comment")
        self._decorators(doc)
        self.put("def ", doc.name, "(")
        self._joined(doc.args)
        self.put(")")
        if doc.return_type is not None:
            self.put(" -> ", doc.return_type)
        self.put(":")
        self._definition(doc)

    def _put_ClassDoc(self, doc):
        self._decorators(doc)
        self.put("class ", doc.name, ":")
        self._definition(doc)

    def _put_CommentDoc(self, doc):
        for at, line in enumerate(_comment_lines(doc.comment)):
            if at:
                self.line()
            self.put("# ", line)

    def _put_DocStringDoc(self, doc):
        if doc.comment:
            lines = ['"""', *_comment_lines(doc.comment), '"""']
            for at, line in enumerate(lines):
                if at:
                    self.put("\n" + " " * self._indent if line else "\n")
                self.put(line)


def _underlined(places, paths):
    """The places whose path is the longest prefix, for each of the paths."""
    found = []
    for wanted in paths:
        prefixes = [(len(path), start, end) for path, start, end in places if path.is_prefix_of(wanted)]
        longest = max((length for length, _, _ in prefixes), default=0)
        found += [(start, end) for length, start, end in prefixes if length == longest]
    return found


def _carets(line, at, spans):
    """The marks under a line that begins at the position `at`."""
    row = [" "] * (len(line) + 1)
    for start, end in spans:
        first, last = max(start - at, 0), min(end - at, len(line))
        if first <= len(line) and last >= first and (last > first or start == end):
            body = range(first, max(last, first + 1))
            skip = len(line) - len(line.lstrip(" "))
            for column in body:
                if column >= skip or start - at == column:
                    row[column] = "^"
    return "".join(row).rstrip()


def _shown(lines, marks, context):
    """Which lines are shown: those near marks, and hidden ones that are alone."""
    if context is None or context < 0 or not any(marks):
        return [True] * len(lines)
    near = [any(marks[max(0, i - context):i + context + 1]) for i in range(len(lines))]
    return [shown or not ((i > 0 and not near[i - 1]) or (i + 1 < len(near) and not near[i + 1])) for i, shown in enumerate(near)]


def _decorated(text, spans, numbers, context):
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    marks = [_carets(line, at, spans) for line, at in zip(lines, starts)]
    shown = _shown(lines, marks, context)
    width = len(str(len(lines))) if numbers else 0
    result, hidden = [], 0
    for at, line in enumerate(lines):
        if not shown[at]:
            hidden += 1
            if at + 1 == len(lines) or shown[at + 1]:
                result.append(f"(... {hidden} lines skipped ...)")
                hidden = 0
            continue
        result.append(f"{at + 1:>{width}} {line}" if numbers else line)
        if marks[at]:
            result.append(" " * (width + 1 if numbers else 0) + marks[at])
    return "\n".join(result).rstrip()


def to_python_script(doc, indent_spaces=4, print_line_numbers=False, num_context_lines=None, path_to_underline=None):
    """The text of a document; documents at paths are underlined, with so many lines of context."""
    writer = _Writer(indent_spaces)
    writer.put(doc)
    paths = [] if path_to_underline is None else path_to_underline if isinstance(path_to_underline, (list, tuple)) else [path_to_underline]
    return _decorated(writer.text, _underlined(writer.places, paths), print_line_numbers, num_context_lines)
