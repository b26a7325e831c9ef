# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((2, 50), "float32"), W: T.Buffer((4, 2, 3), "float32"), Y: T.Buffer((4, 48), "float32")):
        C = T.alloc_buffer((2, 50))
        for i, j in T.grid(2, 50):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = X[vi, vj]
        for jo, o, ji, c, k in T.grid(5, 4, 11, 2, 3):
            with T.block("Y"):
                vo = T.axis.spatial(4, o)
                vj = T.axis.spatial(48, jo * 11 + ji)
                vc, vk = T.axis.remap("RR", [c, k])
                T.where(jo * 11 + ji < 48)
                with T.init():
                    Y[vo, vj] = T.float32(0)
                Y[vo, vj] = Y[vo, vj] + C[vo // 4 * 2 + vc, vj + vk] * W[vo, vc, vk]
# steps
b = sch.get_block("C")
l = sch.get_loops(sch.get_block("Y"))
sch.compute_at(b, l[0])
