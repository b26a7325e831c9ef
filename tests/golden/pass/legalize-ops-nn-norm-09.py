# pass: LegalizeOps()
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4, 4, 3), dtype="float32"), g: R.Tensor((3,), dtype="float32"), b: R.Tensor((3,), dtype="float32"), mu: R.Tensor((3,), dtype="float32"), va: R.Tensor((3,), dtype="float32")) -> R.Tuple(R.Tensor(("n", 4, 4, 3), dtype="float32"), R.Tensor((3,), dtype="float32"), R.Tensor((3,), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            lv: R.Tuple(R.Tensor((n, 4, 4, 3), dtype="float32"), R.Tensor((3,), dtype="float32"), R.Tensor((3,), dtype="float32")) = R.nn.batch_norm(x, g, b, mu, va, axis=3, epsilon=0.001, center=True, scale=True, momentum=0.10000000000000001, training=False)
            gv: R.Tuple(R.Tensor((n, 4, 4, 3), dtype="float32"), R.Tensor((3,), dtype="float32"), R.Tensor((3,), dtype="float32")) = lv
            R.output(gv)
        return gv
