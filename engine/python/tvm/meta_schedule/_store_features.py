"""PerStoreFeature: 164 numbers for each store of a program, by which models of cost tell programs apart.

    1  what is computed for the value, how the loops around run (vectors, unrolled, in parallel, on which threads)      57
    2  for each of up to 5 buffers: how much of it is touched, in which strides, how soon it is used again          5 x 18
    3  operations for each byte that is touched, over the loops from inside outwards                                    10
    4  where the buffer is allocated                                                                                     4
    5  how many loops there are around                                                                                   3

Numbers are logarithms: log2 (1 + |x|).  A buffer that is stored to several times has the numbers of the last store.
Source: TVM v0.20's extractor of this name, and the features of Ansor (Zheng et al., OSDI 2020).
"""
import math

import _loopscope as _core

from ..arith import Analyzer
from ..ir import Range
from ..runtime import DataType
from ..tir import PrimFunc, const
from ..tir.stmt_functor import ir_transform, post_order_visit, substitute

PER_BUFFER = 18
_THREADS = ("blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y", "threadIdx.z", "vthread")
_READ, _WRITE, _BOTH = range(3)
_LOOPED, _SERIAL, _NEVER = range(3)
_OPERATORS = {"Add": 1, "Sub": 1, "Mul": 2, "Div": 3, "Mod": 3, "FloorDiv": 3, "FloorMod": 3, "Max": 4, "Min": 4, "EQ": 4, "NE": 4, "LT": 4, "LE": 4,
              "GT": 4, "GE": 4}
_WORKLOADS = ("softmax", ("max", "min"), "add", "batch_matmul", "matmul", "depthwiseconv2d", "conv2d_winograd", "conv2d")
_PASSES = ("LowerCrossThreadReduction", "LowerInitBlock", "PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque", "CompactBufferAllocation",
           "Simplify", "UnifyThreadBinding", "LowerMatchBuffer", "Simplify")


def log(x):
    """log2 (1 + |x|)."""
    return math.log2(1 + abs(x))


def _extent(loop):
    return int(loop.extent) if _core.kind(loop.extent) == "IntImm" else None


def _size_of(dtype):
    return DataType(str(dtype)).itemsize()


def _reads(expr):
    found = []
    post_order_visit(expr, lambda node: found.append(node) if _core.kind(node) == "BufferLoad" else None)
    return found


# ---- the program as it is looked at

def _without_ones(body):
    """Without loops that run once or never, and without choices among numbers."""
    def change(node):
        if _core.kind(node) == "Select":
            return None if _reads(node) else const(1.0, node.dtype)
        if _extent(node) == 0:
            from ..tir import Evaluate

            return Evaluate(0)
        plain = node.kind == 0 and len(node.annotations) == 0 and node.thread_binding is None
        if plain and _extent(node) == 1 and _core.kind(node.min) == "IntImm" and int(node.min) == 0:
            return substitute(node.body, {node.loop_var: const(0, node.loop_var.dtype)})
        return None

    return ir_transform(body, None, change, ["tir.For", "tir.Select"])


def prepared(mod):
    """The module as its stores are to be looked at."""
    from ..ir import IRModule
    from ..tir import transform

    mod = transform.RemoveWeightLayoutRewriteBlock(True)(mod)
    mod = IRModule({var: func.with_body(_without_ones(func.body)) if isinstance(func, PrimFunc) else func for var, func in mod.functions.items()})
    for name in _PASSES:
        mod = getattr(transform, name)()(mod)
    return mod


# ---- the loops around a store

class _Nest:
    """The loops around, outermost first."""

    def __init__(self):
        self.loops, self.product = [], 1

    def push(self, loop):
        """One more loop inside."""
        self.loops.append(loop)
        self.product *= 1 if _extent(loop) is None else _extent(loop)

    def pop(self):
        """Out of the innermost one."""
        self.loops.pop()
        self.product = math.prod(1 if _extent(loop) is None else _extent(loop) for loop in self.loops)

    def of_kind(self, kind):
        """Those that run in one way: 1 parallel, 2 vectors, 3 unrolled."""
        return [loop for loop in self.loops if loop.kind == kind]

    def threads(self, tag):
        """The extent of the outermost loop that is bound to a thread axis; 1: there is none."""
        bound = [loop for loop in self.loops if loop.thread_binding is not None and str(loop.thread_binding.thread_tag).startswith(tag)]
        return 1 if not bound or _extent(bound[0]) is None else _extent(bound[0])

    def unroll_steps(self):
        """What the innermost loop that says so allows to unroll."""
        told = [int(loop.annotations["pragma_auto_unroll_max_step"]) for loop in self.loops if "pragma_auto_unroll_max_step" in loop.annotations]
        return next((n for n in reversed(told) if n > 0), 0)


