"""Patterns of dataflow: matching, graphs, rules, fusing with checks."""
import unittest

import tap
import tvm
from tvm import relax
from tvm.relax.analysis import get_var2val
from tvm.relax.dpl import (CallPattern, PatternContext, TuplePattern, WildcardPattern, has_dtype, is_call_packed, is_const, is_op, is_tuple, is_tuple_get_item, is_var,
                           make_fused_bias_activation_pattern, rewrite_bindings, rewrite_call, wildcard)
from tvm.relax.transform import CombineParallelMatmul, FuseOpsByPattern, FusionPattern, MergeCompositeFunctions
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Model:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), w: R.Tensor((8, 8), "float32"), v: R.Tensor((8, 8), "float32"), b: R.Tensor((8,), "float32")):
        with R.dataflow():
            a = R.matmul(x, w)
            c = R.add(a, b)
            d = R.nn.relu(c)
            e = R.matmul(x, v)
            f = R.add(d, e)
            R.output(f)
        return f


MAIN = Model["main"]
BLOCK = MAIN.body.blocks[0]
VALUES = get_var2val(MAIN)


def value(name):
    return next(x.value for x in BLOCK.bindings if x.var.name_hint == name)


class Matching(unittest.TestCase):
    def test_parts_are_told(self):
        x, w, b = wildcard(), wildcard(), wildcard()
        product = is_op("relax.matmul")(x, w)
        pattern = is_op("relax.nn.relu")(is_op("relax.add")(product, b))
        self.assertIsInstance(pattern, CallPattern)
        self.assertIsInstance(pattern.args[0].args[0].args[0], WildcardPattern)
        found = pattern.extract_matched_expr(value("d"), VALUES)
        self.assertEqual(found[x].name_hint, "x")
        self.assertEqual(found[b].name_hint, "b")
        self.assertTrue(found[product].same_as(value("a")))
        self.assertIsNone(pattern.extract_matched_expr(value("e"), VALUES))
        self.assertFalse(pattern.match(value("d")))

    def test_operators(self):
        either = is_op("relax.add")(wildcard(), wildcard()) | is_op("relax.matmul")(wildcard(), wildcard())
        self.assertTrue(either.match(value("a")) and either.match(value("c")) and not either.match(value("d")))
        self.assertTrue((~either).match(value("d")))
        both = wildcard().has_shape([4, 8]) & has_dtype("float32")
        self.assertTrue(both.match(value("a")) and not both.match(MAIN.params[1]))
        self.assertTrue(wildcard().has_struct_info(R.Tensor((4, 8))).match(value("a")))
        self.assertFalse(wildcard().has_struct_info(R.Tensor((4, 8), "float16")).match(value("a")))
        self.assertTrue(is_op("relax.matmul")(wildcard(), wildcard()).has_attr({"out_dtype": "void"}).match(value("a")))
        fields = is_tuple([wildcard(), is_const()])
        self.assertIsInstance(fields, TuplePattern)
        self.assertRaises(IndexError, lambda: fields[2])
        self.assertTrue(fields[None].match(relax.TupleGetItem(relax.Tuple([MAIN.params[0], relax.const(1.0)]), 1)))
        self.assertEqual(repr(either), "OrPattern(Op(relax.add)(*, *) | Op(relax.matmul)(*, *))")
        self.assertTrue(is_call_packed("f").match(relax.Call(relax.ExternFunc("f"), [MAIN.params[0]])))

    def test_what_is_no_pattern(self):
        self.assertRaises(TypeError, lambda: is_op("relax.add")(1, 2))
        self.assertRaises(TypeError, lambda: is_tuple_get_item(3))
        self.assertRaises(ValueError, lambda: is_tuple(3))


