# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(N: T.Buffer((6, 24), "int32"), A: T.Buffer((6, 24), "float32"), P: T.Buffer((6,), "int32"), M: T.Buffer((6,), "float32")):
        for i, k0, k1 in T.grid(6, 3, 8):
            with T.block("lowest"):
                vi = T.axis.spatial(6, i)
                vk = T.axis.reduce(24, k0 * 8 + k1)
                with T.init():
                    M[vi] = T.max_value("float32")
                    P[vi] = -1
                p: T.int32 = T.Select(M[vi] <= A[vi, vk], P[vi], N[vi, vk])
                m: T.float32 = T.Select(M[vi] <= A[vi, vk], M[vi], A[vi, vk])
                M[vi] = m
                P[vi] = p

# steps
i, k0, k1 = sch.get_loops("lowest")
sch.rfactor(k1, 0)
