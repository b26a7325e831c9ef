# Softmax of 256 rows of 1024 float32 numbers, on one core.
#
# What is not vectorised is the exponential: it is a call for each number, and most of the time that is left.

# A maximum and a sum are chains: each step waits for the one before.  32 chains side by side are four vectors.
largest = sch.get_block("max", func_name="main")
i, k = sch.get_loops(largest)
k0, k1 = sch.split(k, factors=[None, 32])
largest_part = sch.rfactor(k1, 1)
total = sch.get_block("sum", func_name="main")
i, k = sch.get_loops(total)
k0, k1 = sch.split(k, factors=[None, 32])
total_part = sch.rfactor(k1, 1)

# Row by row, so that a row stays in the first cache from its maximum to its last quotient.
norm = sch.get_block("norm", func_name="main")
row, j = sch.get_loops(norm)
sch.compute_at(total, row)
sch.compute_at(total_part, row)
exp = sch.get_block("exp", func_name="main")
sch.compute_at(exp, row)
sch.compute_at(largest, row)
sch.compute_at(largest_part, row)

# The chains are the inner loop, which becomes vectors; they start before the loop over the row.
i, lane, step = sch.get_loops(largest_part)
sch.reorder(step, lane)
sch.vectorize(lane)
sch.decompose_reduction(largest_part, step)
i, lane, step = sch.get_loops(total_part)
sch.reorder(step, lane)
sch.vectorize(lane)
sch.decompose_reduction(total_part, step)

# What is left is done number by number: vectors of 16.
i, j = sch.get_loops(exp)
j0, j1 = sch.split(j, factors=[None, 16])
sch.vectorize(j1)
i, j = sch.get_loops(norm)
j0, j1 = sch.split(j, factors=[None, 16])
sch.vectorize(j1)
