"""Tensors in parts on several devices: script, struct info, propagation and lowering."""
import unittest

import tap
import tvm
from tvm import relax
from tvm.ir import Range
from tvm.relax import TensorStructInfo
from tvm.relax.distributed import DeviceMesh, DTensorStructInfo, Placement, PlacementSpec, PlacementSpecKind
from tvm.relax.distributed import transform as dist
from tvm.script.parser import ir as I
from tvm.script.parser import relax as R
from tvm.script.parser import tir as T


def _mesh(*shape):
    n = 1
    for extent in shape:
        n *= extent
    return DeviceMesh(shape, Range(0, n))


def _var(name, shape, placement, mesh, dtype="float32"):
    return relax.Var(name, R.DTensor(shape, dtype, mesh, placement))


@I.ir_module
class Rows:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4)), R.device_mesh((3,), [7, 8, 9])]})

    @T.prim_func
    def plus(x: T.Buffer((T.int64(8), T.int64(6)), "float32"), y: T.Buffer((T.int64(8), T.int64(6)), "float32")):
        for i, j in T.grid(T.int64(8), T.int64(6)):
            with T.block("plus"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vi, vj] + T.float32(1)

    @R.function
    def main(x: R.DTensor((8, 6), "float32", "mesh[0]", "S[0], R")) -> R.DTensor((8, 6), "float32", "mesh[0]", "S[0], R"):
        y = R.dist.call_tir(Rows.plus, (x,), out_sinfo=R.DTensor((8, 6), "float32", "mesh[0]", "S[0], R"))
        z = R.multiply(y, R.dist.const(2.0, R.DTensor((), "float32", "mesh[0]", "R, R")))
        return z


class Objects(unittest.TestCase):
    def test_a_mesh_is_its_devices(self):
        mesh = _mesh(2, 2)
        self.assertEqual(mesh.shape, (2, 2))
        self.assertEqual([int(x) for x in mesh.device_ids], [0, 1, 2, 3])
        tvm.ir.assert_structural_equal(mesh.device_range, Range(0, 4))
        tvm.ir.assert_structural_equal(mesh, DeviceMesh((2, 2), [0, 1, 2, 3]))
        self.assertIsNone(DeviceMesh((2,), [3, 5]).device_range)
        self.assertFalse(tvm.ir.structural_equal(mesh, DeviceMesh((4,), Range(0, 4))))
        with self.assertRaises(tvm.error.InternalError):
            DeviceMesh((2, 2), Range(0, 3))

    def test_placements(self):
        placement = Placement.from_text(" S[1] ,R,S[0]")
        self.assertEqual([(int(s.axis), s.kind) for s in placement.dim_specs],
                         [(1, PlacementSpecKind.kSharding), (-1, PlacementSpecKind.kReplica), (0, PlacementSpecKind.kSharding)])
        self.assertEqual(str(placement), '"S[1], R, S[0]"')
        self.assertEqual(placement.dim_specs[1], PlacementSpec.replica())
        with self.assertRaises(tvm.TVMError):
            Placement.from_text("S[x]")
        with self.assertRaises(tvm.TVMError):
            PlacementSpec(0)

    def test_struct_info_that_does_not_fit(self):
        tensor = TensorStructInfo((4, 4), "float32")
        with self.assertRaises(ValueError):
            DTensorStructInfo(tensor, _mesh(2, 2), Placement.from_text("R"))
        with self.assertRaises(ValueError):
            DTensorStructInfo(tensor, _mesh(2), Placement.from_text("S[2]"))

    def test_json_and_hash(self):
        n = tvm.tir.Var("n", "int64")
        make = lambda: DTensorStructInfo(TensorStructInfo([n + 1, 4], "float32"), _mesh(2, 2), Placement.from_text("S[0], R"))  # noqa: E731
        a, b = make(), make()
        self.assertEqual(a, b)
        self.assertEqual(tvm.ir.structural_hash(a), tvm.ir.structural_hash(b))
        tvm.ir.assert_structural_equal(tvm.ir.load_json(tvm.ir.save_json(a)), a, map_free_vars=True)
        tvm.ir.assert_structural_equal(tvm.ir.load_json(tvm.ir.save_json(Rows)), Rows)
        self.assertNotEqual(a, DTensorStructInfo(a.tensor_sinfo, a.device_mesh, Placement.from_text("R, S[0]")))

    def test_one_says_more_than_the_other(self):
        mesh = _mesh(2)
        make = lambda shape, place: DTensorStructInfo(TensorStructInfo(shape, "float32") if shape else TensorStructInfo(dtype="float32", ndim=2), mesh,  # noqa: E731
                                                      Placement.from_text(place))
        self.assertTrue(make(None, "R").is_base_of(make((4, 4), "R")))
        self.assertFalse(make((4, 4), "R").is_base_of(make(None, "R")))
        self.assertFalse(make((4, 4), "R").is_base_of(make((4, 4), "S[0]")))
        self.assertFalse(make((4, 4), "R").is_base_of(TensorStructInfo((4, 4), "float32")))
        self.assertTrue(relax.ObjectStructInfo().is_base_of(make((4, 4), "R")))

    def test_text(self):
        tensor = TensorStructInfo((32, 32), "float32")
        typeless = TensorStructInfo((32, 32), "void")
        place = Placement.from_text("S[1], R")
        self.assertEqual(str(DTensorStructInfo(tensor, _mesh(2, 2), place)),
                         'R.DTensor((32, 32), "float32", R.device_mesh((2, 2), T.Range(0, 4)), "S[1], R")')
        self.assertEqual(str(DTensorStructInfo(typeless, DeviceMesh((2, 2), [3, 2, 1, 0]), place)),
                         'R.DTensor((32, 32), device_mesh=R.device_mesh((2, 2), [3, 2, 1, 0]), placement="S[1], R")')
        self.assertEqual(str(DTensorStructInfo(TensorStructInfo(dtype="float32", ndim=2), DeviceMesh((1,), [0]), Placement.from_text("R"))),
                         'R.DTensor(dtype="float32", device_mesh=R.device_mesh((1,), [0]), placement="R", ndim=2)')


