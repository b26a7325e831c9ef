"""Running sums of the rows of a matrix: a block for each row, which goes along it tile by tile."""
from ....script import tir as T


def gpu_2d_continuous_cumsum(ty_len=4, tx_len=32, thread_elem=4, in_dtype="int32", out_dtype=None):
    """A PrimFunc of a matrix (m, n) and of the running sums along its rows.  A block has ty_len * tx_len threads, a power of two; each takes thread_elem
    neighbours of a tile at a time."""
    out_dtype = out_dtype or in_dtype
    n_threads = ty_len * tx_len
    steps = n_threads.bit_length() - 1
    if 1 << steps != n_threads:
        raise ValueError(f"a block has a power of two of threads, not {ty_len} * {tx_len}")
    tile = n_threads * thread_elem

    @T.prim_func(private=True)
    def cumsum(var_a: T.handle, var_out: T.handle):
        T.func_attr({"tir.is_scheduled": True})
        m, n = T.int64(), T.int64()
        A = T.match_buffer(var_a, (m, n), in_dtype)
        Out = T.match_buffer(var_out, (m, n), out_dtype)
        row = T.launch_thread("blockIdx.x", m)
        thread = T.launch_thread("threadIdx.x", n_threads)
        totals = T.decl_buffer((n_threads,), out_dtype, scope="shared")
        mine = T.decl_buffer((thread_elem,), out_dtype, scope="local")
        part = T.decl_buffer((1,), out_dtype, scope="local")
        carry = T.decl_buffer((1,), out_dtype, scope="local")
        carry[0] = T.Cast(out_dtype, 0)
        for t in range((n + T.int64(tile - 1)) // T.int64(tile)):
            part[0] = T.Cast(out_dtype, 0)
            for e in range(thread_elem):
                if t * tile + thread * thread_elem + e < n:
                    part[0] = part[0] + T.Cast(out_dtype, A[row, t * tile + thread * thread_elem + e])
                mine[e] = part[0]
            totals[thread] = part[0]
            T.tvm_storage_sync("shared")
            for step in range(steps):
                part[0] = T.Cast(out_dtype, 0)
                if thread >= T.shift_left(1, step):
                    part[0] = totals[thread - T.shift_left(1, step)]
                T.tvm_storage_sync("shared")
                totals[thread] = totals[thread] + part[0]
                T.tvm_storage_sync("shared")
            part[0] = carry[0]
            if thread > 0:
                part[0] = carry[0] + totals[thread - 1]
            for e in range(thread_elem):
                if t * tile + thread * thread_elem + e < n:
                    Out[row, t * tile + thread * thread_elem + e] = part[0] + mine[e]
            carry[0] = carry[0] + totals[n_threads - 1]
            T.tvm_storage_sync("shared")

    return cumsum