# ---- group 1

def _operations(value):
    """How often each kind of operation is made for a value: 7 on floats, 7 on integers, logic, choices."""
    counts = [0] * 16

    def count(node):
        kind = _core.kind(node)
        if kind in ("And", "Or", "Not"):
            counts[14] += 1
        elif kind == "Select":
            counts[15] += 1
        elif kind in _OPERATORS or kind == "Call":
            number = _OPERATORS.get(kind) or (5 if _is_function(node.op) else 6)
            counts[number + (0 if str(node.dtype).startswith(("float", "bfloat")) else 7)] += 1

    post_order_visit(value, count)
    return counts


def _is_function(op):
    from ..tir.analysis.checks import _effect

    return _effect(op) <= 1


def _way(loops):
    """11 numbers on loops that run in one way."""
    if not loops:
        return [0.0, 0.0, 0.0, 1.0] + [0.0] * 7
    sizes = [1 if _extent(loop) is None else _extent(loop) for loop in loops]
    return [log(len(loops)), log(math.prod(sizes)), log(sizes[-1])] + [0.0] * 7 + [1.0]


def _computed(counts, nest, is_gpu):
    found = [log(n * nest.product) for n in counts]
    for kind in (2, 3, 1):
        found += _way(nest.of_kind(kind))
    return found + [float(is_gpu)] + [log(nest.threads(tag) if is_gpu else 1) for tag in _THREADS]


# ---- group 2

def _coefficient(expr, var):
    """How far an index moves with the variable, as the extractor of TVM sees it: the first product or sum around it decides."""
    state = {"met": False, "sum": False, "product": False, "stride": 0}

    def visit(node):
        kind = _core.kind(node)
        if kind == "Var" and node.same_as(var):
            state.update(met=True, stride=2)
        elif kind == "Mul" and state["met"] and not state["sum"]:
            factor = next((one for one in (node.a, node.b) if _core.kind(one) == "IntImm"), None)
            if factor is not None:
                state.update(product=True, stride=int(factor))
        elif kind == "Add" and state["met"] and not state["product"]:
            state.update(sum=True, stride=1)

    post_order_visit(expr, visit)
    if state["met"] and not state["product"] and not state["sum"]:
        return 1
    return state["stride"] if state["met"] else 0


def _settled(index, least, analyzer):
    """An index whose remainders are those of the first round: that is what TVM's extractor knows of a remainder."""
    def change(node):
        if _core.kind(node.b) != "IntImm" or int(node.b) <= 0:
            return None
        first = analyzer.simplify(substitute(node.a, least))
        return const(int(first) % int(node.b), node.dtype) if _core.kind(first) == "IntImm" else None

    return _core.transform(index, None, change, ["FloorMod"])


