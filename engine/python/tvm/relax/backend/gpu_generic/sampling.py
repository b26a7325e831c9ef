"""Drawing from distributions: a block of threads for each drawn number, which goes along the row tile by tile and adds up.

A tile whose sum takes the running total over the number holds the answer: there the running sums of all its elements are made, and the first element
behind which the total is reached is chosen.  Source: TVM, relax/backend/gpu_generic; but there lanes add to what other lanes of their row read in the
same statement, which is right only as long as a warp runs in lock step, and here what is added is read first.
"""
from ....script import tir as T


def _log2(what, value):
    if value < 1 or value & (value - 1):
        raise ValueError(f"{what} is a power of two, not {value}")
    return value.bit_length() - 1


def gpu_multinomial_from_uniform(prob_dtype="float32", sample_dtype="float32", sample_indices_dtype="int64", dtype="int64", ty_len=4, tx_len=32,
                                 thread_elem=4, eps=1e-6):
    """A PrimFunc of probabilities (n, vocab_size), numbers drawn evenly between 0 and 1 (batch, 1), the row that each is drawn from (batch, 1), and
    the chosen places (batch, 1).  A block has tx_len * ty_len threads, of thread_elem neighbours each; eps is what the sums may miss a number by."""
    from ....target import Target

    lanes, warps, each = T.int64(tx_len), T.int64(ty_len), T.int64(thread_elem)
    lane_steps, warp_steps = T.int64(_log2("tx_len", tx_len)), T.int64(_log2("ty_len", ty_len))
    _log2("thread_elem", thread_elem)
    row_of_lanes = T.int64(tx_len * thread_elem)
    tile = T.int64(tx_len * ty_len * thread_elem)
    counted = "int32" if "webgpu" in str(Target.current()) else "int64"

    @T.macro
    def reduced(ty, tx, start, values, result, kind, combine, kept):
        """One value of all threads: first within a thread, then halving the distance in shared memory."""
        with T.block():
            mine = T.alloc_buffer((), kind, scope="local")
            everyone = T.alloc_buffer((lanes * warps,), kind, scope="shared")
            thread = ty * lanes + tx
            mine[()] = T.Cast(kind, start)
            for i in T.unroll(each):
                if kept is None:
                    mine[()] = combine(mine[()], values[i])
                else:
                    if kept[i]:
                        mine[()] = combine(mine[()], values[i])
            everyone[thread] = mine[()]
            for i in T.unroll(lane_steps + warp_steps):
                if thread % (1 << (i + 1)) == 0:
                    everyone[thread] = combine(everyone[thread], everyone[thread + (1 << i)])
            result[()] = everyone[0]

    @T.macro
    def summed(ty, tx, values, sums, before):
        """Running sums of a tile: within a thread, within a row of lanes, then from row to row."""
        for i in T.unroll(1, each):
            values[i] = values[i] + values[i - 1]
        for i in T.vectorized(each):
            sums[ty * row_of_lanes + tx * each + i] = values[i]
        for i in T.unroll(lane_steps):
            at = ty * row_of_lanes + tx * each
            before[()] = T.if_then_else(tx >= (1 << i), sums[at - (1 << i) * each + each - 1], T.Cast(prob_dtype, 0))
            for j in T.vectorized(each):
                sums[at + j] = sums[at + j] + before[()]
        for i in T.unroll(1, warps):
            for j in T.vectorized(each):
                if ty == 0:
                    at = i * row_of_lanes + tx * each
                    sums[at + j] = sums[at + j] + sums[i * row_of_lanes - 1]

    def differ(a, b):
        """Two truth values as bytes: Vulkan compares no others."""
        return T.Cast("int8", a) != T.Cast("int8", b)

    @T.macro
    def begun(ty, tx, reached, first):
        """Where a truth value is another one than left of it."""
        with T.block():
            last = T.alloc_buffer((lanes * warps,), "bool", scope="shared")
            thread = ty * lanes + tx
            last[thread] = reached[each - 1]
            first[0] = T.if_then_else(thread != 0, differ(reached[0], last[thread - 1]), reached[0])
            for i in T.unroll(1, each):
                first[i] = differ(reached[i], reached[i - 1])

    @T.macro
    def one_tile(prob, row, vocab_size, ty, tx, step, floor, total, drawn, chosen):
        with T.block():
            values = T.alloc_buffer((each,), prob_dtype, scope="local")
            sums = T.alloc_buffer((tile,), prob_dtype, scope="shared")
            reached = T.alloc_buffer((each,), "bool", scope="local")
            first = T.alloc_buffer((each,), "bool", scope="local")
            possible = T.alloc_buffer((each,), "bool", scope="local")
            places = T.alloc_buffer((each,), dtype, scope="local")
            of_tile = T.alloc_buffer((), prob_dtype, scope="local")
            before = T.alloc_buffer((), prob_dtype, scope="local")
            for v in T.unroll(each):
                at = step * tile + ty * row_of_lanes + tx * each + v
                value = T.if_then_else(at < vocab_size, prob[row, at], T.Cast(prob_dtype, 0))
                values[v] = T.if_then_else(value > floor, value, T.Cast(prob_dtype, 0))
                possible[v] = value > floor and at < vocab_size
            reduced(ty, tx, 0, values, of_tile, prob_dtype, lambda a, b: a + b, None)
            if T.tvm_thread_invariant(total[()] + of_tile[()] >= drawn - eps):
                summed(ty, tx, values, sums, before)
                for v in T.unroll(each):
                    reached[v] = sums[ty * row_of_lanes + tx * each + v] + total[()] >= drawn - eps
                begun(ty, tx, reached, first)
                for v in T.unroll(each):
                    first[v] = first[v] and possible[v]
                    places[v] = step * tile + ty * row_of_lanes + tx * each + v
                reduced(ty, tx, vocab_size - 1, places, chosen, dtype, T.min, first)
            total[()] = total[()] + of_tile[()]

    @T.prim_func
    def parallel_sampling_from_prob(var_prob: T.handle, var_drawn: T.handle, var_rows: T.handle, var_chosen: T.handle):
        T.func_attr({"tir.is_scheduled": True})
        n, vocab_size, batch_size = T.int64(), T.int64(), T.int64()
        prob = T.match_buffer(var_prob, (n, vocab_size), prob_dtype)
        all_drawn = T.match_buffer(var_drawn, (batch_size, 1), sample_dtype)
        rows = T.match_buffer(var_rows, (batch_size, 1), sample_indices_dtype)
        all_chosen = T.match_buffer(var_chosen, (batch_size, 1), dtype)
        total = T.alloc_buffer((), prob_dtype, scope="local")
        chosen = T.alloc_buffer((), dtype, scope="local")
        step = T.alloc_buffer((), "int32", scope="local")
        for bx in T.thread_binding(batch_size, thread="blockIdx.x"):
            row = rows[bx, 0]
            for ty in T.thread_binding(warps, thread="threadIdx.y"):
                for tx in T.thread_binding(lanes, thread="threadIdx.x"):
                    drawn = all_drawn[bx, 0]
                    total[()] = T.Cast(prob_dtype, 0)
                    step[()] = 0
                    while T.tvm_thread_invariant((step[()] == 0 or total[()] < drawn - eps)
                                                 and T.Cast(counted, step[()]) < T.Cast(counted, T.ceildiv(vocab_size, tile))):
                        one_tile(prob, row, vocab_size, ty, tx, T.Cast(counted, step[()]), 0.0, total, drawn, chosen)
                        step[()] = step[()] + 1
                    if tx == 0 and ty == 0:
                        all_chosen[bx, 0] = chosen[()]

    return parallel_sampling_from_prob
