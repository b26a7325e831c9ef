# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(p0: R.Tensor((1,), dtype="float32")):
        with R.dataflow():
            v4 = R.split(p0, indices_or_sections=[0], axis=0)
            v5 = v4[0]
            v6 = v4[0]
            R.output(v6)
        return v6
