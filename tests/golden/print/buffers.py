# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def f00(a: T.handle, b: T.handle, n: T.int32):
        m = T.int32()
        A = T.match_buffer(a, (n, m), "float16")
        B = T.match_buffer(b, (m, n + 1), "int8", scope="shared")
        T.evaluate(A[0, 0])

    @T.prim_func
    def f01(a: T.handle):
        n, A_s0 = T.int64(), T.int64()
        A = T.match_buffer(a, (n, A_s0), strides=(A_s0, 1), align=128)
        A[T.int64(0), T.int64(1)] = T.float32(1.5)

    @T.prim_func
    def f02(a: T.handle):
        A = T.match_buffer(a, (16,), elem_offset=4, offset_factor=4)
        A[0] = T.float32(1.0)

    @T.prim_func
    def f03(a: T.handle):
        A = T.match_buffer(a, (16, 16), axis_separators=[1])
        A[0, 1] = T.float32(1.0)

    @T.prim_func
    def f04(a: T.handle("float32", "global"), n: T.int32):
        A = T.Buffer((16,), data=a)
        A[0] = T.float32(1.0)

    @T.prim_func
    def f19(A: T.Buffer((64,), "float32")):
        with T.decl_buffer((8,)) as B:
            B[0] = A[0]
        C = T.decl_buffer((8,), "int32", scope="local")
        C[0] = 1

    @T.prim_func
    def f22(var_A: T.handle):
        n = T.int64()
        A = T.match_buffer(var_A, (n * T.int64(2), T.int64(4)))
        # with T.block("root"):
        for i in range(n):
            with T.block("b"):
                vi = T.axis.spatial(n, i)
                T.reads()
                T.writes(A[vi, T.int64(0):T.int64(4)])
                A[vi, T.int64(0)] = T.float32(0.0)