class Script(unittest.TestCase):
    def test_round_trip(self):
        text = Rows.script(show_meta=True)
        self.assertIn('I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4)), R.device_mesh((3,), [7, 8, 9])]})', text)
        self.assertIn('R.dist.call_tir(cls.plus, (x,), out_sinfo=R.DTensor((8, 6), "float32", "mesh[0]", "S[0], R"))', text)
        self.assertIn('R.multiply(y, R.dist.const(2.0, R.DTensor((), "float32", "mesh[0]", "R, R")))', text)
        again = tvm.script.from_source(text)
        tvm.ir.assert_structural_equal(again, Rows)
        self.assertEqual(again.script(show_meta=True), text)

    def test_a_function_alone_says_its_mesh(self):
        text = Rows["main"].script()
        self.assertTrue(text.startswith("# from tvm.script import tir as T\n# from tvm.script import relax as R\n"), text)
        self.assertIn('R.DTensor((8, 6), "float32", R.device_mesh((2, 2), T.Range(0, 4)), "S[0], R")', text)

    def test_findings(self):
        for mesh, placement in (("mesh[2]", "R, R"), ("grid[0]", "R, R"), ("mesh", "R, R"), ("mesh[0]", "R"), ("mesh[0]", "S[2], R"), ("mesh[0]", "Q")):
            text = ('@I.ir_module\nclass M:\n    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4))]})\n'
                    f'    @R.function\n    def main(x: R.DTensor((4, 4), "float32", "{mesh}", "{placement}")):\n        return x\n')
            with self.subTest(mesh=mesh, placement=placement), self.assertRaises(tvm.error.DiagnosticError):
                tvm.script.from_source("from tvm.script import ir as I, relax as R\n" + text)

    def test_a_mesh_of_too_few_devices(self):
        with self.assertRaises(tvm.error.DiagnosticError):
            tvm.script.from_source('from tvm.script import ir as I, relax as R\n@I.ir_module\nclass M:\n'
                                   '    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 3))]})\n'
                                   '    @R.function\n    def main(x: R.Tensor((4, 4), "float32")):\n        return x\n')

    def test_well_formed(self):
        self.assertTrue(relax.analysis.well_formed(Rows))
        wrong = tvm.script.from_source(Rows.script().replace("T.int64(6)", "T.int64(5)"), check_well_formed=False)
        self.assertFalse(relax.analysis.well_formed(wrong))


