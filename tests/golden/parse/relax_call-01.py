# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), dtype="float32")) -> R.Tuple(R.Object, R.Tensor((3,), dtype="float32")):
        with R.dataflow():
            y: R.Object = R.call_pure_packed("own.f", x, sinfo_args=(R.Object,))
            z: R.Tensor((3,), dtype="float32") = R.call_pure_packed("own.g", y, sinfo_args=(R.Tensor((3,), dtype="float32"),))
            R.output(y, z)
        return (y, z)
