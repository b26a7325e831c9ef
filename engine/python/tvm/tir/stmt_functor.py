"""Walking and rewriting statements and expressions."""
import _loopscope as _core

_KINDS = {"tir.For": "For", "relax.expr.Var": "RelaxVar"}


def ir_transform(stmt, preorder, postorder, only_enable=None):
    """Rewrites a statement.

    preorder is called with a node before what is below it; what it gives instead stands, None goes on.  postorder is
    called with the node after that.  only_enable names the classes that are asked about ("tir.For").
    """
    kinds = None if only_enable is None else [_KINDS.get(name, name.rpartition(".")[2]) for name in only_enable]
    return _core.transform(stmt, preorder, postorder, kinds)


def post_order_visit(stmt, fvisit):
    """Calls a function with every node, what is below first."""
    _core.walk(stmt, None, fvisit)


def pre_order_visit(stmt, fvisit):
    """Calls a function with every node, which says by False that what is below is left out."""
    _core.walk(stmt, fvisit, None)


def substitute(node, vmap):
    """Replaces variables."""
    return _core.substitute(node, vmap)


def renew_defs(func):
    """A copy of a function with variables and buffers of its own."""
    return _core.renew(func)
