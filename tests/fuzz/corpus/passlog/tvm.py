Before Running Pass: pass name: tir.Simplify, opt_level: 0
# from tvm.script import ir as I
class Module:
    def f(a: T.handle):
        x = 1 + 1
After Running Pass: pass name: tir.Simplify, opt_level: 0
class Module:
    def f(a: T.handle):
        x = 2
