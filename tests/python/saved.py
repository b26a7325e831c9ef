"""Modules of Relax as save_json of TVM 0.20 writes them: read to what their script says, by Python and the command line; damaged ones are errors."""
import base64
import json
import os
import random
import struct
import subprocess
import tempfile
import unittest

import numpy as np
import tap
import tvm
from tvm import relax
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T

CLI = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli")


class N:
    """A node by hand: its key and fields, which are nodes, lists, texts (Text) or what stands as itself."""

    def __init__(self, key, **fields):
        self.key, self.fields = key, fields


class Text(str):
    """A text that is a node of its own."""


class Map(dict):
    """A map from texts, or from nodes where it is given as pairs."""


class Writer:
    def __init__(self):
        self.nodes, self.arrays, self.known, self.kept = [{"type_key": ""}], [], {}, []

    def fresh(self, key, **more):
        self.nodes.append({"type_key": key, **more})
        return len(self.nodes) - 1

    def array(self, value):
        code = {"f": 2, "i": 0, "u": 1}[value.dtype.kind]
        head = struct.pack("<QQiiiBBH", 0xDD5E40F096B4A13F, 0, 1, 0, value.ndim, code, value.dtype.itemsize * 8, 1) + struct.pack(f"<{value.ndim}q", *value.shape)
        self.arrays.append(base64.b64encode(head + struct.pack("<q", value.nbytes) + value.tobytes()).decode())
        return str(len(self.arrays) - 1)

    def put(self, value):
        """The number of a node."""
        if value is None:
            return 0
        if isinstance(value, int):
            return value
        if id(value) in self.known and not isinstance(value, Text):
            return self.known[id(value)]
        self.kept.append(value)
        if isinstance(value, Text):
            return self.fresh("runtime.String", repr_str=str(value))
        if isinstance(value, list):
            at = self.fresh("Array")
            self.nodes[at]["data"] = [self.put(x) for x in value]
        elif isinstance(value, Map):
            at = self.fresh("Map")
            self.nodes[at].update(keys=list(value), data=[self.put(x) for x in value.values()]) if value else None
        elif isinstance(value, tuple):
            at = self.fresh("Map")
            self.nodes[at]["data"] = [self.put(x) for pair in value for x in pair]
        else:
            at = self.fresh(value.key)
            self.known[id(value)] = at
            if "repr_str" in value.fields:
                self.nodes[at]["repr_str"] = value.fields["repr_str"]
                return at
            attrs = {}
            for name, field in value.fields.items():
                attrs[name] = self.array(field) if isinstance(field, np.ndarray) else field if type(field) is str else str(self.put(field))
            self.nodes[at]["attrs"] = attrs if "ttrs" in value.key else {"_checked_type_": "0", "span": "0", **attrs}
        self.known[id(value)] = at
        return at

    def graft(self, text):
        """Nodes of another text, the number of its root."""
        other, at = json.loads(text), len(self.nodes) - 1
        for node in other["nodes"][1:]:
            node = dict(node)
            if "data" in node:
                node["data"] = [x + at for x in node["data"]]
            plain = {"dtype", "value", "kind", "iter_type", "data_alignment", "offset_factor", "buffer_type", "value_index"}
            keep = node["type_key"] in ("IntImm", "FloatImm")
            if "attrs" in node:
                node["attrs"] = {k: v if v == "0" or k in plain and (keep or k != "value") else str(int(v) + at) for k, v in node["attrs"].items()}
            self.nodes.append(node)
        return other["root"] + at

    def text(self, root):
        at = self.put(root)
        return json.dumps({"root": at, "nodes": self.nodes, "b64ndarrays": self.arrays, "attrs": {"tvm_version": "0.20.0"}}, indent=2)


def int_imm(n, dtype="int64"):
    return N("IntImm", dtype=dtype, value=str(n))


def tensor(*extents, dtype="float32", vdevice=None):
    shape = N("relax.expr.ShapeExpr", values=[x if isinstance(x, N) else int_imm(x) for x in extents], struct_info_=None)
    return N("relax.TensorStructInfo", dtype=dtype, ndim=str(len(extents)), shape=shape, vdevice=vdevice)


def var(name, info, kind="Var"):
    return N("relax.expr." + kind, vid=N("relax.Id", name_hint=Text(name)), struct_info_=info)


def op(name):
    return N("Op", repr_str="relax." + name)


