# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 6), dtype="float32"), i: R.Tensor((2,), dtype="int64")) -> R.Tuple(R.Tensor((4, 2), dtype="float32"), R.Tensor((2, 1), dtype="float32"), R.Tensor((6, 4), dtype="float16"), R.Tensor((4,), dtype="int64")):
        a: R.Tensor((4, 2), dtype="float32") = R.take(x, i, axis=1)
        b: R.Tensor((2, 6), dtype="float32") = R.strided_slice(x, (R.prim_value(0),), (R.prim_value(1),), (R.prim_value(3),), assume_inbound=False)
        c: R.Tensor((2, 1), dtype="float32") = R.sum(b, axis=[1], keepdims=True)
        d: R.Tensor((6, 4), dtype="float32") = R.permute_dims(x, axes=None)
        e: R.Tensor((6, 4), dtype="float16") = R.astype(d, dtype="float16")
        f: R.Tensor((4,), dtype="int64") = R.argmax(x, axis=1, keepdims=False)
        return (a, c, e, f)
