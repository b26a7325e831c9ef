"""The value of a Python expression of a script, with the names that stand around it."""
import ast as _ast

from . import doc
from .dispatch import OpMethod, get_op


class ExprEvaluator(doc.NodeVisitor):
    """Evaluates one expression.  Operators of registered types go to what was registered for them, all else to Python."""

    def __init__(self, parser, value_table):
        self.parser, self.value_table = parser, value_table

    @staticmethod
    def eval(parser, value_table, node):  # noqa: A003
        """The value of a node: an expression, or a tree of one."""
        return ExprEvaluator(parser, value_table).visit(_inner(node))

    def visit(self, node):
        """One node."""
        if not isinstance(node, doc.AST):
            return node
        return getattr(self, "visit_" + type(node).__name__, self._by_python)(node)

    def _by_python(self, node):
        names = dict(self.value_table)
        tree = _ast.fix_missing_locations(_ast.Expression(doc.from_doc(node)))
        try:
            return eval(compile(tree, "<script>", "eval"), names)  # noqa: S307
        except Exception as error:
            if self.parser is not None and hasattr(self.parser, "report_error"):
                self.parser.report_error(node, error)
            raise

    def visit_Name(self, node):  # noqa: N802
        """A name."""
        return self.value_table[node.id] if node.id in self.value_table else self._by_python(node)

    def visit_Tuple(self, node):  # noqa: N802
        """A tuple, with what its stars open."""
        result = []
        for item in node.elts:
            result.extend(self.visit(item.value) if isinstance(item, doc.Starred) else [self.visit(item)])
        return tuple(result)

    def visit_List(self, node):  # noqa: N802
        """A list."""
        return list(self.visit_Tuple(node))

    def visit_BinOp(self, node):  # noqa: N802
        """Two operands."""
        return self._operate(node, node.op, [self.visit(node.left), self.visit(node.right)])

    def visit_UnaryOp(self, node):  # noqa: N802
        """One operand."""
        return self._operate(node, node.op, [self.visit(node.operand)])

    def _operate(self, node, op, values):
        for index, value in enumerate(values):
            method = get_op(getattr(type(value), "_dispatch_type", type(value)), type(op), index)
            if method is not None:
                return method(*values)
        names = {f"_{i}": value for i, value in enumerate(values)}
        operands = [doc.Name(id=name, ctx=doc.Load()) for name in names]
        tree = doc.BinOp(*[operands[0], op, operands[1]]) if len(values) == 2 else doc.UnaryOp(op, operands[0])
        return ExprEvaluator(self.parser, names)._by_python(tree)


def _inner(node):
    if isinstance(node, doc.Module):
        node = node.body[0]
    return node.value if isinstance(node, doc.Expr) else node.body if isinstance(node, doc.Expression) else node


def eval_expr(parser, node, dict_globals):
    """The value of an expression."""
    return ExprEvaluator.eval(parser, dict(dict_globals or {}), node)


def eval_assign(parser, target, source):
    """The names that an assignment binds, with their values."""
    if isinstance(target, doc.Name):
        return {target.id: source}
    if isinstance(target, doc.Starred):
        return eval_assign(parser, target.value, list(source))
    result, values = {}, list(source)
    stars = [i for i, item in enumerate(target.elts) if isinstance(item, doc.Starred)]
    rest = len(values) - len(target.elts) + 1 if stars else 1
    if rest < 0 or (not stars and len(values) != len(target.elts)):
        raise ValueError(f"{len(target.elts)} names stand for {len(values)} values")
    at = 0
    for item in target.elts:
        taken = rest if isinstance(item, doc.Starred) else 1
        result.update(eval_assign(parser, item, values[at:at + taken] if isinstance(item, doc.Starred) else values[at]))
        at += taken
    return result


_ = OpMethod
