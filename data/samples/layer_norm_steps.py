# Layer norm of 256 rows of 1024 float32 numbers, on one core.

norm = sch.get_block("norm", func_name="main")
row, j = sch.get_loops(norm)

# Both sums are chains; 32 of them side by side are four vectors that do not wait for one another.
total = sch.get_block("sum", func_name="main")
i, k = sch.get_loops(total)
k0, k1 = sch.split(k, factors=[None, 32])
total_part = sch.rfactor(k1, 1)
squares = sch.get_block("squares", func_name="main")
i, k = sch.get_loops(squares)
k0, k1 = sch.split(k, factors=[None, 32])
squares_part = sch.rfactor(k1, 1)

# Row by row: X is read from memory once, and from the first cache twice.
sch.compute_at(squares, row)
sch.compute_at(squares_part, row)
sch.compute_at(total, row)
sch.compute_at(total_part, row)

# The chains become the inner loop and vectors, started before the loop over the row.
i, lane, step = sch.get_loops(total_part)
sch.reorder(step, lane)
sch.vectorize(lane)
sch.decompose_reduction(total_part, step)
i, lane, step = sch.get_loops(squares_part)
sch.reorder(step, lane)
sch.vectorize(lane)
sch.decompose_reduction(squares_part, step)

# The result in vectors of 16.
row, j = sch.get_loops(norm)
j0, j1 = sch.split(j, factors=[None, 16])
sch.vectorize(j1)