class Graphs(unittest.TestCase):
    def test_chain(self):
        with PatternContext() as ctx:
            x, w = is_var("x"), wildcard()
            product = is_op("relax.matmul")(x, w)
            total = is_op("relax.add")(product, wildcard())
            found = ctx.match_dfb(BLOCK)
        self.assertEqual((found[product].name_hint, found[total].name_hint, found[w].name_hint), ("a", "c", "w"))
        with PatternContext() as ctx:
            is_var("x") >> is_op("relax.matmul")(varg_default_wildcard=True)
            self.assertIsNone(ctx.match_dfb(BLOCK))
            with PatternContext() as inner:
                is_op("relax.add")(varg_default_wildcard=True) >> is_op("relax.nn.relu")(varg_default_wildcard=True)
                self.assertIs(PatternContext.current(), inner)
                self.assertIsNotNone(inner.match_dfb(BLOCK))

    def test_duplicates_stand_alike(self):
        with PatternContext() as ctx:
            one = is_op("relax.matmul")(varg_default_wildcard=True) ^ is_op("relax.add")(varg_default_wildcard=True)
            two = one.dup()
            self.assertNotEqual(one[0], two[0])
            found = ctx.match_dfb(BLOCK)
        self.assertEqual({found[one[0]].name_hint, found[two[0]].name_hint}, {"a", "e"})


class Rules(unittest.TestCase):
    def test_until_nothing_changes(self):
        x = wildcard()
        again = rewrite_call(is_op("relax.nn.relu")(x), lambda expr, found: relax.op.sigmoid(found[x]), MAIN)
        self.assertIn("d: R.Tensor((4, 8), dtype=\"float32\") = R.sigmoid(c)", again.script())
        self.assertTrue(tvm.ir.structural_equal(rewrite_call(is_op("relax.nn.relu")(x), lambda expr, found: expr, MAIN), MAIN))

    def test_exceptions_come_through(self):
        def wrong(expr, found):
            raise ZeroDivisionError("here")

        self.assertRaises(ZeroDivisionError, lambda: rewrite_call(is_op("relax.nn.relu")(wildcard()), wrong, MAIN))
        self.assertRaises(TypeError, lambda: rewrite_call(is_op("relax.nn.relu")(wildcard()), lambda *_: object(), MAIN))

    def test_bindings(self):
        with PatternContext() as ctx:
            x, w, v = wildcard(), wildcard(), wildcard()
            one, two = is_op("relax.matmul")(x, w), is_op("relax.matmul")(x, v)

        def join(found, values):
            chunks = relax.op.split(relax.op.matmul(found[x], relax.op.concat([found[w], found[v]], axis=1)), 2, axis=1)
            return {found[one]: chunks[0], found[two]: chunks[1]}

        text = rewrite_bindings(ctx, join, MAIN).script()
        self.assertEqual(text.count("R.matmul"), 1)
        self.assertIn("R.concat((w, v), axis=1)", text)

    def test_two_functions(self):
        @R.rewriter
        class Rule:
            @R.function
            def pattern(A: R.Tensor([4, 8], "float32"), B: R.Tensor([4, 8], "float32")):
                return R.add(A, B)

            @R.function
            def replacement(A: R.Tensor([4, 8], "float32"), B: R.Tensor([4, 8], "float32")):
                return R.call_pure_packed("my_add", A, B, sinfo_args=R.Tensor([4, 8], "float32"))

        text = tvm.ir.transform.Sequential([Rule])(Model).script()
        self.assertIn("f: R.Tensor((4, 8), dtype=\"float32\") = R.call_pure_packed(\"my_add\", d, e", text)
        self.assertIn("c: R.Tensor((4, 8), dtype=\"float32\") = R.add(a, b)", text)


