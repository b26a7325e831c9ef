# Naive: a thread for each element, 256 threads a block. Neighbouring threads touch neighbouring elements, so each warp fetches whole sectors.
block = sch.get_block("C")
i, = sch.get_loops(block)
i0, i1 = sch.split(i, factors=[None, 256])
sch.bind(i0, "blockIdx.x")
sch.bind(i1, "threadIdx.x")
