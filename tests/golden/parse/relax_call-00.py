# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        y: R.Tensor((3,), dtype="float32") = R.call_packed("own.pk", x, sinfo_args=(R.Tensor((3,), dtype="float32"),))
        z: R.Tuple(R.Object, R.Tensor(ndim=2)) = R.call_packed("own.two", y, sinfo_args=(R.Tuple(R.Object, R.Tensor(ndim=2)),))
        return y