class Fusing(unittest.TestCase):
    def test_check_and_attributes(self):
        w = wildcard()
        root = is_op("relax.matmul")(wildcard(), w)
        seen = []

        def check(context):
            seen.append(([x.name_hint for x in context.var_usages[context.value_to_bound_var[context.matched_expr]]], len(context.matched_bindings)))
            return context.annotated_expr["w"].name_hint == "v"

        mod = FuseOpsByPattern([FusionPattern("own.mm", root, {"w": w}, check, lambda parts: {"weight": parts["w"].name_hint})])(Model)
        self.assertEqual(seen, [(["c"], 1), (["f"], 1)])
        self.assertEqual(mod["fused_relax_matmul"].attrs["weight"], "v")
        self.assertEqual(len(mod.functions), 2)

    def test_composites_are_merged(self):
        mod = FuseOpsByPattern([("own.dense", make_fused_bias_activation_pattern("relax.matmul", True, "relax.nn.relu")), ("own.add", is_op("relax.add")(wildcard(), wildcard()))])(Model)
        mod = MergeCompositeFunctions()(mod)
        names = sorted(x.name_hint for x in mod.get_global_vars())
        self.assertEqual(names, ["fused_relax_matmul_relax_add_relax_nn_relu_relax_add_own", "main"])
        self.assertTrue(relax.analysis.well_formed(mod))

    def test_cycle(self):
        pattern = is_op("relax.add")(is_op("relax.nn.relu")(wildcard()), wildcard())
        other = is_op("relax.add")(wildcard(), is_op("relax.matmul")(wildcard(), is_var("v")))
        self.assertIn("main", FuseOpsByPattern([("own.a", pattern), ("own.b", other)])(Model).script())

    def test_combine_asks(self):
        asked = []
        mod = CombineParallelMatmul(lambda lhs, rhs, bias, values: asked.append([x.name_hint for x in rhs]) or False)(Model)
        self.assertEqual(asked[0], ["w", "v"])
        self.assertTrue(tvm.ir.structural_equal(mod, Model))
        self.assertIn("R.split", CombineParallelMatmul()(Model).script())


class RewritingRules(unittest.TestCase):
    """Rules of two functions of a module."""

    @staticmethod
    def doubles():
        @R.rewriter
        class Rule:
            @R.function
            def pattern(a: R.Tensor((4,), "float32")):
                return a + a

            @R.function
            def replacement(a: R.Tensor((4,), "float32")):
                return Rule.helper(a)

            @R.function(private=True)
            def helper(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                return a * R.const(2, "float32")

        return Rule

    @staticmethod
    def squares():
        @R.rewriter
        class Rule:
            @R.function
            def pattern(a: R.Tensor((4,), "float32")):
                return a * a

            @R.function
            def replacement(a: R.Tensor((4,), "float32")):
                return R.call_tir(Rule.helper, (a,), out_sinfo=R.Tensor((4,), "float32"))

            @T.prim_func(private=True)
            def helper(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
                for i in range(4):
                    B[i] = A[i] * A[i]

        return Rule

    def test_only_the_functions_that_are_needed_come_along(self):
        @I.ir_module
        class Before:
            @R.function
            def main(a: R.Tensor((4,), "float32")):
                b = a + a
                return b + b

        @I.ir_module
        class After:
            @R.function
            def main(a: R.Tensor((4,), "float32")):
                b = After.helper(a)
                return After.helper(b)

            @R.function(private=True)
            def helper(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
                return a * R.const(2, "float32")

        tvm.ir.assert_structural_equal((self.doubles() | self.squares())(Before), After)

    def test_rules_may_give_their_functions_the_same_name(self):
        @I.ir_module
        class Before:
            @R.function
            def main(a: R.Tensor((4,), "float32")):
                b = a + a
                return b * b

            @R.function
            def helper_1(a: R.Tensor((4,), "float32")):
                return a

        mod = (self.doubles() | self.squares())(Before)
        self.assertEqual(sorted(x.name_hint for x in mod.get_global_vars()), ["helper", "helper_1", "helper_2", "main"])
        self.assertIsInstance(mod["helper_2"], tvm.tir.PrimFunc)
        self.assertTrue(relax.analysis.well_formed(mod))
        self.assertIn("cls.helper(a)", mod.script())
        self.assertIn("R.call_tir(cls.helper_2,", mod.script())

    def test_items_of_tuples_may_be_in_a_pattern(self):
        @R.rewriter
        class Rule:
            @R.function
            def pattern(a: R.Tensor((8,), "float32")):
                parts = R.split(a, 2)
                return (R.exp(parts[0]), parts[1])

            @R.function
            def replacement(a: R.Tensor((8,), "float32")):
                return R.call_pure_packed("halves", a, sinfo_args=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])

        @R.function(private=True)
        def before(a: R.Tensor((8,), "float32")):
            parts = R.split(a, 2)
            first = R.exp(parts[0])
            return first + parts[1]

        @R.function(private=True)
        def after(a: R.Tensor((8,), "float32")):
            parts = R.call_pure_packed("halves", a, sinfo_args=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
            first = parts[0]
            second = parts[1]
            return first + second

        tvm.ir.assert_structural_equal(Rule(before), after)


if __name__ == "__main__":
    tap.main()
