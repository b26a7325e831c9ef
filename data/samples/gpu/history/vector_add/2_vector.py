# Vector loads: each thread takes four neighbouring elements at once, so a warp asks for 512 bytes with one instruction.
block = sch.get_block("C")
i, = sch.get_loops(block)
i0, i1, i2 = sch.split(i, factors=[None, 256, 4])
sch.bind(i0, "blockIdx.x")
sch.bind(i1, "threadIdx.x")
sch.vectorize(i2)
