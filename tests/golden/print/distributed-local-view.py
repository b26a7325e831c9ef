# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def product(A: T.Buffer((T.int64(4), T.int64(8)), "float32"), B: T.Buffer((T.int64(8), T.int64(6)), "float32"), C: T.Buffer((T.int64(4), T.int64(6)), "float32")):
        # with T.block("root"):
        for i, j, k in T.grid(T.int64(4), T.int64(6), T.int64(8)):
            with T.block("product"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], B[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0.0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

    @T.prim_func(private=True)
    def product1(A: T.Buffer((T.int64(4), T.int64(4)), "float32"), B: T.Buffer((T.int64(4), T.int64(6)), "float32"), C: T.Buffer((T.int64(4), T.int64(6)), "float32")):
        # with T.block("root"):
        for i, j, k in T.grid(T.int64(4), T.int64(6), T.int64(4)):
            with T.block("product"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], B[vk, vj])
                T.writes(C[vi, vj])
                with T.init():
                    C[vi, vj] = T.float32(0.0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

    @T.prim_func(private=True)
    def twice(A: T.Buffer((T.int64(4), T.int64(8)), "float32"), B: T.Buffer((T.int64(4), T.int64(8)), "float32")):
        # with T.block("root"):
        H = T.alloc_buffer((T.int64(4), T.int64(8)))
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("half"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(H[vi, vj])
                H[vi, vj] = A[vi, vj] + A[vi, vj]
        for i, j in T.grid(T.int64(4), T.int64(8)):
            with T.block("all"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(H[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = H[vi, vj]

    @T.prim_func(private=True)
    def twice1(A: T.Buffer((T.int64(4), T.int64(4)), "float32"), B: T.Buffer((T.int64(4), T.int64(4)), "float32")):
        # with T.block("root"):
        H = T.alloc_buffer((T.int64(4), T.int64(4)))
        for i, j in T.grid(T.int64(4), T.int64(4)):
            with T.block("half"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(H[vi, vj])
                H[vi, vj] = A[vi, vj] + A[vi, vj]
        for i, j in T.grid(T.int64(4), T.int64(4)):
            with T.block("all"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(H[vi, vj])
                T.writes(B[vi, vj])
                B[vi, vj] = H[vi, vj]

    @R.function
    def main(x: R.DTensor((4, 8), "float32", "mesh[0]", "S[1]"), w: R.DTensor((8, 6), "float32", "mesh[0]", "S[0]")) -> R.DTensor((4, 6), "float32", "mesh[0]", "R"):
        cls = Module
        a: R.DTensor((4, 8), "float32", "mesh[0]", "S[1]") = R.dist.call_tir_local_view(cls.twice1, (x,), out_sinfo=R.DTensor((4, 8), "float32", "mesh[0]", "S[1]"))
        gv: R.DTensor((4, 6), "float32", "mesh[0]", "R") = R.dist.call_tir_local_view(cls.product1, (a, w), out_sinfo=R.DTensor((4, 6), "float32", "mesh[0]", "R"))
        b: R.DTensor((4, 6), "float32", "mesh[0]", "R") = R.ccl.allreduce(gv, op_type="sum", in_group=True)
        return b
