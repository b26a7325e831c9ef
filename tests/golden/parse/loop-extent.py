# from tvm.script import tir as T

@T.prim_func
def main(n: T.int32, m: T.int64):
    for i in range(2 * n):
        T.evaluate(i)
    for i in T.parallel(3 + m - 1):
        T.evaluate(i)
    for i, j in T.grid(2 * n, 3 + n - 1):
        T.evaluate(i + j)