class Deduction(unittest.TestCase):
    def check(self, call, shape, placement, mesh, dtype="float32"):
        made = relax.BlockBuilder().normalize(call).struct_info
        tvm.ir.assert_structural_equal(made, R.DTensor(shape, dtype, mesh, placement).as_struct_info())

    def test_each_kind(self):
        mesh = _mesh(2, 2)
        x, y = _var("x", (8, 6), "S[0], S[1]", mesh), _var("y", (6, 4), "R, S[0]", mesh)
        row, scalar = _var("r", (1, 6), "R, R", mesh), _var("s", (), "R, R", mesh)
        cases = [
            (R.nn.gelu(x), (8, 6), "S[0], S[1]"), (R.nn.relu(x), (8, 6), "S[0], S[1]"), (R.exp(x), (8, 6), "S[0], S[1]"),
            (R.add(x, row), (8, 6), "S[0], S[1]"), (R.multiply(scalar, x), (8, 6), "S[0], S[1]"),
            (R.sum(x, axis=1), (8,), "S[0], R"), (R.max(x, axis=0), (6,), "R, S[0]"), (R.mean(x, axis=[0], keepdims=True), (1, 6), "R, S[1]"),
            (R.sum(x), (), "R, R"), (R.nn.softmax(x, axis=-1), (8, 6), "S[0], R"),
            (R.matmul(x, y), (8, 4), "S[0], R"), (R.permute_dims(x), (6, 8), "S[1], S[0]"),
            (R.reshape(x, (8, 2, 3)), (8, 2, 3), "R, S[1]"), (R.reshape(x, (2, 4, 6)), (2, 4, 6), "R, S[2]"),
            (R.dist.annotate_sharding(x, mesh, "R, R"), (8, 6), "S[0], S[1]"), (R.dist.redistribute(x, mesh, "R, S[0]"), (8, 6), "R, S[0]"),
            (R.ccl.allreduce(x), (8, 6), "R, R"),
        ]
        for call, shape, placement in cases:
            with self.subTest(op=call.op.name, shape=shape):
                self.check(call, shape, placement, mesh)
        self.check(R.less(x, x), (8, 6), "S[0], S[1]", mesh, "bool")

    def test_products_of_many_kinds(self):
        mesh = _mesh(2)
        a, b = _var("a", (4, 8, 6), "S[0]", mesh), _var("b", (6, 10), "R", mesh)
        self.check(R.matmul(a, b), (4, 8, 10), "S[0]", mesh)
        self.check(R.matmul(_var("v", (6,), "R", mesh), _var("w", (6, 10), "S[1]", mesh)), (10,), "S[0]", mesh)
        self.check(R.matmul(a, _var("u", (6,), "R", mesh)), (4, 8), "S[0]", mesh)

    def test_refused(self):
        mesh = _mesh(2)
        x, plain, other = _var("x", (4, 4), "S[0]", mesh), relax.Var("p", R.Tensor((4, 4), "float32")), _var("o", (4, 4), "R", DeviceMesh((2,), [5, 6]))
        crossed = _var("c", (4, 4), "S[1]", mesh)
        for call in (lambda: R.add(x, plain), lambda: R.add(x, other), lambda: R.nn.log_softmax(x), lambda: R.dist.redistribute(plain, mesh, "R")):
            with self.subTest(), self.assertRaises(tvm.TVMError):
                relax.BlockBuilder().normalize(call())
        self.check(R.add(x, crossed), (4, 4), "S[1]", mesh)

    def test_a_replica_becomes_a_part(self):
        mesh = _mesh(4)
        x, plain = _var("x", (3, 4), "R", mesh), relax.Var("p", R.Tensor((3, 4), "float32"))
        self.check(R.dist.redistribute_replica_to_shard(x, num_workers=4, axis=1), (3, 4), "S[1]", mesh)
        made = relax.BlockBuilder().normalize(R.dist.redistribute_replica_to_shard(plain, num_workers=4, axis=1)).struct_info
        tvm.ir.assert_structural_equal(made, TensorStructInfo((3, 1), "float32"))
        for arg in (x, plain):
            with self.assertRaises(tvm.TVMError):
                relax.BlockBuilder().normalize(R.dist.redistribute_replica_to_shard(arg, num_workers=4, axis=0))


