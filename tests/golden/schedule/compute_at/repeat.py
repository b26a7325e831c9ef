# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(x: T.Buffer((4,), "float32"), y: T.Buffer((64,), "float32")):
        B = T.alloc_buffer((4,))
        for i in range(4):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                B[vi] = x[vi] + T.float32(1)
        for io, ii in T.grid(8, 8):
            with T.block("y"):
                vi = T.axis.spatial(64, io * 8 + ii)
                y[vi] = B[vi // 16]
# steps
sch.compute_at(sch.get_block("B"), sch.get_loops(sch.get_block("y"))[0])
