# A block for each row: 128 threads read side by side and reduce across threads by shuffles; the exponentials stay in shared memory.
norm = sch.get_block("norm")
i, j = sch.get_loops(norm)
sch.bind(i, "blockIdx.x")
j0, j1 = sch.split(j, factors=[None, 128])
sch.bind(j1, "threadIdx.x")
total = sch.get_block("sum")
sch.compute_at(total, i)
sch.set_scope(total, 0, "shared")
k = sch.get_loops(total)[-1]
k0, k1 = sch.split(k, factors=[None, 128])
sch.bind(k1, "threadIdx.x")
exp = sch.get_block("exp")
sch.compute_at(exp, i)
sch.set_scope(exp, 0, "shared")
e = sch.get_loops(exp)[-1]
e0, e1 = sch.split(e, factors=[None, 128])
sch.bind(e1, "threadIdx.x")
largest = sch.get_block("max")
sch.compute_at(largest, i)
sch.set_scope(largest, 0, "shared")
m = sch.get_loops(largest)[-1]
m0, m1 = sch.split(m, factors=[None, 128])
sch.bind(m1, "threadIdx.x")
