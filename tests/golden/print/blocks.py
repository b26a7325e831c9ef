# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def f14(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
        with T.block("root"):
            T.reads(A[0:8, 0:8])
            T.writes(B[0:8, 0:8])
            T.block_attr({"k": [1, 2, {"a": "b"}], "x": T.bool(False)})
            C = T.alloc_buffer((8, 8), scope="shared")
            for i, j in T.grid(8, 8):
                with T.block("x"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    T.where(i + j < 8)
                    T.reads(A[vi, vj])
                    T.writes(B[vi, vj])
                    D = T.match_buffer(A[vi, vj], (1, 1), strides=("D_s0", "D_s1"), offset_factor=1)
                    E = T.match_buffer(B[vi, vj], (), offset_factor=1)
                    B[vi, vj] = D[0, 0]

    @T.prim_func
    def f15(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8,), "float32")):
        # with T.block("root"):
        for i in range(8):
            with T.block("outer"):
                vi = T.axis.spatial(8, i)
                T.reads(A[vi, 0:8])
                T.writes(B[vi])
                with T.init():
                    for z in range(1):
                        with T.block("init"):
                            vz = T.axis.spatial(1, z)
                            T.reads()
                            T.writes(B[vi])
                            B[vi] = T.float32(0.0)
                for k in range(8):
                    with T.block("inner"):
                        vk = T.axis.reduce(8, k)
                        T.reads(B[vi], A[vi, vk])
                        T.writes(B[vi])
                        B[vi] = B[vi] + A[vi, vk]
