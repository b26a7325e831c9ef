"""SplitCallTIRByPattern: the first stages of a PrimFunc as a function of a library, the rest as a PrimFunc of its own.

The stages are loop nests that look like patterns, PrimFuncs of one nest; a caller's function says of the stages that fit how many of them the
library does, with what source, and from which buffers.  A pattern's parameters without buffers are whole numbers that are found: they stand for a constant,
for 1 where the pattern multiplies by them and the program does not, and for 0 where it adds them.
"""
import re

import _loopscope as _core

from ...error import TVMError
from ...ir.transform import ModulePass, PassInfo

_CONSTANTS = ("IntImm", "FloatImm")


class MatchResult:
    """A stage of a program that fits a pattern: the pattern, the values of its parameters without buffers, and the program's buffers for the others."""

    def __init__(self, pattern, symbol_values, matched_buffers):
        self.pattern = pattern
        self.symbol_values = symbol_values
        self.matched_buffers = matched_buffers


def _code(node):
    """The kind of numbers of an expression: int, float, ...; None for other nodes."""
    dtype = getattr(node, "dtype", None)
    return None if dtype is None else re.match("[a-z]*", str(dtype)).group()


class _Matcher:
    """One nest of a program against that of a pattern."""

    def __init__(self, pattern):
        self.pattern = pattern
        self.symbols = {p for p in pattern.params if p not in pattern.buffer_map}
        self.values, self.vars, self.buffers = {}, {}, {}

    def match(self, nest):
        """The result, or None."""
        body = _stages(self.pattern)
        if len(body) != 1 or not self.same(nest, body[0]):
            return None
        params = [p for p in self.pattern.params if p in self.pattern.buffer_map]
        known = [self.buffers.get(self.pattern.buffer_map[p]) for p in params]
        if any(buffer is None for buffer in known):
            return None
        return MatchResult(self.pattern, [self.values.get(p) for p in self.pattern.params if p in self.symbols], known)

    def same(self, a, b):
        """Does a node of the program look like one of the pattern?  What was found on the way stays, also where it does not."""
        kind = _core.kind(b)
        if kind == "Var" and b in self.symbols:
            return self.is_value(a, b)
        if kind in ("Add", "Mul"):
            neutral = 0 if kind == "Add" else 1
            for symbol, other in ((b.a, b.b), (b.b, b.a)):
                if symbol in self.symbols and self.attempt(lambda other=other: self.same(a, other)):
                    return self.learn(symbol, neutral, b)
        if kind != _core.kind(a) or (_code(a) != _code(b)):
            return False
        return getattr(self, "_" + kind.lower(), self._any)(a, b)

    def attempt(self, what):
        """Whether it holds; when not, nothing was found on the way."""
        before = dict(self.values), dict(self.vars), dict(self.buffers)
        if what():
            return True
        self.values, self.vars, self.buffers = before
        return False

    def is_value(self, a, symbol):
        """A constant, which is the same everywhere."""
        if _core.kind(a) not in _CONSTANTS:
            return False
        known = self.values.setdefault(symbol, a)
        return known.value == a.value

    def learn(self, symbol, number, like):
        from ...tir import const

        return self.is_value(const(number, like.dtype), symbol)

    def all(self, xs, ys):
        """Each of a list like that of the other."""
        return len(xs) == len(ys) and all(self.same(x, y) for x, y in zip(xs, ys))

    def defines(self, a, b):
        self.vars[b] = a
        return _code(a) == _code(b)

    # ---- kinds ------------------------------------------------------------------------------------------------------

    def _any(self, a, b):
        for name in _core.fields(b):
            x, y = _core.field(a, name), _core.field(b, name)
            if isinstance(y, _core.Node):
                if not isinstance(x, _core.Node) or not self.same(x, y):
                    return False
            elif isinstance(y, (list, tuple)):
                if not self.all(list(x), list(y)):
                    return False
            elif name != "dtype" and x != y:
                return False
        return True

    def _either_way(self, a, b):
        return (self.attempt(lambda: self.same(a.a, b.a) and self.same(a.b, b.b))
                or self.attempt(lambda: self.same(a.a, b.b) and self.same(a.b, b.a)))

    _add = _mul = _either_way

    def _var(self, a, b):
        return self.vars.get(b) is not None and self.vars[b].same_as(a)

    def _intimm(self, a, b):
        return a.value == b.value

    _floatimm = _intimm

    def _call(self, a, b):
        return getattr(a.op, "name", a.op) == getattr(b.op, "name", b.op) and self.all(list(a.args), list(b.args))

    def _for(self, a, b):
        plain = all(x.kind == 0 and x.thread_binding is None and not x.annotations and getattr(x.min, "value", None) == 0
                    and _core.kind(x.body) in ("For", "BlockRealize") for x in (a, b))
        return plain and self.defines(a.loop_var, b.loop_var) and self.same(a.extent, b.extent) and self.same(a.body, b.body)

    def _blockrealize(self, a, b):
        return self.all(list(a.iter_values), list(b.iter_values)) and self.same(a.predicate, b.predicate) and self.same(a.block, b.block)

    def _block(self, a, b):
        if len(a.iter_vars) != len(b.iter_vars) or len(a.alloc_buffers) or len(b.alloc_buffers) or (a.init is None) != (b.init is None):
            return False
        for x, y in zip(a.iter_vars, b.iter_vars):
            if x.iter_type != y.iter_type or not self.defines(x.var, y.var) or not self.same(x.dom.min, y.dom.min) or not self.same(x.dom.extent, y.dom.extent):
                return False
        return (self.all(list(a.writes), list(b.writes)) and self.all(list(a.reads), list(b.reads)) and self.same(a.body, b.body)
                and (a.init is None or self.same(a.init, b.init)))

    def _bufferregion(self, a, b):
        return (self.same(a.buffer, b.buffer) and len(a.region) == len(b.region)
                and all(self.same(x.min, y.min) and self.same(x.extent, y.extent) for x, y in zip(a.region, b.region)))

    def _bufferload(self, a, b):
        return self.same(a.buffer, b.buffer) and self.all(list(a.indices), list(b.indices))

    def _bufferstore(self, a, b):
        return self._bufferload(a, b) and self.same(a.value, b.value)

    def _buffer(self, a, b):
        if b in self.buffers:
            return self.buffers[b].same_as(a)
        if a.dtype != b.dtype or a.scope() != b.scope() or not self.all(list(a.shape), list(b.shape)):
            return False
        self.buffers[b] = a
        return True


