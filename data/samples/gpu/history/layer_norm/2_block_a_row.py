# A block for each row: 256 threads read side by side, and both sums go across threads by shuffles; only the two numbers stay in shared memory.
norm = sch.get_block("norm")
i, j = sch.get_loops(norm)
sch.bind(i, "blockIdx.x")
j0, j1 = sch.split(j, factors=[None, 256])
sch.bind(j1, "threadIdx.x")
squares = sch.get_block("squares")
sch.compute_at(squares, i)
sch.set_scope(squares, 0, "shared")
k = sch.get_loops(squares)[-1]
k0, k1 = sch.split(k, factors=[None, 256])
sch.bind(k1, "threadIdx.x")
total = sch.get_block("sum")
sch.compute_at(total, i)
sch.set_scope(total, 0, "shared")
m = sch.get_loops(total)[-1]
m0, m1 = sch.split(m, factors=[None, 256])
sch.bind(m1, "threadIdx.x")
