"""Schedules of products for the matrix units of GPUs, as tests of tensorization make them."""


class _Product:
    """A product in blocks: threads, tiles in shared memory, fragments in the lanes of a warp, and the intrinsics on these."""

    def __init__(self, workload, tile, factors, lanes):
        import tvm

        self.sch = tvm.tir.Schedule(tvm.IRModule({"main": workload}))
        self.lanes = lanes
        self.warps = factors[0][2] * factors[1][2]
        self.inner = self.sch.get_block("C")
        sch = self.sch
        loops = [sch.split(loop, factors=[None, size]) for loop, size in zip(sch.get_loops(self.inner), tile)]
        sch.reorder(*[outer for outer, _ in loops], *[inner for _, inner in loops])
        self.outer = sch.blockize(loops[0][1])
        i, j, k = [sch.split(outer, factors=list(parts)) for (outer, _), parts in zip(loops, factors)]
        sch.reorder(i[0], j[0], i[1], j[1], j[2], i[2], k[0], k[1], i[3], j[3], k[2], i[4], j[4])
        self.threads = sch.fuse(j[2], i[2])
        for loop, thread in ((sch.fuse(i[0], j[0]), "blockIdx.x"), (sch.fuse(i[1], j[1]), "blockIdx.y"), (self.threads, "threadIdx.y")):
            sch.bind(loop, thread)
        self.at_shared, self.at_warp = k[0], k[1]

    def share(self, index, scope, vector=None, align=None):
        """An operand in shared memory, copied by all threads."""
        sch = self.sch
        copy = sch.cache_read(self.outer, index, scope)
        sch.compute_at(copy, self.at_shared)
        parts = sch.split(sch.fuse(*sch.get_loops(copy)[-2:]), factors=[None, self.warps, self.lanes] + ([vector] if vector else []))
        sch.bind(parts[2], "threadIdx.x")
        sch.bind(parts[1], "threadIdx.y")
        if vector:
            sch.vectorize(parts[3])
        if align is not None:
            sch.storage_align(copy, 0, axis=-2, factor=32, offset=align)

    def fragments(self, scopes):
        """The operands and the result in the lanes; the start of the sum as a block of its own."""
        sch = self.sch
        reads = [sch.cache_read(self.outer, index, scope) for index, scope in enumerate(scopes[:2])]
        for read in reads:
            sch.compute_at(read, self.at_warp)
        write = sch.cache_write(self.outer, 0, scopes[2])
        sch.reverse_compute_at(write, self.threads)
        return reads, write

    def tile(self, block, rows, columns):
        """A copy in tiles; the loop over the rows of one."""
        i, j = self.sch.get_loops(block)[-2:]
        (io, ii), (jo, ji) = self.sch.split(i, factors=[None, rows]), self.sch.split(j, factors=[None, columns])
        self.sch.reorder(io, jo, ii, ji)
        return ii

    def start(self):
        """The block that sets the sum to zero."""
        self.sch.decompose_reduction(self.outer, self.sch.get_loops(self.outer)[3])
        return self.sch.get_block("C_init")

    def tensorize(self, loops, names, write, start):
        """The intrinsics in the place of loops."""
        for loop, name in zip(loops, names[:2]):
            self.sch.tensorize(loop, name)
        for block, depth, name in ((self.inner, -3, names[2]), (start, -2, names[3]), (write, -2, names[4])):
            self.sch.tensorize(self.sch.get_loops(block)[depth], name)
        return self.sch


def _warp_product(workload, k_inner, b_transposed, factors, lanes, shared_scope, vector, align, maps, names):
    product = _Product(workload, (16, 16, k_inner), factors, lanes)
    for index in range(2):
        product.share(index, shared_scope, vector, align)
    (a, b), write = product.fragments(("warp", "warp", "warp"))
    product.tile(write, 16, 16)
    start = product.start()
    loops = [product.tile(a, 16, k_inner), product.tile(b, *((16, k_inner) if b_transposed else (k_inner, 16)))]
    for block, side, index_map in ((a, "write", maps[0]), (b, "write", maps[1]), (write, "read", maps[2])):
        product.sch.transform_layout(block, (side, 0), index_map)
    return product.tensorize(loops, names, write, start)


def mma_schedule(workload, k_inner, in_dtype, b_transposed, i_factors, j_factors, k_factors, index_map_A, index_map_B, index_map_C,  # noqa: N803
                 ldmatrix_a_intrin, ldmatrix_b_intrin, mma_intrin, mma_fill_intrin, mma_store_intrin, shared_scope="shared"):
    """A product with CUDA's mma intrinsics."""
    return _warp_product(workload, k_inner, b_transposed, (i_factors, j_factors, k_factors), 32, shared_scope, 16 if in_dtype == "int8" else 8,
                         8 if in_dtype == "float16" else 16, (index_map_A, index_map_B, index_map_C),
                         (ldmatrix_a_intrin, ldmatrix_b_intrin, mma_intrin, mma_fill_intrin, mma_store_intrin))


def mfma_schedule(workload, k_inner, in_dtype, b_transposed, i_factors, j_factors, k_factors, index_map_A, index_map_B, index_map_C,  # noqa: N803
                  ldmatrix_a_intrin, ldmatrix_b_intrin, mfma_intrin, mfma_fill_intrin, mfma_store_intrin, shared_scope="shared"):
    """A product with AMD's mfma intrinsics."""
    return _warp_product(workload, k_inner, b_transposed, (i_factors, j_factors, k_factors), 64, shared_scope, 16 if in_dtype == "int8" else 8, None,
                         (index_map_A, index_map_B, index_map_C),
                         (ldmatrix_a_intrin, ldmatrix_b_intrin, mfma_intrin, mfma_fill_intrin, mfma_store_intrin))


def wmma_schedule(workload, k_inner, in_dtype, b_transposed, i_factors, j_factors, k_factors, wmma_m, wmma_n, wmma_k, ldmatrix_a_intrin,
                  ldmatrix_b_intrin, wmma_intrin, wmma_fill_intrin, wmma_store_intrin, shared_scope="shared"):
    """A product with wmma fragments."""
    product = _Product(workload, (wmma_m, wmma_n, wmma_k), (i_factors, j_factors, k_factors), 64)
    for index in range(2):
        product.share(index, "shared")
    (a, b), write = product.fragments(("wmma.matrix_a", "wmma.matrix_b", "wmma.accumulator"))
    product.tile(write, wmma_m, wmma_n)
    start = product.start()
    loops = [product.tile(a, wmma_m, wmma_k), product.tile(b, wmma_k, wmma_n)]
    return product.tensorize(loops, (ldmatrix_a_intrin, ldmatrix_b_intrin, wmma_intrin, wmma_fill_intrin, wmma_store_intrin), write, start)
