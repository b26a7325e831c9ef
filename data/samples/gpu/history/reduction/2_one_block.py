# One block: 256 threads each add every 256th element, then reduce across threads; one multiprocessor works.
block = sch.get_block("B")
i, k = sch.get_loops(block)
sch.bind(i, "blockIdx.x")
k0, k1 = sch.split(k, factors=[None, 256])
sch.bind(k1, "threadIdx.x")
