"""Documents of the printer: fields, text, precedence, comments, underlining."""
import ast
import random
import unittest

import tap
import tvm
from tvm import relax, tir
from tvm.relax.testing import dump_ast
from tvm.relax.testing.ast_printer import ASTPrinter
from tvm.runtime import ObjectPath
from tvm.script import ir as I, relax as R, tir as T
from tvm.script.printer.doc import (AssignDoc, AttrAccessDoc, ClassDoc, CommentDoc, DictDoc, DocStringDoc, ExprStmtDoc, ForDoc, FunctionDoc, IdDoc, IfDoc, LambdaDoc,
                                    ListDoc, LiteralDoc, OperationDoc, OperationKind, ReturnDoc, ScopeDoc, SliceDoc, StmtBlockDoc, TupleDoc, WhileDoc)
from tvm.script.printer.doc_printer import to_python_script

K = OperationKind
UNARY = {K.USub: ast.USub, K.Invert: ast.Invert, K.Not: ast.Not}
BINARY = {K.Add: ast.Add, K.Sub: ast.Sub, K.Mult: ast.Mult, K.Div: ast.Div, K.FloorDiv: ast.FloorDiv, K.Mod: ast.Mod, K.Pow: ast.Pow, K.LShift: ast.LShift,
          K.RShift: ast.RShift, K.BitAnd: ast.BitAnd, K.BitOr: ast.BitOr, K.BitXor: ast.BitXor}


def grown(rng, depth):
    """A document and the tree of Python's own parser that it stands for."""
    if depth == 0:
        name = rng.choice("xyz")
        return IdDoc(name), ast.Name(name, ast.Load())
    parts = [grown(rng, depth - 1) for _ in range(3)]
    docs, trees = zip(*parts)
    choice = rng.randrange(6)
    if choice == 0:
        kind = rng.choice(list(UNARY))
        return OperationDoc(kind, docs[:1]), ast.UnaryOp(UNARY[kind](), trees[0])
    if choice <= 2:
        kind = rng.choice(list(BINARY))
        return OperationDoc(kind, docs[:2]), ast.BinOp(trees[0], BINARY[kind](), trees[1])
    if choice == 3 and getattr(docs[1], "kind", None) != K.IfThenElse:
        return OperationDoc(K.IfThenElse, docs), ast.IfExp(*trees)
    if choice <= 4:
        return docs[0].attr("name"), ast.Attribute(trees[0], "name", ast.Load())
    return docs[0].call(docs[1]), ast.Call(trees[0], [trees[1]], [])


class Text(unittest.TestCase):
    def test_brackets_keep_the_meaning(self):
        rng = random.Random(7)
        for _ in range(400):
            doc, tree = grown(rng, rng.randrange(1, 4))
            self.assertEqual(ast.dump(ast.parse(to_python_script(doc), mode="eval").body), ast.dump(tree), to_python_script(doc))

    def test_no_needless_brackets(self):
        x, y, z = map(IdDoc, "xyz")
        for doc, text in ((OperationDoc(K.Add, [OperationDoc(K.Add, [x, y]), z]), "x + y + z"), (OperationDoc(K.Add, [x, OperationDoc(K.Add, [y, z])]), "x + (y + z)"),
                          (OperationDoc(K.Pow, [x, OperationDoc(K.USub, [y])]), "x ** -y"), (LambdaDoc([x], LambdaDoc([y], z)), "lambda x: lambda y: z"),
                          (OperationDoc(K.Not, [OperationDoc(K.Eq, [x, y])]), "not x == y")):
            self.assertEqual(to_python_script(doc), text)

    def test_atoms(self):
        x = IdDoc("x")
        for doc, text in ((LiteralDoc('a"\n\\'), r'"a\"\n\\"'), (LiteralDoc(True), "True"), (LiteralDoc(-0.5), "-0.5"), (LiteralDoc(None), "None"), (x[()], "x[()]"),
                          (x[SliceDoc(), SliceDoc(None, LiteralDoc(2), LiteralDoc(3))], "x[:, :2:3]"), (TupleDoc([x]), "(x,)"), (ListDoc([]), "[]"),
                          (DictDoc({LiteralDoc("k"): x}), '{"k": x}'), (x.call(x, key=x), "x(x, key=x)"), (AttrAccessDoc(x, "y"), "x.y")):
            self.assertEqual(to_python_script(doc), text)

    def test_statements(self):
        x, y = IdDoc("x"), IdDoc("y")
        stmt = AssignDoc(x, LiteralDoc(1), IdDoc("int"))
        stmt.comment = "why"
        method = FunctionDoc(IdDoc("f"), [AssignDoc(x, None, IdDoc("int"))], [y], LiteralDoc(None), [ForDoc(TupleDoc([x]), y, []), ReturnDoc(x)])
        method.comment = "what\n\nmore"
        loop = WhileDoc(x, [ScopeDoc(None, y, [IfDoc(x, [], [stmt])])])
        loop.comment = "again"
        doc = StmtBlockDoc([CommentDoc("head"), DocStringDoc("text"), ClassDoc(IdDoc("C"), [], [method, loop])])
        text = to_python_script(doc)
        self.assertEqual(text, '''# head
"""
text
"""
class C:
    @y
    def f(x: int) -> None:
        """
        what

        more
        """
        for x, in y:
            pass
        return x

    # again
    while x:
        with y:
            if x:
                pass
            else:
                x: int = 1  # why''')
        ast.parse(text)

    def test_refused(self):
        stmt = ReturnDoc(IdDoc("x"))
        stmt.comment = "a\nb"
        with self.assertRaisesRegex(ValueError, "cannot have newline"):
            to_python_script(stmt)
        for make in (lambda: AssignDoc(IdDoc("x")), lambda: AssignDoc(TupleDoc([]), IdDoc("y"), IdDoc("int")), lambda: IfDoc(IdDoc("x"), [], [])):
            self.assertRaises(ValueError, make)
        with self.assertRaises(AttributeError):
            IdDoc("x").nothing = 1
        self.assertNotIn("comment", stmt.__dict__)


