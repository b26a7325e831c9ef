from tvm.script import tir as T

@T.prim_func
def main(a: T.Buffer((4,), "float16"), b: T.Buffer((4,), "bfloat16"), c: T.Buffer((4,), "float8_e4m3fn"), d: T.Buffer((4,), "float8_e5m2"),
         e: T.Buffer((4,), "bool"), f: T.Buffer((4,), "int8x4"), g: T.Buffer((4,), "uint64"), h: T.Buffer((4,), "handle"), x: T.float64, y: T.bool):
    a[0] = 1
    a[1] = a[0] * 2 + T.float16("inf")
    b[0] = T.bfloat16(1.5)
    c[0] = T.float8_e4m3fn(0.5)
    d[0] = T.Cast("float8_e5m2", x)
    e[0] = True
    e[1] = not e[0] and y
    f[0] = T.Broadcast(T.int8(3), 4)
    g[0] = T.uint64(18446744073709551615)
    g[1] = T.max_value("uint64")
    a[2] = T.min_value("float16")
    T.evaluate(T.isnan(x))
    T.evaluate(x * 2 > 3 and 1 <= a[0])
    T.evaluate(T.int64(3) // T.int64(2) + 7 // 2)
    T.evaluate(T.float32(1e-7))
    T.evaluate(T.float64(5e-324))
    T.evaluate(T.Shuffle([f[0], f[1]], [0, 4]))
