# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Object, p: R.Prim("int64"), q: R.Prim("bool")) -> R.Object:
        return x