class Underlining(unittest.TestCase):
    def lines(self, names, **options):
        docs = []
        for at, name in enumerate(names):
            docs.append(IdDoc(f"v{at}"))
            docs[-1].source_paths = [ObjectPath.root().attr(name)]
        return to_python_script(StmtBlockDoc([ExprStmtDoc(x) for x in docs]), **options).split("\n")

    def test_context(self):
        names = ["no"] * 10
        names[5] = "yes"
        path = [ObjectPath.root().attr("yes").attr("below")]
        self.assertEqual(self.lines(names, num_context_lines=1, path_to_underline=path), ["(... 4 lines skipped ...)", "v4", "v5", "^^", "v6", "(... 3 lines skipped ...)"])
        self.assertEqual(self.lines(names, num_context_lines=4, path_to_underline=path)[:3], ["v0", "v1", "v2"])
        self.assertEqual(len(self.lines(names, path_to_underline=[ObjectPath.root().attr("other")], num_context_lines=1)), 10)

    def test_numbers(self):
        self.assertEqual(self.lines(["a", "b"], print_line_numbers=True, path_to_underline=ObjectPath.root().attr("b")), ["1 v0", "2 v1", "  ^^"])

    def test_blocks(self):
        doc = ForDoc(IdDoc("x"), IdDoc("y"), [ExprStmtDoc(IdDoc("z"))])
        doc.source_paths = [ObjectPath.root()]
        self.assertEqual(to_python_script(doc, path_to_underline=[ObjectPath.root()]), "for x in y:\n^^^^^^^^^^^\n    z\n    ^")


class Nodes(unittest.TestCase):
    def test_dump(self):
        x = relax.Var("x", R.Tensor((2, 3), "float32"))
        self.assertEqual(dump_ast(x, include_struct_info_annotations=False), 'Var(name_hint="x")')
        self.assertEqual("".join(dump_ast(x, include_type_annotations=True).split()),
                         'Var(name_hint="x",struct_info=TensorStructInfo(dtype=float32,shape=ShapeExpr(values=[PrimExpr(value=`T.int64(2)`),PrimExpr(value=`T.int64(3)`)],'
                         "struct_info=ShapeStructInfo(ndim=2,values=[PrimExpr(value=`T.int64(2)`),PrimExpr(value=`T.int64(3)`)]),checked_type_=ShapeType(ndim=2))),"
                         "checked_type_=DynTensorType(ndim=2,dtype=float32))")

    def test_function(self):
        @R.function
        def f(x: R.Tensor((2, 3), "float32")) -> R.Tensor((3, 2), "float32"):
            with R.dataflow():
                y = R.permute_dims(x, axes=[1, 0])
                R.output(y)
            return y

        text = "".join(dump_ast(f, include_struct_info_annotations=False).split())
        self.assertTrue(text.startswith('Function(params=[Var(name_hint="x")],body=SeqExpr(blocks=[DataflowBlock(bindings=[VarBinding(var=Var(name_hint="y"),'
                                        'value=Call(op=Op(name="relax.permute_dims"),args=[Var(name_hint="x")],attrs={"axes":[1,0]}))])]'), text)

    def test_infos_and_types(self):
        printer = ASTPrinter()
        self.assertEqual(printer.visit_struct_info_(relax.TupleStructInfo([relax.ShapeStructInfo()])), "TupleStructInfo(fields=[ShapeStructInfo(ndim=-1)])")
        self.assertEqual("".join(printer.visit_struct_info_(relax.FuncStructInfo([], relax.ObjectStructInfo())).split()),
                         "FuncStructInfo(params=[],ret=ObjectStructInfo(),purity=True)")
        self.assertEqual("".join(printer.visit_type_(relax.FuncType([relax.ShapeType(ndim=1)], relax.TupleType([]))).split()),
                         "FuncType(arg_types=[ShapeType(ndim=1)],ret_type=TupleType(fields=[]))")


