# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), dtype="float32"), w: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        # from tvm.script import relax as R
        
        @R.function(pure=False)
        def noisy(y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
            R.print(y, w, format=R.str("{} {}"))
            return y

        a: R.Tensor((4,), dtype="float32") = noisy(x)
        return a
