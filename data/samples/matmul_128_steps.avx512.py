# A 128 x 128 float32 matrix product on one core with 32 vector registers of 16 numbers (AVX-512).
#
# 8 rows by 32 columns of C are added up in 16 registers; two more hold a row of B, one an element of A.  Sixteen
# independent sums hide the latency of the multiply-add, 10 loads feed 16 of them, and 8 divides all the rows.

C = sch.get_block("C", func_name="main")

# 32 columns are two vectors.  All of B is 64 KB: a copy that tiles read straight on would cost more than it gains.
i, j, k = sch.get_loops(C)
j0, j1 = sch.split(j, factors=[None, 32])

# The tile: its rows are unrolled inside k.  32 columns of B (16 KB) stay in the first cache while the rows of A pass by.
i0, i1 = sch.split(i, factors=[None, 8])
sch.reorder(j0, i0, k, i1, j1)
sch.vectorize(j1)
sch.unroll(i1)

# The sums start before k and end after it, so that they never leave the registers between.
sch.decompose_reduction(C, k)