class Marks(unittest.TestCase):
    def setUp(self):
        @T.prim_func
        def func(x: T.handle, n: T.int32):
            A = T.match_buffer(x, (128, 256))
            for i in range(128):
                A[i, 0] = T.float32(1)
            T.evaluate(n)

        self.func = func

    def lines(self, **marks):
        return self.func.script(**marks).split("\n")

    def test_objects_are_underlined_where_they_are_used(self):
        lines = self.lines(obj_to_underline=[self.func.params[1]])
        self.assertEqual([lines[i - 1] for i, line in enumerate(lines) if "^" in line], ["    T.evaluate(n)"])
        self.assertEqual(lines[-1].strip(), "^")

    def test_paths_are_underlined(self):
        root = tvm.runtime.ObjectPath.root()
        path = root.attr("buffer_map").map_value(self.func.params[0]).attr("shape").array_index(1).attr("value")
        lines = self.lines(path_to_underline=[path], syntax_sugar=False)
        at = next(i for i, line in enumerate(lines) if "^" in line)
        self.assertEqual(lines[at - 1][lines[at].index("^"):][:3], "256")
        whole = self.lines(path_to_underline=[root])
        self.assertEqual(sum("^" in line for line in whole), 5)

    def test_notes_stand_behind_statements_or_above_them(self):
        lines = self.lines(obj_to_annotate={self.func.body.seq[0]: "first", self.func.body.seq[1]: "second"})
        self.assertEqual(lines[-1], "    T.evaluate(n)  # second")
        self.assertIn("    # first", lines)

    def test_numbers_and_context(self):
        self.assertEqual(self.lines(print_line_numbers=True)[0], "1 # from tvm.script import tir as T")
        lines = self.lines(obj_to_underline=[self.func.body.seq[1]], num_context_lines=1)
        self.assertEqual(lines[0], "(... 5 lines skipped ...)")

    def test_reducers_declare_nothing(self):
        reducer = T.comm_reducer(lambda x, y: x + y, [T.float32(0)])
        self.assertEqual(reducer.script(verbose_expr=True), "T.comm_reducer(lambda x, y: x + y, [T.float32(0.0)])")

    def test_other_prefixes(self):
        from tvm.script import ir as I

        @I.ir_module
        class Mod:
            @T.prim_func
            def main(A: T.Buffer((4,), "float32")):
                T.evaluate(T.call_extern("int32", "T.f"))
                Mod.sub(1)

            @T.prim_func(private=True)
            def sub(n: T.int32):
                T.evaluate(n)

        text = Mod.script(ir_prefix="II", tir_prefix="TT", module_alias="me")
        self.assertIn("# from tvm.script import ir as II\n# from tvm.script import tir as TT\n", text)
        self.assertIn('TT.call_extern("int32", "T.f")', text)
        self.assertIn("@II.ir_module", text)
        self.assertNotIn(" T.", text.replace('"T.', ""))

    def test_comparison_shows_the_place(self):
        other = self.func.with_body(tvm.tir.SeqStmt([self.func.body.seq[0], tvm.tir.Evaluate(0)]))
        with self.assertRaises(ValueError) as raised:
            tvm.ir.assert_structural_equal(self.func, other)
        path = tvm.runtime.ObjectPath.root().attr("body").attr("seq").array_index(1).attr("value")
        self.assertIn(self.func.script(path_to_underline=[path], syntax_sugar=False), str(raised.exception))


class Alone(unittest.TestCase):
    """Relax expressions in texts of their own, with the variables that they use."""

    def test_free_variables_come_first(self):
        n = tir.Var("n", "int64")
        a, b = (relax.Var(name, relax.TensorStructInfo([n, 4], "float32")) for name in "ab")
        lines = relax.VarBinding(b, relax.op.add(a, a)).script(verbose_expr=True).splitlines()
        self.assertEqual(lines, ["n = T.int64()", 'a: R.Tensor((n, 4), dtype="float32")', 'b: R.Tensor((n, 4), dtype="float32") = R.add(a, a)'])
        self.assertEqual(relax.ShapeStructInfo([n, 2]).script(verbose_expr=True), "n = T.int64()\nR.Shape([n, 2])")
        self.assertEqual(relax.TupleType([relax.ShapeType(2), relax.ObjectType()]).script(), "R.Tuple(R.Shape(ndim=2), R.Object)")

    def test_modules_without_an_alias(self):
        @I.ir_module
        class Module:
            @T.prim_func
            def one(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
                T.evaluate(0)

            @R.function
            def all_of(x: R.Tensor((4,), "float32")):
                cls = Module
                y = R.call_tir(cls.one, x, R.Tensor((4,), "float32"))
                return y

        text = Module.script(module_alias="")
        self.assertNotIn("cls", text)
        self.assertIn("R.call_tir(Module.one, (x,)", text)

    def test_functions_from_outside_come_before_those_of_relax(self):
        @R.function
        def all_of(x: R.Tensor((4,), "float32")):
            return x

        text = tvm.IRModule({"all_of": all_of, "far": relax.ExternFunc("far")}).script()
        self.assertLess(text.index("far = R.ExternFunc"), text.index("def all_of"))


if __name__ == "__main__":
    tap.main()
