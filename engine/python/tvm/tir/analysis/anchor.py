"""The block of a module that its schedule is about."""
import _loopscope as _core

from ..function import PrimFunc


def _entry(mod):
    """The function of a module: the one called main, else the last one; None: there is none."""
    found = {var.name_hint: func for var, func in mod.functions.items() if isinstance(func, PrimFunc)}
    return found.get("main", next(reversed(found.values()), None))


def _under(body):
    """The statements right below the root block."""
    while True:
        kind = _core.kind(body)
        if kind == "BlockRealize":
            body = body.block.body
        elif kind == "SeqStmt":
            return list(body.seq)
        else:
            return [body]


def find_anchor_block(mod):
    """The block with an init, the one with the most operations where there are several; None: no block sums."""
    from .flops import estimate_tir_flops

    func, found = _entry(mod), []
    if func is None:
        return None
    for part in _under(func.body):
        _core.walk(part, None, lambda node, part=part: found.append((part, node)) if _core.kind(node) == "Block" and node.init is not None else None)
    if len(found) < 2:
        return found[0][1] if found else None
    return max(found, key=lambda pair: estimate_tir_flops(pair[0]))[1]
