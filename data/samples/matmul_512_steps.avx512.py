# A 512 x 512 float32 matrix product on one core with 32 vector registers of 16 numbers (AVX-512).
#
# 8 rows by 32 columns of C are added up in 16 registers; two more hold a row of B, one an element of A.  Sixteen
# independent sums hide the latency of the multiply-add, 10 loads feed 16 of them, and 8 divides all the rows.

C = sch.get_block("C", func_name="main")

# B is copied once so that the 32 columns of a tile lie side by side for all k: the inner loop then reads straight on.
packed = sch.cache_read(C, 1, "global")
sch.transform_layout(packed, ("write", 0), lambda k, j: (j // 32, k, j % 32))

# 32 columns are two vectors.
i, j, k = sch.get_loops(C)
j0, j1 = sch.split(j, factors=[None, 32])

# The tile: its rows are unrolled inside k.  64 rows of A (128 KB) stay in the second cache while panels of B pass by.
i0, i1, i2 = sch.split(i, factors=[None, 8, 8])
sch.reorder(i0, j0, i1, k, i2, j1)
sch.vectorize(j1)
sch.unroll(i2)

# The sums start before k and end after it, so that they never leave the registers between.
sch.decompose_reduction(C, k)

# The copy moves whole vectors.
k, j = sch.get_loops(packed)
j0, j1 = sch.split(j, factors=[None, 32])
sch.vectorize(j1)
