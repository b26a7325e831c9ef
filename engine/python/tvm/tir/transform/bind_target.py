"""BindTarget: the machine that each function runs on, noted as its attribute `target`.

A function that is seen from outside gets the target with its host, one that is only called gets the part that its
callers run on: the host where none of the calls stands under a binding to a GPU's blocks or threads, the device
otherwise.  One that is called from both sides becomes two.  What is noted already stays, but learns of the host."""
import _loopscope as _core

from ...ir import GlobalVar
from ...ir import transform as _transform

_GPU = ("blockIdx", "threadIdx", "vthread")


def _is_bound(node):
    if _core.kind(node) == "For":
        return node.thread_binding is not None and node.thread_binding.thread_tag.startswith(_GPU)
    return _core.kind(node) == "AttrStmt" and node.attr_key in ("thread_extent", "virtual_thread")


def _callees(func):
    """The names of the functions that are called on the host and on the device."""
    host, device, depth = set(), set(), [0]

    def enter(node):
        depth[0] += _is_bound(node)
        if _core.kind(node) == "Call" and isinstance(node.op, GlobalVar):
            (device if depth[0] else host).add(node.op.name_hint)
        return True

    def leave(node):
        depth[0] -= _is_bound(node)

    _core.walk(func.body, enter, leave)
    return host, device


def _calls_of(func, names):
    """The function with the calls that run on the host sent to other functions."""
    from ...tir import Call, PrimFunc, stmt_functor

    def is_host_call(node):
        return _core.kind(node) == "Call" and isinstance(node.op, GlobalVar) and node.op.name_hint in names

    def enter(node):
        return node if _is_bound(node) else None

    def change(node):
        return Call(node.dtype, names[node.op.name_hint], node.args) if is_host_call(node) else None

    body = stmt_functor.ir_transform(func.body, enter, change, ["tir.For", "tir.AttrStmt", "tir.Call"])
    return PrimFunc(func.params, body, func.ret_type, func.buffer_map, func.attrs) if not body.same_as(func.body) else func


def BindTarget(target):
    """Notes the target on each function."""
    from ...target import Target
    from ..stmt_functor import renew_defs

    target = Target(target)
    device = Target({k: v for k, v in target.export().items() if k != "host"})
    host = target.host

    def run(mod, ctx):
        functions = {v: f for v, f in mod.functions.items() if _core.kind(f) == "PrimFunc"}
        seen = {v.name_hint for v, f in functions.items() if "global_symbol" in (f.attrs or {})}
        on_host, on_device = set(), set()
        for var, func in functions.items():
            if var.name_hint in seen:
                for known, found in zip((on_host, on_device), _callees(func)):
                    known |= found
        result, twins = mod.clone(), {}
        for var, func in functions.items():
            attrs, name = func.attrs or {}, var.name_hint
            if "target" in attrs:
                noted = Target.of_attribute(attrs["target"])
                if name in seen and host is not None and noted.host is None:
                    result[var] = func.with_attr("target", noted.with_host(host))
            elif attrs.get("tir.is_host_func", 0):
                own = host or Target("llvm")
                result[var] = func.without_attr("tir.is_host_func").with_attr("target", own.with_host(own))
            elif name in seen:
                result[var] = func.with_attr("target", target)
            elif name in on_host and name not in on_device and host is not None:
                result[var] = func.with_attr("target", host)
            else:
                result[var] = func.with_attr("target", device)
                if name in on_host and name in on_device and host is not None:
                    twins[name] = GlobalVar(name + "_host")
                    result[twins[name]] = renew_defs(func).with_attr("target", host)
        for var in functions if twins else ():
            if var.name_hint in seen:
                result[var] = _calls_of(result[var], twins)
        return result

    return _transform.ModulePass(run, _transform.PassInfo(0, "tir.BindTarget"))