class Propagation(unittest.TestCase):
    def test_two_products(self):
        @I.ir_module
        class Before:
            I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})

            @R.function
            def main(x: R.Tensor((16, 32), "float32"), u: R.Tensor((32, 64), "float32"), w: R.Tensor((64, 8), "float32")):
                a = R.matmul(x, u)
                b = R.add(R.nn.gelu(a), R.const(2, "float32"))
                c = R.dist.annotate_sharding(b, device_mesh="mesh[0]", placement="S[1]")
                d = R.matmul(c, w)
                return d

        @I.ir_module
        class After:
            I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})

            @R.function
            def main(x: R.DTensor((16, 32), "float32", "mesh[0]", "R"), u: R.DTensor((32, 64), "float32", "mesh[0]", "S[1]"),
                     w: R.DTensor((64, 8), "float32", "mesh[0]", "S[0]")) -> R.DTensor((16, 8), "float32", "mesh[0]", "R"):
                a: R.DTensor((16, 64), "float32", "mesh[0]", "S[1]") = R.matmul(x, u)
                g: R.DTensor((16, 64), "float32", "mesh[0]", "S[1]") = R.nn.gelu(a)
                b: R.DTensor((16, 64), "float32", "mesh[0]", "S[1]") = R.add(g, R.dist.const(2, R.DTensor((), "float32", "mesh[0]", "R")))
                d: R.DTensor((16, 8), "float32", "mesh[0]", "R") = R.matmul(b, w)
                return d

        tvm.ir.assert_structural_equal(dist.PropagateSharding()(Before), After)

    def test_from_one_mesh_to_another(self):
        @I.ir_module
        class Before:
            I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2)), R.device_mesh((2,), I.Range(4, 6))]})

            @R.function
            def main(x: R.Tensor((8, 8), "float32"), w: R.Tensor((8, 8), "float32"), v: R.Tensor((8, 8), "float32")):
                a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[1]")
                b = R.matmul(a, w)
                c = R.dist.annotate_sharding(b, device_mesh="mesh[1]", placement="R")
                d = R.matmul(c, v)
                e = R.dist.annotate_sharding(d, device_mesh="mesh[1]", placement="S[1]")
                return e

        @I.ir_module
        class After:
            I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2)), R.device_mesh((2,), I.Range(4, 6))]})

            @R.function
            def main(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[1]"), w: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]"),
                     v: R.DTensor((8, 8), "float32", "mesh[1]", "S[1]")) -> R.DTensor((8, 8), "float32", "mesh[1]", "S[1]"):
                b: R.DTensor((8, 8), "float32", "mesh[0]", "R") = R.matmul(x, w)
                c: R.DTensor((8, 8), "float32", "mesh[1]", "R") = R.dist.redistribute(b, device_mesh="mesh[1]", placement="R")
                d: R.DTensor((8, 8), "float32", "mesh[1]", "S[1]") = R.matmul(c, v)
                return d

        tvm.ir.assert_structural_equal(dist.PropagateSharding()(Before), After)

    def test_tuples_and_programs(self):
        @I.ir_module
        class Before:
            I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})

            @T.prim_func(private=True)
            def halves(A: T.Buffer((8, 6), "float32"), B: T.Buffer((4, 6), "float32"), C: T.Buffer((4, 6), "float32")):
                for i, j in T.grid(4, 6):
                    with T.block("b"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        B[vi, vj] = A[vi, vj]
                for i, j in T.grid(4, 6):
                    with T.block("c"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        C[vi, vj] = A[vi + 4, vj]

            @R.function
            def main(x: R.Tensor((8, 6), "float32"), ws: R.Tuple(R.Tensor((6, 6), "float32"), R.Tensor((6, 2), "float32"))):
                cls = Before
                w = ws[0]
                a = R.matmul(x, w)
                both = R.call_tir(cls.halves, (a,), out_sinfo=[R.Tensor((4, 6), "float32"), R.Tensor((4, 6), "float32")])
                b = both[0]
                c = R.dist.annotate_sharding(b, device_mesh="mesh[0]", placement="S[1]")
                v = ws[1]
                d = R.matmul(c, v)
                return d

        after = dist.PropagateSharding()(Before)
        text = after.script()
        self.assertIn('ws: R.Tuple(R.DTensor((6, 6), "float32", "mesh[0]", "S[1]"), R.DTensor((6, 2), "float32", "mesh[0]", "S[0]"))', text)
        self.assertIn('out_sinfo=[R.DTensor((4, 6), "float32", "mesh[0]", "S[1]"), R.DTensor((4, 6), "float32", "mesh[0]", "S[1]")]', text)
        self.assertNotIn("annotate_sharding", text)
        tvm.ir.assert_structural_equal(tvm.script.from_source(text), after)

    def test_an_axis_shorter_than_the_mesh_stays_whole(self):
        @I.ir_module
        class Before:
            I.module_global_infos({"mesh": [R.device_mesh((4,), I.Range(0, 4))]})

            @R.function
            def main(x: R.Tensor((8, 2), "float32"), y: R.Tensor((2,), "float32")):
                a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[1]")
                b = R.add(a, y)
                return b

        after = dist.PropagateSharding()(Before)
        self.assertIn('y: R.DTensor((2,), "float32", "mesh[0]", "R")', after.script())

    def test_conflicts_are_said(self):
        @I.ir_module
        class Twice:
            I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})

            @R.function
            def main(x: R.Tensor((8, 8), "float32")):
                a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
                b = R.permute_dims(a)
                c = R.add(a, b)
                return c

        with self.assertRaisesRegex(tvm.TVMError, "would be shared out twice|in more than one way|on two device meshes"):
            dist.PropagateSharding()(Twice)

    def test_functions_without_annotation_stay(self):
        @I.ir_module
        class Plain:
            @R.function
            def main(x: R.Tensor((8, 8), "float32")):
                y = R.add(x, x)
                return y

        for make in (dist.PropagateSharding, dist.LegalizeRedistribute, dist.LowerGlobalViewToLocalView, dist.LowerDistIR):
            tvm.ir.assert_structural_equal(make()(Plain), Plain)