def _stages(func):
    """The statements of a PrimFunc's root block; none where it has no such block."""
    if _core.kind(func.body) != "BlockRealize":
        return []
    body = func.body.block.body
    return list(body.seq) if _core.kind(body) == "SeqStmt" else [body]


def _matches(func, patterns):
    """Of the first stages, as far as each fits a pattern."""
    found = []
    for stage in _stages(func):
        hits = (_Matcher(p).match(stage) for p in patterns) if _core.kind(stage) == "For" else ()
        hit = next((h for h in hits if h is not None), None)
        if hit is None:
            break
        found.append(hit)
    return found


def _blocks(stage):
    found = []
    _core.walk(stage, lambda node: found.append(node) if _core.kind(node) == "Block" else None, None)
    return found


def _touched(stages, side):
    """The buffers that the blocks of these stages read, or write, in order."""
    found = []
    for stage in stages:
        for block in _blocks(stage):
            found += [r.buffer for r in getattr(block, side) if not any(r.buffer.same_as(x) for x in found)]
    return found


def _has(buffers, buffer):
    return any(x.same_as(buffer) for x in buffers)


class _Split:
    """A PrimFunc, of which the library does the first stages."""

    def __init__(self, func, n_matched, args, n_args):
        stages = _stages(func)
        count = n_matched
        n = 0
        while n < len(stages) and count > 0:
            count -= len(_blocks(stages[n]))
            n += 1
        self.func, self.n_args = func, n_args
        self.first, self.rest = stages[:n], stages[n:]
        self.args = args
        writes = _touched(self.first, "writes")
        self.between = writes[-1] if writes else None
        self.is_whole = not self.rest
        self.read = _touched(self.first, "reads")
        later = [*_touched(self.rest, "reads"), *_touched(self.rest, "writes")]
        outside = list(func.buffer_map.values())
        # what the library writes is one new tensor, which nobody writes again, and nothing else goes over
        self.can = (self.between is not None and not _has(outside, self.between) and not _has(_touched(self.rest, "writes"), self.between)
                    and not any(_has(later, x) for x in writes if not x.same_as(self.between)))

    def places(self, buffers):
        """The numbers of the parameters with these buffers."""
        return [i for buffer in buffers for i, p in enumerate(self.func.params) if p in self.func.buffer_map and self.func.buffer_map[p].same_as(buffer)]

    def epilogue(self):
        """The rest as a function of what lies between and of its own operands; and which of the call's operands those are."""
        from ...tir import PrimFunc, SeqStmt, Var

        func, root = self.func, self.func.body
        used = [*_touched(self.rest, "reads"), *_touched(self.rest, "writes")]
        body = self.rest[0] if len(self.rest) == 1 else SeqStmt(self.rest)
        block = _core.with_field(_core.with_field(root.block, "body", body), "alloc_buffers",
                                 [x for x in root.block.alloc_buffers if _has(used, x) and not x.same_as(self.between)])
        given = Var("input", "handle")
        kept = [(i, p) for i, p in enumerate(func.params) if p in func.buffer_map and _has(used, func.buffer_map[p])]
        buffers = {given: self.between, **{p: func.buffer_map[p] for _, p in kept}}
        made = PrimFunc([given, *[p for _, p in kept]], _core.with_field(root, "block", block), func.ret_type, buffers, func.attrs)
        return _core.renew(made), [i for i, _ in kept if i < self.n_args]

    def shape(self, operands):
        """Of what lies between, for the caller: sizes that the function finds in its operands are the caller's."""
        known = {}
        for param, operand in zip(self.func.params, operands):
            shape = getattr(operand.struct_info, "shape", None)
            if param in self.func.buffer_map and getattr(shape, "values", None) is not None:
                known.update({x: y for x, y in zip(self.func.buffer_map[param].shape, shape.values) if _core.kind(x) == "Var"})
        return [_core.substitute(x, known) if known else x for x in self.between.shape]


