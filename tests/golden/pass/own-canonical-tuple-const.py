# pass: CanonicalizeBindings()
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main():
        tup = (R.const(0, "int64"), R.const(1, "int64"))
        x = tup[0]
        y = tup[1]
        z = R.add(x, y)
        return z
