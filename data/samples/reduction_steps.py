# The sum of a million float32 numbers, on one core.
#
# One chain of additions costs the latency of an addition for each number.  rfactor makes 64 chains, which a second
# block adds up; then memory is the limit.

total = sch.get_block("sum", func_name="main")
i, k = sch.get_loops(total)
k0, k1 = sch.split(k, factors=[None, 64])
part = sch.rfactor(k1, 1)

# The 64 chains are the inner loop: eight vectors that stay in registers over the whole loop.
i, step, lane = sch.get_loops(part)
sch.vectorize(lane)
sch.decompose_reduction(part, step)