def _split_of(func, patterns, fcodegen, n_args):
    """The stages that go to the library and their source; None: none do."""
    found = _matches(func, patterns)
    if not found:
        return None
    answer = list(fcodegen(found))
    if len(answer) != 3:
        raise TVMError(f"SplitCallTIRByPattern: the function for code gives a source, how many stages it is for, and their buffers; {len(answer)} values came")
    source, n_matched, args = str(answer[0]), int(answer[1]), list(answer[2])
    if n_matched == 0:
        return None
    split = _Split(func, n_matched, args, n_args)
    for buffer in args if not split.is_whole else ():
        if not _has(split.read, buffer) or not split.places([buffer]):
            raise TVMError(f"SplitCallTIRByPattern: {getattr(buffer, 'name', buffer)} is no operand that the stages of the library read")
    return (split, source) if split.is_whole or split.can else None


def SplitCallTIRByPattern(patterns, fcodegen):  # noqa: N802
    """Makes the first stages of called PrimFuncs, as far as they look like `patterns`, functions of a library.

    `fcodegen` is called with a list of MatchResult and gives [source, number of stages, buffers that they are computed from]; {global_symbol} in the source
    becomes the function's name.
    """
    patterns = list(patterns)

    def run(mod, ctx):
        from ...ir import Op
        from ..expr import Call, ExternFunc, Function, GlobalVar, ShapeExpr, Tuple
        from ..expr_functor import PyExprMutator
        from ..struct_info import TensorStructInfo

        class Splitter(PyExprMutator):
            """Rewrites the calls of one module."""

            def library(self, gvar, source):
                name = gvar.name_hint
                return ExternFunc(name).with_attr({"c_source": source.replace("{global_symbol}", name), "c_source_fmt": "cu"})

            def visit_call_(self, op):
                call = super().visit_call_(op)
                gvar = call.args[0] if getattr(call.op, "name", "") == "relax.call_tir" else None
                func = mod.functions.get(gvar) if isinstance(gvar, GlobalVar) else None
                if _core.kind(func) != "PrimFunc" or len(call.args) > 2:
                    return call
                operands = list(call.args[1].fields) if isinstance(call.args[1], Tuple) else [call.args[1]]
                found = _split_of(func, patterns, fcodegen, len(operands))
                if found is None:
                    return call
                split, source = found
                packed, library = Op.get("relax.call_dps_packed"), self.library(gvar, source)
                if split.is_whole:
                    self.builder_.update_func(gvar, library)
                    return Call(packed, [library, call.args[1]], call.attrs, call.sinfo_args)
                info = TensorStructInfo(ShapeExpr(split.shape(operands)), split.between.dtype)
                between = self.builder_.emit(Call(packed, [library, Tuple([operands[i] for i in split.places(split.args)])], call.attrs, [info]))
                rest, own = split.epilogue()
                rest_var = self.builder_.add_func(rest, "unfused_epilogue")
                self.builder_.update_func(gvar, func.without_attr("global_symbol"))
                return Call(call.op, [rest_var, Tuple([between, *[operands[i] for i in own]])], call.attrs, call.sinfo_args)

        splitter = Splitter(mod)
        for gvar, func in mod.functions_items():
            if isinstance(func, Function):
                splitter.builder_.update_func(gvar, splitter.visit_expr(func))
        return splitter.builder_.get()

    return ModulePass(run, PassInfo(0, "SplitCallTIRByPattern"))
