"""Python's syntax as nodes of doc_core: parsing, the way there and back, visitors."""
import ast as _ast

from . import doc_core
from .doc_core import *  # noqa: F403
from .doc_core import AST


def to_doc(node):
    """A node of `ast`, or a list of them, as ours; other values stay."""
    if isinstance(node, (list, tuple)):
        return [to_doc(x) for x in node]
    if not isinstance(node, _ast.AST):
        return node
    kind = getattr(doc_core, type(node).__name__)
    return kind(**{name: to_doc(getattr(node, name, None)) for name in kind._FIELDS})


def from_doc(node):
    """The way back."""
    if isinstance(node, (list, tuple)):
        return [from_doc(x) for x in node]
    if not isinstance(node, AST):
        return node
    return getattr(_ast, type(node).__name__)(**{name: from_doc(getattr(node, name)) for name in node._FIELDS if getattr(node, name) is not None
                                                 or name in getattr(_ast, type(node).__name__)._fields})


def parse(source, filename="<unknown>", mode="exec"):
    """A text as a tree."""
    return to_doc(_ast.parse(source, filename, mode))


def _children(node):
    for name in node._FIELDS:
        value = getattr(node, name)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, AST):
                yield item


class NodeVisitor:
    """Calls visit_<Class> for each node, where there is one."""

    def visit(self, node):
        """One node, or several."""
        if isinstance(node, (list, tuple)):
            for item in node:
                self.visit(item)
            return None
        if not isinstance(node, AST):
            return None
        return getattr(self, "visit_" + type(node).__name__, self.generic_visit)(node)

    def generic_visit(self, node):
        """What is below a node."""
        for child in _children(node):
            self.visit(child)


class NodeTransformer(NodeVisitor):
    """The same, with a tree of what the visits give."""

    def visit(self, node):
        """One node, or several."""
        if isinstance(node, list):
            return [self.visit(item) for item in node]
        if not isinstance(node, AST):
            return node
        return getattr(self, "visit_" + type(node).__name__, self.generic_visit)(node)

    def generic_visit(self, node):
        """A node of the same class with other parts."""
        return type(node)(**{name: self.visit(getattr(node, name)) for name in node._FIELDS})
