block = sch.get_block("B")
i, j = sch.get_loops(block)
sch.bind(i, "threadIdx.w")