class _Access:
    """What a store does with one buffer."""

    def __init__(self, buffer, kind, indices):
        self.buffer, self.kind, self.indices = buffer, kind, [indices]
        self.bytes_each, self.shape, self.touched = _size_of(buffer.dtype), [], []

    def relax(self, analyzer):
        """Elements that are touched while the variables run over what they are bound to."""
        self.shape = []
        for dim in zip(*self.settled):
            bounds = [analyzer.const_int_bound(index) for index in dim]
            self.shape.append(max(int(b.max_value) for b in bounds) - min(int(b.min_value) for b in bounds) + 1)
        return max(0, math.prod(self.shape))

    def measure_strides(self, nest, shape):
        """In which strides it goes through memory, and how many bytes lie together."""
        together = [n for n, touched in zip(shape, self.shape) if n == touched]
        self.together = together[-1] * self.bytes_each if together else 1
        strides = [math.prod(shape[i + 1:]) for i in range(len(shape))]
        loops, at = nest.loops, len(nest.loops) - 1
        self.stride = 0
        while at >= 0:
            self.stride = self._stride(strides, loops[at].loop_var)
            if self.stride != 0:
                break
            at -= 1
        self.innermost = self.stride if at == len(loops) - 1 else 0
        self.repeated = math.prod(1 if _extent(loop) is None else _extent(loop) for loop in loops[at + 1:])

    def _stride(self, strides, var):
        found = []
        for indices in self.indices:
            moved = ((abs(_coefficient(index, var)), step) for index, step in zip(reversed(list(indices)), reversed(strides)))
            found += [next((factor * step for factor, step in moved if factor != 0), None)]
        return min((x for x in found if x is not None), default=0)

    def measure_reuse(self, nest, top_bytes, under):
        """How soon, after how many rounds and bytes, and how often it is used again."""
        self.reuse, self.distance, self.distance_bytes, self.times = _NEVER, 0.0, 0.0, 0
        used = {_core.address(node) for indices in self.indices for index in indices for node in _variables(index)}
        for at in reversed(range(len(nest.loops))):
            loop = nest.loops[at]
            size = 1 if _extent(loop) is None else _extent(loop)
            if _core.address(loop.loop_var) not in used:
                inner = nest.loops[at + 1:]
                self.reuse, self.times = _LOOPED, size
                self.distance = float(math.prod(1 if _extent(one) is None else _extent(one) for one in inner))
                self.distance_bytes = float(_bytes_under(under, inner[0]) if inner else top_bytes)
                return
            touched = under[_core.address(loop)][_core.address(self.buffer)][1]
            if len(touched) >= 2:
                self.reuse, self.times = _SERIAL, len(touched) - 1
                self.distance, self.distance_bytes = min(touched) / size, _bytes_under(under, loop) / size
                return

    def measure(self, nest, line):
        """The numbers that follow from the others; line: bytes of a cache line."""
        self.bytes, self.unique, self.lines, self.unique_lines = float(self.bytes_each * nest.product), 1.0, 1.0, 1.0
        if nest.loops:
            self.unique = float(self.touched[0] * self.bytes_each)
            rounds = nest.product / self.repeated if self.repeated != 0 else 0.0
            self.lines = max(1.0, rounds * min(1.0, self.stride * self.bytes_each / line))
            self.unique_lines = max(1.0, self.unique / min(line, self.together))

    def numbers(self):
        """The 18."""
        times = self.times if self.times > 0 else 0.5
        sizes = (self.bytes, self.unique, self.lines, self.unique_lines)
        return ([float(self.kind == kind) for kind in (_READ, _WRITE, _BOTH)] + [log(x) for x in sizes]
                + [float(self.reuse == kind) for kind in (_LOOPED, _SERIAL, _NEVER)]
                + [log(x) for x in (self.distance, self.distance_bytes, self.times)] + [log(x / times) for x in sizes] + [log(self.innermost)])


def _variables(expr):
    found = []
    post_order_visit(expr, lambda node: found.append(node) if _core.kind(node) == "Var" else None)
    return found


def _bytes_under(under, loop):
    return sum(sum(touched) * size for size, touched in under[_core.address(loop)].values())


def _accesses(store):
    """Those of a store, what it writes first."""
    found = {_core.address(store.buffer): _Access(store.buffer, _WRITE, list(store.indices))}
    for load in _reads(store.value):
        known = found.get(_core.address(load.buffer))
        if known is None:
            found[_core.address(load.buffer)] = _Access(load.buffer, _READ, list(load.indices))
        elif known.kind == _WRITE:
            known.kind = _BOTH
        elif known.kind == _READ:
            known.indices.append(list(load.indices))
    return list(found.values())


# ---- group 3

def _intensity(n, nest, touched_bytes, counts):
    """Operations on floats for each byte, at n points between the innermost loop and all of them."""
    each, done, at_bytes = sum(counts[:7]), [], list(reversed(touched_bytes))
    for loop in reversed(nest.loops):
        each *= 1 if _extent(loop) is None else _extent(loop)
        done.append(each)
    if not done or each <= 0:
        return [0.0] * n
    ratio = [ops / size if size else 0.0 for ops, size in zip(done, at_bytes)]
    found, p = [], 0
    for i in range(n):
        wanted = (i + 1) / n * done[-1]
        while p < len(done) - 1 and done[p] < wanted - 1e-4:
            p += 1
        if p == 0:
            found.append(log(ratio[0]))
        else:
            slope = (ratio[p] - ratio[p - 1]) / (done[p] - done[p - 1])
            found.append(log(ratio[p - 1] + slope * (wanted - done[p - 1])))
    return found


# ---- all of them

