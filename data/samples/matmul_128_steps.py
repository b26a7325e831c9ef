# A 128 x 128 float32 matrix product on one core with 16 vector registers of 8 numbers (AVX2).
#
# 6 rows by 16 columns of C are added up in 12 registers; two more hold a row of B, one an element of A.  Twelve
# independent sums hide the latency of the multiply-add, and 8 loads feed 12 of them.

C = sch.get_block("C", func_name="main")

# 16 columns are two vectors.  All of B is 64 KB: a copy that tiles read straight on would cost more than it gains.
i, j, k = sch.get_loops(C)
j0, j1 = sch.split(j, factors=[None, 16])
sch.reorder(i, j0, k, j1)
sch.vectorize(j1)

# 6 does not divide 128: the first 120 rows go in tiles without a guard, the others four at a time; two rows alone would
# leave the multiply-adds waiting for each other.
sch.loop_partition(i, factors=[120, 4, None])

# The tile: its rows are unrolled inside k.  16 columns of B (8 KB) stay in the first cache while the rows of A pass by.
tile = sch.get_block("C_i0", func_name="main")
i, j0, k, j1 = sch.get_loops(tile)
i1, i2 = sch.split(i, factors=[None, 6])
sch.reorder(j0, i1, k, i2, j1)
sch.unroll(i2)

# The sums start before k and end after it, so that they never leave the registers between.
sch.decompose_reduction(tile, k)

# The same for the rows that are left.
last = sch.get_block("C_i1", func_name="main")
i, j0, k, j1 = sch.get_loops(last)
sch.reorder(j0, k, i, j1)
sch.unroll(i)
sch.decompose_reduction(last, k)

last = sch.get_block("C_i2", func_name="main")
i, j0, k, j1 = sch.get_loops(last)
sch.reorder(j0, k, i, j1)
sch.unroll(i)
sch.decompose_reduction(last, k)
