# pass: ReorderTakeAfterMatmul()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 16), "float32"), w: R.Tensor((16, 64), "float32"), i: R.Tensor((8,), "int64"), y: R.Tensor((5, 3, 16), "float32"), table: R.Tensor((7, 16, 32), "float32"), k: R.Tensor((5,), "int64")):
        with R.dataflow():
            t = R.take(w, i, axis=1)
            a = R.matmul(x, t)
            u = R.take(table, k, axis=0)
            b = R.matmul(y, u)
            R.output(a, b)
        return a, b
