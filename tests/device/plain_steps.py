# Naive: a thread an element
block = sch.get_block("B")
i, j = sch.get_loops(block)
j0, j1 = sch.split(j, factors=[None, 128])
sch.bind(i, "blockIdx.y")
sch.bind(j0, "blockIdx.x")
sch.bind(j1, "threadIdx.x")