class Lowering(unittest.TestCase):
    def redistribution(self, before, after):
        text = ('from tvm.script import ir as I, relax as R\n@I.ir_module\nclass M:\n'
                '    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})\n'
                f'    @R.function\n    def main(x: R.DTensor((4, 4), "float32", "mesh[0]", "{before}")):\n'
                f'        y = R.dist.redistribute(x, device_mesh="mesh[0]", placement="{after}")\n        return y\n')
        return dist.LegalizeRedistribute()(tvm.script.from_source(text)).script()

    def test_redistribution(self):
        self.assertIn("R.dist.redistribute_replica_to_shard(x, num_workers=2, axis=1)", self.redistribution("R", "S[1]"))
        self.assertNotIn("redistribute", self.redistribution("R", "R"))
        self.assertNotIn("redistribute", self.redistribution("S[0]", "S[0]"))
        with self.assertRaisesRegex(tvm.TVMError, "AlltoAll not implemented yet"):
            self.redistribution("S[0]", "S[1]")
        with self.assertRaisesRegex(tvm.TVMError, "Allgather not implemented yet"):
            self.redistribution("S[0]", "R")

    def test_what_is_in_parts_waits(self):
        mesh = _mesh(2)
        x, bb = _var("x", (4, 4), "S[0]", mesh), relax.BlockBuilder()
        with bb.function("main", [x]):
            y = bb.emit(R.ccl.allreduce(x))
            bb.emit_func_output(bb.emit(R.dist.redistribute_replica_to_shard(y, num_workers=2, axis=0)))
        tvm.ir.assert_structural_equal(relax.transform.LegalizeOps()(bb.get()), bb.get())

    def test_the_part_of_this_worker(self):
        @I.ir_module
        class Before:
            @R.function
            def main(x: R.Tensor((10, 6), "float32")) -> R.Tensor((10, 3), "float32"):
                y = R.dist.redistribute_replica_to_shard(x, num_workers=2, axis=1)
                return y

        @I.ir_module
        class After:
            @T.prim_func(private=True)
            def te_R_to_S(A: T.Buffer((T.int64(10), T.int64(6)), "float32"), out: T.Buffer((T.int64(10), T.int64(3)), "float32"), worker_id: T.int64):
                T.func_attr({"tir.noalias": T.bool(True)})
                for i0, i1 in T.grid(T.int64(10), T.int64(3)):
                    with T.block("redistribute_replica_to_shard"):
                        v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                        T.reads(A[v_i0, worker_id * T.int64(3) + v_i1])
                        T.writes(out[v_i0, v_i1])
                        out[v_i0, v_i1] = A[v_i0, worker_id * T.int64(3) + v_i1]

            @R.function
            def main(x: R.Tensor((10, 6), "float32")) -> R.Tensor((10, 3), "float32"):
                worker_id = T.int64()
                cls = After
                number: R.Shape(ndim=-1) = R.call_pure_packed("runtime.disco.worker_id", sinfo_args=(R.Shape(ndim=-1),))
                known: R.Shape([worker_id]) = R.match_cast(number, R.Shape([worker_id]))
                y = R.call_tir(cls.te_R_to_S, (x,), out_sinfo=R.Tensor((10, 3), "float32"), tir_vars=R.shape([worker_id]))
                return y

        tvm.ir.assert_structural_equal(relax.transform.LegalizeOps()(Before), After)

    def module(self):
        @I.ir_module
        class M:
            I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})

            @T.prim_func(private=True)
            def product(A: T.Buffer((T.int64(4), T.int64(8)), "float32"), B: T.Buffer((T.int64(8), T.int64(6)), "float32"),
                        C: T.Buffer((T.int64(4), T.int64(6)), "float32")):
                for i, j, k in T.grid(T.int64(4), T.int64(6), T.int64(8)):
                    with T.block("product"):
                        vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                        with T.init():
                            C[vi, vj] = T.float32(0)
                        C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

            @T.prim_func(private=True)
            def twice(A: T.Buffer((T.int64(4), T.int64(8)), "float32"), B: T.Buffer((T.int64(4), T.int64(8)), "float32")):
                H = T.alloc_buffer((T.int64(4), T.int64(8)))
                for i, j in T.grid(T.int64(4), T.int64(8)):
                    with T.block("half"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        H[vi, vj] = A[vi, vj] + A[vi, vj]
                for i, j in T.grid(T.int64(4), T.int64(8)):
                    with T.block("all"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        B[vi, vj] = H[vi, vj]

            @R.function
            def main(x: R.DTensor((4, 8), "float32", "mesh[0]", "S[1]"), w: R.DTensor((8, 6), "float32", "mesh[0]", "S[0]")):
                cls = M
                a = R.dist.call_tir(cls.twice, (x,), out_sinfo=R.DTensor((4, 8), "float32", "mesh[0]", "S[1]"))
                b = R.dist.call_tir(cls.product, (a, w), out_sinfo=R.DTensor((4, 6), "float32", "mesh[0]", "R"))
                return b

        return M

    def test_from_the_global_to_the_local_view(self):
        local = relax.transform.DeadCodeElimination()(dist.LowerGlobalViewToLocalView()(self.module()))
        text = local.script()
        self.assertIn("R.dist.call_tir_local_view(cls.twice1, (x,)", text)
        self.assertIn('R.ccl.allreduce(gv, op_type="sum", in_group=True)', text)
        self.assertEqual([int(b.shape[1]) for b in local["twice1"].buffer_map.values()], [4, 4])
        self.assertEqual([[int(e) for e in b.shape] for b in local["product1"].buffer_map.values()], [[4, 4], [4, 6], [4, 6]])
        self.assertIn("for i, j, k in T.grid(T.int64(4), T.int64(6), T.int64(4))", text)
        self.assertIn("H = T.alloc_buffer((T.int64(4), T.int64(4)))", text)
        tvm.ir.assert_structural_equal(tvm.script.from_source(text), local)

    def test_what_each_worker_runs(self):
        lowered = dist.LowerDistIR()(dist.LowerGlobalViewToLocalView()(self.module()))
        text = lowered.script()
        for line in ('x: R.Tensor((4, 8), dtype="float32"), w: R.Tensor((8, 6), dtype="float32")',
                     'R.Tensor((4, 4), dtype="float32") = R.ccl.scatter_from_worker0(x, num_workers=2, axis=1)',
                     'R.Tensor((4, 6), dtype="float32") = R.ccl.scatter_from_worker0(w, num_workers=2, axis=0)',
                     'R.call_tir(cls.twice1, (gv,), out_sinfo=R.Tensor((4, 4), dtype="float32"))'):
            self.assertIn(line, text)
        self.assertNotIn("DTensor", text)
        self.assertTrue(relax.analysis.well_formed(lowered))

    @tap.needs_numpy
    def test_the_parts_make_the_whole(self):
        """The programs of both devices by hand, the sum of their results: the product of the whole."""
        import numpy as np

        local = dist.LowerGlobalViewToLocalView()(self.module())
        x = [[float(3 * i + k) for k in range(8)] for i in range(4)]
        w = [[float(k - 2 * j) for j in range(6)] for k in range(8)]
        whole = [[sum(2 * x[i][k] * w[k][j] for k in range(8)) for j in range(6)] for i in range(4)]
        twice, product = (tvm.build(local[name].with_attr("global_symbol", name), target="llvm") for name in ("twice1", "product1"))
        total = [[0.0] * 6 for _ in range(4)]
        for device in range(2):
            part = tvm.nd.array(np.array([[row[k] for k in range(4 * device, 4 * device + 4)] for row in x], "float32"))
            rows = tvm.nd.array(np.array(w[4 * device:4 * device + 4], "float32"))
            doubled, out = tvm.nd.empty((4, 4), "float32"), tvm.nd.empty((4, 6), "float32")
            twice(part, doubled)
            product(doubled, rows, out)
            total = [[a + float(b) for a, b in zip(p, q)] for p, q in zip(total, out.numpy().tolist())]
        self.assertEqual(total, whole)

    def test_what_a_mesh_does_not_divide(self):
        @I.ir_module
        class M:
            I.module_global_infos({"mesh": [R.device_mesh((3,), I.Range(0, 3))]})

            @T.prim_func(private=True)
            def copy(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32")):
                for i in range(T.int64(4)):
                    with T.block("copy"):
                        vi = T.axis.spatial(T.int64(4), i)
                        B[vi] = A[vi]

            @R.function
            def main(x: R.DTensor((4,), "float32", "mesh[0]", "S[0]")):
                cls = M
                a = R.dist.call_tir(cls.copy, (x,), out_sinfo=R.DTensor((4,), "float32", "mesh[0]", "S[0]"))
                return a

        with self.assertRaisesRegex(tvm.TVMError, "divide"):
            dist.LowerGlobalViewToLocalView()(M)
        with self.assertRaisesRegex(tvm.TVMError, "LowerGlobalViewToLocalView makes it a call_tir_local_view first"):
            dist.LowerDistIR()(self.module())

    def test_sums_of_parts_are_not_left_as_parts(self):
        @I.ir_module
        class M:
            I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})

            @R.function
            def main(x: R.Tensor((16, 32), "float32"), u: R.Tensor((32, 64), "float32"), w: R.Tensor((64, 8), "float32")):
                a = R.matmul(x, u)
                b = R.dist.annotate_sharding(a, device_mesh="mesh[0]", placement="S[1]")
                return R.matmul(b, w)

        def lowered(mod):
            for step in (dist.PropagateSharding, dist.LowerGlobalViewToLocalView, dist.LegalizeRedistribute, dist.LowerDistIR):
                mod = step()(mod)
            return mod["main"].script()

        with self.assertRaisesRegex(tvm.TVMError, "relax.matmul joins parts that lie on several workers; LegalizeOps before PropagateSharding"):
            lowered(M)
        self.assertIn('R.ccl.allreduce(', lowered(tvm.relax.transform.LegalizeOps()(M)))


if __name__ == "__main__":
    tap.main()
