# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((96, 5), "float32"), Y: T.Buffer((96, 5), "float32")):
        B = T.alloc_buffer((9,))
        for i in range(9):
            with T.block("B"):
                vi = T.axis.spatial(9, i)
                B[vi] = T.float32(3)
        for co, h, ci in T.grid(2, 5, 48):
            with T.block("Y"):
                vh = T.axis.spatial(5, h)
                vc = T.axis.spatial(96, co * 48 + ci)
                Y[vc, vh] = X[vc, vh] + B[vc // 11]
# steps
sch.compute_at(sch.get_block("B"), sch.get_loops(sch.get_block("Y"))[0])
