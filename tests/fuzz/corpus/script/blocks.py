from tvm.script import tir as T, ir as I

@I.ir_module
class Module:
    @T.prim_func
    def nested(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
        for io, jo in T.grid(4, 4):
            with T.block("outer"):
                vio, vjo = T.axis.remap("SS", [io, jo])
                T.reads(A[vio * 4:vio * 4 + 4, vjo * 4:vjo * 4 + 4])
                T.writes(B[vio * 4:vio * 4 + 4, vjo * 4:vjo * 4 + 4])
                As = T.match_buffer(A[vio * 4:vio * 4 + 4, vjo * 4:vjo * 4 + 4], (4, 4), strides=("s0", 1), offset_factor=4, scope="global")
                L = T.alloc_buffer((4, 4), scope="local")
                for i, j in T.grid(4, 4):
                    with T.block("load"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        L[vi, vj] = As[vi, vj]
                for i, j in T.grid(4, 4):
                    with T.block("inner"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        T.where(i + vio * 4 < 15)
                        T.block_attr({"pragma": "x", "list": [1, 2]})
                        B[vio * 4 + vi, vjo * 4 + vj] = L[vi, vj] * T.float32(2)

    @T.prim_func
    def opaque(A: T.Buffer((16,), "float32")):
        with T.block(""):
            T.reads(A[0:16])
            T.writes(A[0:16])
            T.evaluate(T.call_extern("f", A.access_ptr("rw"), A.data, A.strides and 1 or 0, dtype="int32"))

    @T.prim_func
    def explicit_root(A: T.Buffer((16,), "float32")):
        with T.block("root"):
            T.reads()
            T.writes()
            for i in range(16):
                with T.block("b"):
                    vi = T.axis.spatial((0, 16), i)
                    A[vi] = 1
