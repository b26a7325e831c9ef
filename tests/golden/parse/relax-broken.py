@I.ir_module
class Module:
    @R.function
    def no_return(x: R.Tensor((4,), "float32")):
        y = R.exp(x)

    @R.function
    def no_output(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            y = R.exp(x)
        return x

    @R.function
    def no_type(x):
        return x

    @R.function
    def wrong_annotation(x: R.Tensor((4,), "float32")):
        y: R.Tensor((5,), "float32") = R.exp(x)
        return y

    @R.function
    def branches(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
        if c:
            a = R.exp(x)
        else:
            b = R.cos(x)
        return x

    @R.function
    def fields(x: R.Tuple(R.Tensor((4,), "float32"))):
        y = x[3]
        return y

    @R.function
    def arguments(x: R.Tensor((4,), "float32")):
        y = R.add(x)
        z = R.add(x, x, x)
        w = R.nn.softmax(x, axes=1)
        return x

    @R.function
    def unknown(x: R.Tensor(("n +", 4), "float32")):
        y = R.exp(q)
        return x