def call(name, *args, attrs=None, infos=(), **fields):
    given = N("relax.attrs." + attrs, **fields) if attrs else None
    return N("relax.expr.Call", op=name if isinstance(name, N) else op(name), args=list(args), attrs=given, sinfo_args=list(infos), struct_info_=None)


def function(params, blocks, body, info, pure="1", attrs=None):
    return N("relax.expr.Function", params=params, body=N("relax.expr.SeqExpr", blocks=blocks, body=body, struct_info_=None), is_pure=pure, ret_struct_info=info,
             attrs=N("DictAttrs", __dict__=Map(attrs or {})), struct_info_=None)


def bind(v, value):
    return N("relax.expr.VarBinding", var=v, value=value)


def module(functions, infos=None):
    names = [N("GlobalVar", name_hint=Text(n), struct_info_=None) if isinstance(n, str) else n for n, _ in functions]
    return N("IRModule", attrs=N("DictAttrs", __dict__=Map()), functions=tuple(zip(names, [f for _, f in functions])), global_infos=Map(infos or {}),
             global_var_map_=Map(), source_map=N("SourceMap", source_map=Map()))


WEIGHT = np.arange(12, dtype="float32").reshape(4, 3) / 8


def perceptron():
    """As a file has it: the same variables, shapes and texts stand once."""
    n = N("tir.Var", dtype="int64", name=Text("n"), type_annotation=N("PrimType", dtype="int64"))
    x, b = var("x", tensor(n, 4)), var("b", tensor(3))
    lv, lv1, lv2, gv = var("lv", tensor(n, 3), "DataflowVar"), var("lv1", tensor(n, 3), "DataflowVar"), var("lv2", tensor(n, 3), "DataflowVar"), var("gv", tensor(n, 6))
    constant = N("relax.expr.Constant", data=WEIGHT, struct_info_=tensor(4, 3))
    block = N("relax.expr.DataflowBlock", bindings=[
        bind(lv, call("matmul", x, constant, attrs="MatmulAttrs", out_dtype="")), bind(lv1, call("add", lv, b)),
        bind(lv2, call("nn.softmax", lv1, attrs="SoftmaxAttrs", axis="-1")),
        bind(gv, call("concat", N("relax.expr.Tuple", fields=[lv2, lv1], struct_info_=None), attrs="ConcatAttrs", axis=int_imm(1, "int32")))])
    return module([("main", function([x, b], [block], gv, tensor(n, 6), attrs={"global_symbol": Text("main"), "num_input": int_imm(1, "int32")}))])


