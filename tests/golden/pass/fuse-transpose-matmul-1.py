# pass: FuseTransposeMatmul()
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4, "n"), "float32"), w: R.Tensor((8, "n"), "float32"), b: R.Tensor((3, 8, "n"), "float32")):
        with R.dataflow():
            t = R.permute_dims(w)
            y = R.matmul(x, t)
            u = R.permute_dims(b, axes=[0, 2, 1])
            z = R.matmul(x, u)
            R.output(y, z)
        return y, z
