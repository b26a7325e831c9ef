# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def f10(A: T.Buffer((8,), "float32"), n: T.int32):
        T.if_then_else(n > 0, A[0], T.float32(0.0))
        T.evaluate(T.Select(n > 0, A[0], T.float32(0.0)))
        T.evaluate(T.Cast("int64", n) * T.int64(2) + T.int64(-1))
        T.evaluate(T.min(n, 3) - (n - 1) - -2)
        T.shift_right(n, 1)
        T.evaluate(not (n > 1 and n < 4))
        T.evaluate(T.uint32(7))
        T.evaluate(T.float64(0.10000000000000001))
        T.evaluate(T.bfloat16(1.5))
        T.evaluate(T.bool(True))
        T.evaluate(T.float32("inf"))
        T.evaluate(T.float32("-inf"))
        T.evaluate(T.float32("nan"))
        T.evaluate((n + 1) * (n - 1) // 2 % 7)
        T.evaluate(n * (n // 3))
        T.evaluate(n // 2 * 3 - n % 4)
        T.evaluate(n < 3 or n > 4 and n != 5)
        T.evaluate((n < 3 or n > 4) and n != 5)

    @T.prim_func
    def f11(A: T.Buffer((8,), "float32"), n: T.int32):
        T.reinterpret("int32", A[0])
        T.pow(A[0], T.float32(2.0))
        T.fabs(A[0])
        T.call_pure_extern("float32", "sinf", A[0])
        T.tvm_struct_get(A.data, 0, 1, "int32")
        T.call_cpacked("f", A.data)
        T.bitwise_not(n)
        T.clz(n)
        T.popcount(n)
        T.isnan(A[0])
        T.q_multiply_shift(n, n, 31, 1)
        T.vectorlow("float32x4", A[0:8])

    @T.prim_func
    def f16(A: T.Buffer((8,), "float32"), n: T.int32):
        v = T.int32()
        A[0] = T.Cast("float32", T.Let(v + 1, where={v: n * 2}))