class _Collector:
    """Goes through a program and keeps the numbers of each buffer that is stored to."""

    def __init__(self, extractor, is_gpu):
        self.extractor, self.is_gpu = extractor, is_gpu
        self.nest, self.analyzer, self.under = _Nest(), Analyzer(), {}
        self.stored, self.allocated = {}, {}

    def add(self, func):
        """A function."""
        _core.walk(func.body, self._enter, self._leave)
        for buffer in func.buffer_map.values():
            self._allocate(buffer)

    def _enter(self, node):
        if _core.kind(node) == "For":
            self.nest.push(node)
        elif _core.kind(node) == "BufferStore" and _core.kind(node.value) not in ("IntImm", "FloatImm"):
            self._store(node)
        return True

    def _leave(self, node):
        if _core.kind(node) == "For":
            self.nest.pop()
        elif _core.kind(node) == "Block":
            for buffer in node.alloc_buffers:
                self._allocate(buffer)

    def _shape(self, buffer):
        return [int(self.analyzer.const_int_bound(n).max_value) for n in buffer.shape]

    def _allocate(self, buffer):
        size = math.prod(self._shape(buffer))
        self.allocated[_core.address(buffer)] = (size * _size_of(buffer.dtype), size * self.nest.product, self.nest.product)

    def _touch(self, accesses):
        """Bytes that each loop touches, outermost first; what it touches of each buffer is kept."""
        least = {loop.loop_var: loop.min for loop in self.nest.loops}
        for access in accesses:
            access.settled = [[_settled(index, least, Analyzer()) for index in indices] for indices in access.indices]
        for loop in self.nest.loops:
            self.analyzer.bind(loop.loop_var, loop.min, True)
        if not self.nest.loops:
            for access in accesses:
                access.shape = [1] * len(access.buffer.shape)
        found = []
        for loop in reversed(self.nest.loops):
            self.analyzer.bind(loop.loop_var, Range.from_min_extent(loop.min, loop.extent), True)
            total, under = 0, self.under.setdefault(_core.address(loop), {})
            for access in accesses:
                n = access.relax(self.analyzer) if (_extent(loop) or 0) >= 0 else 0
                access.touched.insert(0, n)
                total += n * access.bytes_each
                under.setdefault(_core.address(access.buffer), (access.bytes_each, []))[1].append(n)
            found.insert(0, total)
        return found

    def _store(self, store):
        accesses, nest = _accesses(store), self.nest
        touched = self._touch(accesses)
        for access in accesses:
            access.measure_strides(nest, self._shape(access.buffer))
        top = sum(access.bytes_each for access in accesses) if nest.loops else 0
        for access in accesses:
            access.measure_reuse(nest, top, self.under)
            access.measure(nest, self.extractor.cache_line_bytes)
        accesses.sort(key=lambda one: (-one.lines, -one.bytes, one.buffer.name))
        counts, most = _operations(store.value), self.extractor.buffers_per_store
        numbers = [x for access in accesses[:most] for x in access.numbers()]
        numbers += [0.0] * (PER_BUFFER * most - len(numbers))
        curve = _intensity(self.extractor.arith_intensity_curve_num_samples, nest, touched, counts)
        around = [log(nest.product), log(len(nest.loops)), log(nest.unroll_steps())]
        self.stored[_core.address(store.buffer)] = (_computed(counts, nest, self.is_gpu) + numbers + curve, nest.product, around, self.under, store)

    def rows(self):
        """The numbers of each buffer, in the order of the first stores."""
        found = []
        for key, (before, product, around, *_) in self.stored.items():
            size, all_size, outer = self.allocated.get(key, (0, 0, 1))
            found.append(before + [log(size), log(all_size), log(outer), log(product / outer if outer else 0)] + around)
        return found


def workload_numbers(mod):
    """8 numbers that say what the names of the blocks say."""
    found = [0.0] * len(_WORKLOADS)

    def visit(node):
        if _core.kind(node) == "Block":
            name = node.name_hint.lower()
            at = next((i for i, words in enumerate(_WORKLOADS) if any(word in name for word in ([words] if isinstance(words, str) else words))), None)
            if at is not None:
                found[at] = 1.0

    for func in mod.functions.values():
        if isinstance(func, PrimFunc):
            post_order_visit(func.body, visit)
    return found


def store_features(extractor, mod, is_gpu):
    """A list of numbers for each buffer that is stored to."""
    collector = _Collector(extractor, is_gpu)
    for func in prepared(mod).functions.values():
        if isinstance(func, PrimFunc):
            collector.add(func)
    return collector.rows()
