# A 1024 x 1024 float32 matrix product on one core with 16 vector registers of 8 numbers (AVX2).
#
# 6 rows by 16 columns of C are added up in 12 registers; two more hold a row of B, one an element of A.  Twelve
# independent sums hide the latency of the multiply-add, and 8 loads feed 12 of them.

C = sch.get_block("C", func_name="main")

# B is copied once so that the 16 columns of a tile lie side by side for all k: the inner loop then reads straight on.
packed = sch.cache_read(C, 1, "global")
sch.transform_layout(packed, ("write", 0), lambda k, j: (j // 16, k, j % 16))

# 16 columns are two vectors.
i, j, k = sch.get_loops(C)
j0, j1 = sch.split(j, factors=[None, 16])
sch.reorder(i, j0, k, j1)
sch.vectorize(j1)

# 6 does not divide 1024: the first 1020 rows go in tiles without a guard, the others by themselves.
sch.loop_partition(i, factors=[1020, None])

# The tile: its rows are unrolled inside k.  102 rows of A (408 KB) stay in the second cache, beside the panel of B that they
# are multiplied with (64 KB), while the panels pass by; ten times all of B comes from the third.
tile = sch.get_block("C_i0", func_name="main")
i, j0, k, j1 = sch.get_loops(tile)
i0, i1, i2 = sch.split(i, factors=[None, 17, 6])
sch.reorder(i0, j0, i1, k, i2, j1)
sch.unroll(i2)

# The sums start before k and end after it, so that they never leave the registers between.
sch.decompose_reduction(tile, k)

# The same for the rows that are left.
last = sch.get_block("C_i1", func_name="main")
i, j0, k, j1 = sch.get_loops(last)
sch.reorder(j0, k, i, j1)
sch.unroll(i)
sch.decompose_reduction(last, k)

# The copy moves whole vectors.
k, j = sch.get_loops(packed)
j0, j1 = sch.split(j, factors=[None, 16])
sch.vectorize(j1)
