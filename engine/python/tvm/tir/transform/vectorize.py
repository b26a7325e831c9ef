"""VectorizeLoop: what it refuses, and loops that stay loops."""
import _loopscope as _core

from ...error import InternalError, TVMError
from .each import each_function, with_body


def _is_scalable(dtype):
    return "vscale" in str(dtype)


def _uses_vscale(expr):
    found = []
    _core.walk(expr, lambda n: (found.append(n) if _core.kind(n) == "Call" and getattr(n.op, "name", "") == "tir.vscale" else None, not found)[1], None)
    return bool(found)


def is_scalable_target(target):
    """Has a target (None: the current one) vectors whose length is known only when they run?"""
    from ...target import Target
    from ...target.codegen import target_features

    target = target if target is not None else Target.current(allow_none=True)
    return target is not None and bool({"sve", "sme", "v"} & set(target_features(target)))


def _check_body(loop, scalable):
    def enter(node):
        kind = _core.kind(node)
        if kind == "While":
            raise TVMError("A while loop inside a vectorized loop not supported.")
        dtype = str(node.buffer.dtype) if kind in ("BufferLoad", "BufferStore") else str(node.dtype) if kind in ("Ramp", "Broadcast") else ""
        if scalable and "x" in dtype:
            raise InternalError("Creating scalable vectors from existing vectors is not supported.")
        if _is_scalable(dtype):
            raise InternalError("Vectorizing over existing scalable vectors is not supported." if kind in ("Ramp", "Broadcast") else
                                "Vectorizing over scalable buffer elements is not supported in vectorizer.")
        return True

    _core.walk(loop.body, enter, None)


def check(mod):
    """Raises for loops that have no vector form on the current target."""
    from ...target import Target

    around = []

    def enter(node):
        kind = _core.kind(node)
        if kind == "AttrStmt" and node.attr_key == "target":
            around.append(Target.of_attribute(node.node))
        if kind == "For" and int(node.kind) == 2:
            scalable = _core.kind(node.extent) != "IntImm"
            if scalable and not (_uses_vscale(node.extent) and is_scalable_target(around[-1])):
                raise InternalError(f"Failed to vectorize loop with extent {node.extent} for target "
                                    f"{around[-1] or Target.current(allow_none=True) or '(nullptr)'}")
            _check_body(node, scalable)
        return True

    def leave(node):
        if _core.kind(node) == "AttrStmt" and node.attr_key == "target":
            around.pop()

    for func in mod.functions.values():
        if _core.kind(func) == "PrimFunc":
            around[:] = [(func.attrs or {}).get("target")]
            _core.walk(func.body, enter, leave)


def plain(mod):
    """The module with serial loops in the place of vectorised ones."""
    from ..stmt import For, ForKind

    def change(loop):
        if int(loop.kind) != 2:
            return None
        return For(loop.loop_var, loop.min, loop.extent, ForKind.SERIAL, loop.body, None, loop.annotations)

    return each_function("VectorizeLoop", lambda f, ctx: with_body(f, _core.transform(f.body, None, change, ["For"])))._func(mod, None)