@I.ir_module
class Perceptron:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), b: R.Tensor((3,), "float32")) -> R.Tensor(("n", 6), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv = R.matmul(x, R.const(WEIGHT))
            lv1 = R.add(lv, b)
            lv2 = R.nn.softmax(lv1, axis=-1)
            gv = R.concat((lv2, lv1), axis=1)
            R.output(gv)
        return gv


class Read(unittest.TestCase):
    def same(self, root, expected):
        found = tvm.ir.load_json(root if isinstance(root, str) else Writer().text(root))
        tvm.ir.assert_structural_equal(found, expected)
        return found

    def test_perceptron(self):
        found = self.same(perceptron(), Perceptron)
        x, b = np.random.default_rng(1).standard_normal((5, 4)).astype("float32"), np.ones(3, "float32")
        y = relax.VirtualMachine(relax.build(found, "llvm"), tvm.cpu())["main"](tvm.nd.array(x), tvm.nd.array(b)).numpy()
        h = x @ WEIGHT + b
        e = np.exp(h - h.max(1, keepdims=True))
        np.testing.assert_allclose(y, np.concatenate([e / e.sum(1, keepdims=True), h], 1), 1e-5, 1e-6)

    def test_kernels(self):
        """TensorIR and the call of it, with the struct info of what comes out; targets."""
        @T.prim_func(private=True)
        def twice(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
            T.func_attr({"tir.noalias": True})
            for i in range(8):
                with T.block("B"):
                    vi = T.axis.spatial(8, i)
                    B[vi] = A[vi] * T.float32(2)

        writer, name = Writer(), N("GlobalVar", name_hint=Text("twice"), struct_info_=None)
        kernel = writer.graft(tvm.ir.save_json(twice))
        x, gv = var("x", tensor(8)), var("gv", tensor(8))
        called = call("call_tir", name, N("relax.expr.Tuple", fields=[x], struct_info_=None), infos=[tensor(8)])
        text = writer.text(module([(name, kernel), ("main", function([x], [N("relax.expr.BindingBlock", bindings=[bind(gv, called)])], gv, tensor(8), attrs={"global_symbol": Text("main")}))]))

        @I.ir_module
        class Expected:
            @T.prim_func(private=True)
            def twice(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
                T.func_attr({"tir.noalias": True})
                for i in range(8):
                    with T.block("B"):
                        vi = T.axis.spatial(8, i)
                        B[vi] = A[vi] * T.float32(2)

            @R.function
            def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
                cls = Expected
                gv = R.call_tir(cls.twice, (x,), out_sinfo=R.Tensor((8,), "float32"))
                return gv

        self.same(text, Expected)
        plain = tvm.IRModule({"twice": twice})                                           # modules of TensorIR alone, as before
        self.same(tvm.ir.save_json(plain), plain)

    def test_other_kinds(self):
        """If, match_cast, tuples, extern functions, values that are no tensors, attributes that are objects."""
        m = N("tir.Var", dtype="int64", name=Text("m"), type_annotation=N("PrimType", dtype="int64"))
        c, x = var("c", N("relax.TensorStructInfo", dtype="bool", ndim="0", shape=N("relax.expr.ShapeExpr", values=[], struct_info_=None), vdevice=None)), var("x", tensor(4, 6))
        known, pair, one, y = var("known", tensor(m, 6)), var("pair", N("relax.TupleStructInfo", fields=[tensor(4, 3), tensor(4, 3)])), var("one", tensor(4, 3)), var("y", tensor(4, 3))
        side = lambda name, *more: N("relax.expr.SeqExpr", struct_info_=None, body=(b := var("r", tensor(4, 3))),
                                     blocks=[N("relax.expr.BindingBlock", bindings=[bind(b, call(name, one, *more))])])
        block = N("relax.expr.BindingBlock", bindings=[
            bind(pair, call("split", x, attrs="SplitAttrs", indices_or_sections=int_imm(2), axis="1")),
            bind(one, N("relax.expr.TupleGetItem", tuple_value=pair, index="1", struct_info_=None)),
            N("relax.expr.MatchCast", var=known, value=x, struct_info=tensor(m, 6)),
            bind(y, N("relax.expr.If", cond=c, true_branch=side("exp"), false_branch=side("add", one), struct_info_=None))])
        extern = var("e", N("relax.ObjectStructInfo"))
        out = var("s", tensor(1, 3, 4))
        more = N("relax.expr.BindingBlock", bindings=[
            bind(extern, call(N("relax.expr.ExternFunc", global_symbol=Text("of.outside"), struct_info_=N("relax.FuncStructInfo", params=None, ret=N("relax.ObjectStructInfo"), derive_func=None, purity="0")),
                              y, N("relax.expr.PrimValue", value=int_imm(3), struct_info_=None), N("relax.expr.StringImm", value=Text("how"), struct_info_=None),
                              N("relax.expr.DataTypeImm", value="float16", struct_info_=None), infos=[N("relax.ObjectStructInfo")])),
            bind(out, call("reshape", y, N("relax.expr.ShapeExpr", values=[int_imm(1), int_imm(3), int_imm(4)], struct_info_=None)))])
        root = module([("main", function([c, x], [block, more], out, tensor(1, 3, 4), pure="0", attrs={"global_symbol": Text("main")}))])

        @I.ir_module
        class Expected:
            @R.function(pure=False)
            def main(c: R.Tensor((), "bool"), x: R.Tensor((4, 6), "float32")) -> R.Tensor((1, 3, 4), "float32"):
                m = T.int64()
                pair = R.split(x, 2, axis=1)
                one = pair[1]
                known = R.match_cast(x, R.Tensor((m, 6), "float32"))
                if c:
                    r = R.exp(one)
                    y = r
                else:
                    r = R.add(one, one)
                    y = r
                e = R.call_packed("of.outside", y, R.prim_value(3), R.str("how"), R.dtype("float16"), sinfo_args=(R.Object,))
                s = R.reshape(y, R.shape([1, 3, 4]))
                return s

        self.same(root, Expected)

    def test_devices(self):
        target = N("Target", kind=N("TargetKind", repr_str="llvm"), keys=[Text("cpu")], tag=Text(""), host=None, attrs=Map(), features=Map())
        device = N("VDevice", target=target, vdevice_id="0", memory_scope=Text("global"))
        x, gv = var("x", tensor(4, vdevice=device)), var("gv", tensor(4, vdevice=device))
        root = module([("main", function([x], [N("relax.expr.BindingBlock", bindings=[bind(gv, call("exp", x))])], gv, tensor(4, vdevice=device), attrs={"global_symbol": Text("main")}))],
                      {"vdevice": [device]})

        @I.ir_module
        class Expected:
            I.module_global_infos({"vdevice": [I.vdevice({"kind": "llvm", "keys": ["cpu"], "tag": ""}, 0, "global")]})

            @R.function
            def main(x: R.Tensor((4,), "float32", "llvm:0")) -> R.Tensor((4,), "float32", "llvm:0"):
                gv = R.exp(x)
                return gv

        self.same(root, Expected)

    def test_a_function_alone(self):
        x, gv = var("x", tensor(4)), var("gv", tensor(4))
        found = tvm.ir.load_json(Writer().text(function([x], [N("relax.expr.BindingBlock", bindings=[bind(gv, call("exp", x))])], gv, tensor(4), attrs={"global_symbol": Text("f")})))
        self.assertIsInstance(found, relax.Function)

    def test_what_is_not_known(self):
        x, gv = var("x", tensor(4)), var("gv", tensor(4))
        whole = lambda value: Writer().text(module([("main", function([x], [N("relax.expr.BindingBlock", bindings=[bind(gv, value)])], gv, tensor(4), attrs={"global_symbol": Text("main")}))]))
        for value, words in ((call("nn.softmax", x, attrs="SoftmaxAttrs", axis="-1", colour="3"), "relax.nn.softmax has an attribute `colour`, which is not known"),
                             (call("no.such", x, attrs="NoAttrs", a="1"), "the operator relax.no.such is not known"),
                             (N("relax.expr.Riddle", a="1"), "is a relax.expr.Riddle, which is not read"),
                             (call("nn.softmax", x, attrs="SoftmaxAttrs", axis="first"), 'axis of relax.nn.softmax is "first"'),
                             (call("matmul", x, N("relax.expr.Constant", data=WEIGHT, struct_info_=tensor(4, 3)), x, attrs="MatmulAttrs", out_dtype="void"), "but no program")):
            with self.assertRaisesRegex(ValueError, words):
                tvm.ir.load_json(whole(value))

    def test_damaged(self):
        """Whatever is wrong with it: a module or a sentence."""
        text, dice, errors = Writer().text(perceptron()), random.Random(23), 0
        for _ in range(600):
            data = json.loads(text)
            for _ in range(dice.choice((1, 1, 2))):
                node = dice.choice(data["nodes"])
                fields = node.get("attrs") or node
                name = dice.choice(list(fields))
                other = dice.choice(("0", "1", "-1", "999", "x", "", str(dice.randrange(len(data["nodes"]))), None, 5, [1], {"a": "1"}))
                if other is None:
                    del fields[name]
                else:
                    fields[name] = other
            try:
                self.assertIsNotNone(tvm.ir.load_json(json.dumps(data)))
            except ValueError as error:
                errors += 1
                self.assertRegex(str(error), "[a-z]{2,} .*[a-z]")
        self.assertGreater(errors, 300)
        for cut in range(0, len(text), 997):
            with self.assertRaises(ValueError):
                tvm.ir.load_json(text[:cut])

    def test_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(Writer().text(perceptron()))
            run = lambda *words: subprocess.run([CLI, *words], capture_output=True, text=True, check=False)
            printed = run("print", path)
            self.assertEqual(printed.stderr, "")
            tvm.ir.assert_structural_equal(tvm.script.from_source(printed.stdout), Perceptron)
            self.assertIn("softmax", run("graph", path).stdout)
            self.assertEqual(run("check", path).returncode, 0)
            with open(path, "w", encoding="utf-8") as file:
                file.write('{"root": 1, "nodes": [{"type_key": ""}], "b64ndarrays": [], "attrs": {"tvm_version": "0.20.0"}}')
            wrong = run("print", path)
            self.assertNotEqual(wrong.returncode, 0)
            self.assertIn("m.json: this is a module as save_json of TVM writes it, but there is no node 1", wrong.stderr)


if __name__ == "__main__":
    tap.main()
