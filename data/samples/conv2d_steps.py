# A 3x3 convolution, NCHW, 64 channels of 56 x 56 float32 numbers to 64 channels, on one core.

conv = sch.get_block("conv", func_name="main")
n, f, y, x, c, r, s = sch.get_loops(conv)

# 8 output channels by 8 places of a row: 8 vectors of sums.  Each vector of the input serves all 8 channels.
f0, f1 = sch.split(f, factors=[None, 8])
x0, x1 = sch.split(x, factors=[None, 8])

# What is added up goes outside the tile, so that the sums stay in registers while it runs.
sch.reorder(f0, y, x0, c, r, s, f1, x1)
sch.unroll(s)
sch.unroll(f1)
sch.vectorize(x1)

# The sums start before the channels and are stored after them.
init = sch.decompose_reduction(conv, c)
