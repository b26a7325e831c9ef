"""tir.Schedule: primitives from the table, handles, errors, traces."""
import inspect
import os
import re
import unittest

import tap
import tvm
from tvm import te, tir
from tvm.script import tir as T
from tvm.tir.schedule.transform import tile_with_tensor_intrin
from tvm.tir.schedule.analysis import (TensorizeInfo, get_auto_tensorize_mapping_info, get_tensorize_loop_mapping,
                                       suggest_index_map)
from tvm.tir.schedule import BlockRV, Instruction, InstructionKind, LoopRV, Trace
from tvm.tir.schedule.testing import assert_structural_equal_ignore_global_symbol, verify_trace_roundtrip
from tvm.tir.schedule.state import CachedFlags
from programs import MatMulRelu


class Primitives(unittest.TestCase):
    def test_signatures(self):
        self.assertEqual(str(inspect.signature(tir.Schedule.split)),
                         "(self, loop, factors, preserve_unit_iters=True, disable_predication=False)")
        self.assertTrue(tir.Schedule.split.__doc__)

    def test_keywords_and_names(self):
        sch = tir.Schedule(MatMulRelu)
        i, j, k = sch.get_loops(block="Y")
        j0, j1 = sch.split(loop=j, factors=[None, 4])
        sch.reorder(i, j0, k, j1)
        sch.reverse_compute_at("C", j0)
        self.assertEqual(len(sch.get_loops("C")), 3)
        self.assertIn("j_0", sch.mod.script())

    def test_class_of_results(self):
        sch = tir.Schedule(MatMulRelu["main"])
        block = sch.get_block("Y")
        loop = sch.get_loops(block)[0]
        self.assertIsInstance(block, tir.schedule.BlockRV)
        self.assertIsInstance(loop, tir.schedule.LoopRV)
        factor = sch.sample_perfect_tile(loop, n=2)[0]
        self.assertEqual(str(type(factor)), "<class 'tvm.tir.expr.Var'>")
        self.assertEqual(int(sch.get(factor)) * int(sch.get(sch.sample_perfect_tile(loop, n=2, decision=[int(sch.get(factor)), 16 // int(sch.get(factor))])[1])), 16)

    def test_dead_handle(self):
        sch = tir.Schedule(MatMulRelu)
        i, j, k = sch.get_loops("Y")
        sch.split(j, [None, 4])
        with self.assertRaises(tir.ScheduleError):
            sch.split(j, [None, 4])
        with self.assertRaises(IndexError):
            sch.get(j)

    def test_refused_leaves_the_program(self):
        sch = tir.Schedule(MatMulRelu)
        i, j, k = sch.get_loops("Y")
        before = sch.mod
        with self.assertRaises(tir.ScheduleError):
            sch.parallel(k)
        tvm.ir.assert_structural_equal(before, sch.mod)

    def test_wrong_types(self):
        sch = tir.Schedule(MatMulRelu)
        i, j, k = sch.get_loops("Y")
        for call in (lambda: sch.split(sch.get_block("Y"), [None, 4]), lambda: sch.get_loops(i), lambda: sch.split(i, "4"),
                     lambda: sch.reorder(1, 2), lambda: sch.fuse("i", "j"), lambda: sch.split(i, [None, 1.5])):
            with self.assertRaises((TypeError, tir.ScheduleError)):
                call()

    def test_copy_and_get(self):
        sch = tir.Schedule(MatMulRelu)
        other = sch.copy()
        other.parallel(other.get_loops("C")[0])
        self.assertNotIn("parallel", sch.mod.script())
        block = sch.get_block("C")
        self.assertEqual(sch.get(block).name_hint, "C")
        self.assertEqual(sch.get_sref(block).parent.stmt.loop_var.name, "j")

    def test_trace(self):
        sch = tir.Schedule(MatMulRelu)
        i, j, k = sch.get_loops("Y")
        sch.split(i, [None, 4])
        self.assertIn('b0 = sch.get_block(name="Y"', str(sch.trace))
        fresh = tir.Schedule(MatMulRelu)
        sch.trace.apply_to_schedule(fresh, remove_postproc=False)
        tvm.ir.assert_structural_equal(fresh.mod, sch.mod)
        self.assertEqual(len(sch.trace.insts), 3)

    def test_layout(self):
        sch = tir.Schedule(MatMulRelu)
        sch.transform_layout("Y", ("write", 0), lambda i, j: (i // 4, j, i % 4))
        self.assertIn("(4, 24, 4)", sch.mod.script())
        sch.transform_layout("Y", "A", lambda *i: list(reversed(i)))
        self.assertIn("(8, 16)", sch.mod.script())


@T.prim_func
def padded(a: T.handle):
    A = T.match_buffer(a, (14,), "int32")
    for i in T.serial(14):
        with T.block("block"):
            A[i] = 42


@T.prim_func
def padded_separated(a: T.handle):
    A = T.match_buffer(a, (4, 4), "int32", axis_separators=[1])
    for i, j in T.grid(4, 4):
        with T.block("block"):
            A[i, j] = T.if_then_else(i == 3 and 2 <= j, 0, 42)


@T.prim_func
def padded_read(A: T.Buffer((14,), "float32"), D: T.Buffer((16,), "float32"), C: T.Buffer((14,), "float32")):
    B = T.alloc_buffer((14,))
    for i in range(14):
        with T.block("B"):
            vi = T.axis.spatial(14, i)
            B[vi] = A[vi]
    for i in range(14):
        with T.block("C"):
            vi = T.axis.spatial(14, i)
            C[vi] = B[vi] + D[vi]


@T.prim_func
def chain(A: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
    B = T.alloc_buffer((32, 32))
    for i, j in T.grid(32, 32):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(32, 32):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)


def pad_by(low):
    @T.prim_func
    def func(A: T.Buffer((12,), "float32"), B: T.Buffer((12 + low,), "float32")):
        for i in range(12 + low):
            with T.block("pad"):
                vi = T.axis.spatial(12 + low, i)
                B[vi] = T.if_then_else(low <= vi and vi < 12 + low, A[vi - low], T.float32(0))

    return func


class HandMade(unittest.TestCase):
    """Traces that no schedule made, layouts with separators and drawn numbers, what errors say."""

    def instruction(self, kind, inputs, attrs, outputs):
        return Instruction(kind=InstructionKind.get(kind), inputs=inputs, attrs=attrs, outputs=outputs)

    def test_trace(self):
        block, loops = BlockRV(), [LoopRV(), LoopRV()]
        trace = Trace([self.instruction("GetBlock", [], ["B", "main"], [block]), self.instruction("GetLoops", [block], [], loops)], {})
        self.assertEqual(trace.as_python(), ['b0 = sch.get_block(name="B", func_name="main")', "l1, l2 = sch.get_loops(block=b0)"])
        trace.append(self.instruction("Annotate", [block, '"'], ["key"], []))
        schedule = tvm.tir.Schedule(chain)
        trace.apply_to_schedule(schedule, remove_postproc=False)
        self.assertEqual(schedule.get(schedule.get_block("B")).annotations["key"], '"')
        self.assertTrue(trace.pop().kind.same_as(InstructionKind.get("Annotate")))
        self.assertEqual(str(trace.insts[1]), "_, _ = sch.get_loops(block=_)")
        trace.pop(), trace.pop()
        self.assertIsNone(trace.pop())
        self.assertEqual(trace.as_python(), ["pass"])

    def test_places_of_two_schedules(self):
        one = tvm.tir.Schedule(chain)
        block = one.get_block("B")
        two = one.copy()
        self.assertFalse(one.get_sref(block).same_as(two.get_sref(block)))
        self.assertTrue(one.get_sref(block).stmt.same_as(two.get_sref(block).stmt))
        one.remove_rv(block)
        self.assertRaises(IndexError, one.get, block)
        self.assertEqual(two.get(block).name_hint, "B")

    def test_separators(self):
        schedule = tvm.tir.Schedule(padded)
        schedule.transform_layout("block", "A", lambda i: [i // 4, tvm.tir.IndexMap.AXIS_SEPARATOR, i % 4], pad_value=0)
        assert_structural_equal_ignore_global_symbol(schedule.mod["main"], padded_separated)
        self.assertRaises(AssertionError, schedule.set_axis_separator, "block", ("write", 1), [1])

    def test_pad_value_of_another_buffer(self):
        schedule = tvm.tir.Schedule(padded_read)
        other = list(padded_read.buffer_map.values())[1]
        with self.assertRaises(tvm.tir.ScheduleError) as caught:
            schedule.transform_layout("B", ("write", 0), lambda i: (i // 4, i % 4), pad_value=lambda i, j: other[i])
        self.assertIn("schedule/transform_layout/pad-load", caught.exception.args[0])

    def test_ranges_of_accesses(self):
        schedule = tvm.tir.Schedule(chain)
        block = schedule.get_block("B")
        names = [var.var.name for var in schedule.get(block).iter_vars]
        schedule.annotate_buffer_access(block, 0, "read", lambda vi, vj: ((vi - 1, vi + 2), vj))
        read = schedule.get(block).reads[0].region
        self.assertEqual([str(x) for r in read for x in (r.min, r.extent)], [f"{names[0]} - 1", "3", names[1], "1"])
        verify_trace_roundtrip(schedule, chain)
        self.assertRaises(ValueError, schedule.annotate_buffer_access, block, 0, "read", lambda vi, vj: ((vi, vi, vi), vj))

    def test_can_decompose_padding(self):
        for low, answer in ((3, True), (0, False)):
            schedule = tvm.tir.Schedule(pad_by(low))
            block = schedule.get_block("pad")
            before = schedule.mod
            self.assertEqual(schedule.can_decompose_padding(block, schedule.get_loops(block)[0]), answer)
            tvm.ir.assert_structural_equal(before, schedule.mod)

    def test_names_of_arm(self):
        from tvm.tir.tensor_intrin.arm_cpu import DP4A_S8U8S32_INTRIN, DP4A_U8S8S32_INTRIN, DP4A_U8U8U32_INTRIN

        for name in (DP4A_S8U8S32_INTRIN, DP4A_U8S8S32_INTRIN, DP4A_U8U8U32_INTRIN):
            self.assertEqual(len(tir.TensorIntrin.get(name).desc.params), 3)

    def test_drawn_numbers(self):
        schedule = tvm.tir.Schedule(chain)
        block = schedule.get_block("B")
        _, inner = schedule.sample_perfect_tile(schedule.get_loops(block)[1], 2, decision=[4, 8])
        schedule.transform_layout(block, ("write", 0), lambda i, j: (i, j // inner, j % inner))
        self.assertEqual([int(x) for x in schedule.get(block).writes[0].buffer.shape], [32, 4, 8])
        verify_trace_roundtrip(schedule, chain, text_format="json")

    def test_errors(self):
        for level, text in (("detail", "Cannot find a block with the name: X"), ("fast", "specified name"), ("none", "(not rendered)")):
            with self.assertRaises(tvm.tir.ScheduleError) as caught:
                tvm.tir.Schedule(chain, error_render_level=level).get_block("X")
            self.assertIn(text, caught.exception.args[0])

    def test_words_of_the_fast_level(self):
        """One line, TVM's where it has one for the finding, else the finding itself."""
        def said(step, blocks=("B",)):
            schedule = tvm.tir.Schedule(chain, error_render_level="fast")
            with self.assertRaises(tvm.tir.ScheduleError) as caught:
                step(schedule, *(schedule.get_block(name) for name in blocks))
            return str(caught.exception)

        self.assertEqual(said(lambda s, b: s.rfactor(s.get_loops(b)[0], 0)), "ScheduleError: Not a reduction block")
        self.assertEqual(said(lambda s, b: s.storage_align(b, 0, -9, 32, 0)).split(". ")[0], "ScheduleError: The input `axis` is out of range")
        self.assertEqual(said(lambda s, b: s.compute_at(b, s.get_loops(b)[0])),
                         "ScheduleError: Expected the block and loop to be under the same block scope, and loop not to be the ancestor of block")
        self.assertEqual(said(lambda s, b: s.fuse(*s.get_loops(b)[::-1])), "ScheduleError: The outer loop is not the parent of the inner loop")
        self.assertTrue(said(lambda s, b: s.split(s.get_loops(b)[0], [-2, 3])).startswith("error[schedule/split/"))

    def test_every_code_is_one_of_ours(self):
        """A code that no primitive has any more would never be met."""
        from tvm.tir.schedule import fast_words

        known = set()
        root = os.path.join(os.environ["LS_SOURCE_ROOT"], "engine/schedule")
        for folder, _, names in os.walk(root):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    known.update(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', file.read()))
        for place in fast_words._WORDS:
            self.assertIn(place.rpartition("/")[2], known)

    def test_refusals_are_written_when_they_are_read(self):
        from unittest import mock

        schedule = tvm.tir.Schedule(chain)
        loop = schedule.get_loops(schedule.get_block("B"))[0]
        with mock.patch("tvm.tir.schedule.schedule.shown", return_value="(the program)\n") as shown:
            with self.assertRaises(tvm.tir.ScheduleError) as caught:
                schedule.split(loop, [-2, 3])
            self.assertEqual(shown.call_count, 0)
            schedule.annotate(loop, "later", 1)
            self.assertIn("(the program)", str(caught.exception))
            self.assertIn("(the program)", repr(caught.exception))
            self.assertEqual(shown.call_count, 1)
        import pickle

        with self.assertRaises(tvm.tir.ScheduleError) as caught:
            schedule.split(loop, [-2, 3])
        self.assertEqual(str(pickle.loads(pickle.dumps(caught.exception))), str(caught.exception))
        self.assertEqual(str(tvm.tir.ScheduleError("told")), "told")

    def test_debug_mask(self):
        schedule = tvm.tir.Schedule(chain, debug_mask="all")
        schedule.compute_inline("B")
        self.assertEqual((schedule.state.debug_mask, schedule.copy().state.debug_mask, tvm.tir.Schedule(chain).state.debug_mask), (3, 3, 0))
        self.assertRaises(ValueError, tvm.tir.Schedule, chain, debug_mask="some")
        self.assertRaises(TypeError, tvm.tir.Schedule, chain, debug_mask=1.5)

    def test_flags(self):
        schedule = tvm.tir.Schedule(chain)
        flags = schedule.state._get_cached_flags(schedule.get_sref(schedule.get_block("C")))
        self.assertEqual(flags, CachedFlags(affine_binding=True, region_cover=True, stage_pipeline=True))
        state = tvm.tir.ScheduleState(chain, debug_mask="all")
        self.assertEqual(state._get_cached_flags(state.get_sref(schedule.get(schedule.get_block("B")))), flags)

    def test_intrinsics(self):
        from tvm.tir.tensor_intrin.x86 import VNNI_DOT_16x4_INTRIN

        self.assertEqual(len(tvm.tir.TensorIntrin.get(VNNI_DOT_16x4_INTRIN).desc.params), 3)
        self.assertIsNone(tvm.tir.TensorIntrin.get("no_such", allow_missing=True))


def variables(*names):
    return [tir.Var(name, "int32") for name in names]


def loops_of(loop_vars, extents):
    return [tir.For(v, 0, n, tir.ForKind.SERIAL, tir.Evaluate(0)) for v, n in zip(loop_vars, extents)]


class IndexMaps(unittest.TestCase):
    """Layouts that follow the loops."""

    def check(self, shape, names, extents, indices, expected):
        loop_vars = variables(*names)
        found = suggest_index_map(tir.decl_buffer(shape), indices(*loop_vars), loops_of(loop_vars, extents), True)
        if expected is None:
            self.assertIsNone(found)
        else:
            self.assertTrue(found.is_equivalent_to(tir.IndexMap.from_func(expected)), str(found))

    def test_tiles(self):
        self.check([16, 16], "ij", [4, 64], lambda i, j: [j // 4, i * 4 + j % 4], lambda x, y: [y // 4, x, y % 4])

    def test_transposed(self):
        self.check([8, 32], "ij", [32, 8], lambda i, j: [j, i], lambda x, y: [y, x])

    def test_in_order(self):
        self.check([8, 32], "ij", [8, 32], lambda i, j: [i, j], lambda x, y: [x, y])

    def test_no_map(self):
        self.check([64], "ij", [8, 8], lambda i, j: [i * j], None)
        self.check([64], "i", [8], lambda i: [0], None)

    def test_wrong(self):
        i, = variables("i")
        self.assertRaises(TypeError, suggest_index_map, tir.decl_buffer([8]), [i], [i], True)
        self.assertIsNone(suggest_index_map(tir.decl_buffer([8, 8]), [i], loops_of([i], [8]), True))


def product(n, m, k, dtype="float16", out="float16"):
    a, b = te.placeholder((n, k), dtype, "A"), te.placeholder((k, m), dtype, "B")
    r = te.reduce_axis((0, k), "r")
    as_out = (lambda x: x) if dtype == out else (lambda x: x.astype(out))
    return te.create_prim_func([a, b, te.compute((n, m), lambda i, j: te.sum(as_out(a[i, r]) * as_out(b[r, j]), axis=r), "C")])


class TensorizeMaps(unittest.TestCase):
    """Which loops an intrinsic takes, and which layout makes a block fit it."""

    same = tir.TensorIntrin.get("wmma_sync_16x16x16_f16f16f16").desc
    wider = tir.TensorIntrin.get("wmma_sync_16x16x16_f16f16f32").desc

    def test_order_does_not_matter(self):
        schedule = tir.Schedule(product(64, 48, 32))
        block = schedule.get_block("C")
        i, j, k = schedule.get_loops(block)
        for reordered in (False, True):
            if reordered:
                schedule.reorder(k, i, j)
            info = get_tensorize_loop_mapping(schedule, block, self.same)
            self.assertIsInstance(info, TensorizeInfo)
            number = {schedule.get_sref(loop): n for n, loop in enumerate((i, j, k))}
            self.assertEqual({number[place]: info.desc_loop_indexer[loop] for place, loop in info.loop_map.items()}, {0: 0, 1: 1, 2: 2})
            self.assertIsNone(info.block_iter_paddings)

    def test_padding(self):
        schedule = tir.Schedule(product(30, 48, 17))
        block = schedule.get_block("C")
        self.assertIsNone(get_tensorize_loop_mapping(schedule, block, self.same))
        info = get_tensorize_loop_mapping(schedule, block, self.same, allow_padding=True)
        self.assertEqual([int(n) for n in info.block_iter_paddings], [16, 1, 16])

    def test_tiled(self):
        for (n, m, k), padding in (((64, 48, 32), False), ((30, 48, 17), True)):
            schedule = tir.Schedule(product(n, m, k))
            block = schedule.get_block("C")
            schedule.reorder(*reversed(schedule.get_loops(block)))
            tiled = tile_with_tensor_intrin(schedule, block, "wmma_sync_16x16x16_f16f16f16", allow_padding=padding)
            loops = schedule.get_loops(block)
            self.assertTrue(schedule.get(tiled).same_as(schedule.get(loops[3])))
            self.assertEqual([int(schedule.get(loop).extent) for loop in loops], [2, 3, 2 if padding else 4, 16, 16, 16])

    def test_what_does_not_fit_stays(self):
        schedule = tir.Schedule(product(30, 48, 17))
        before = schedule.mod
        self.assertIsNone(tile_with_tensor_intrin(schedule, schedule.get_block("C"), "wmma_sync_16x16x16_f16f16f16"))
        tvm.ir.assert_structural_equal(schedule.mod, before)

    def test_too_few_variables(self):
        schedule = tir.Schedule(chain)
        self.assertIsNone(get_tensorize_loop_mapping(schedule, schedule.get_block("B"), self.same))
        self.assertIsNone(get_auto_tensorize_mapping_info(schedule, schedule.get_block("B"), self.same))

    def test_description_of_x86(self):
        from tvm.tir.tensor_intrin.x86 import dot_product_16x4_u8i8i32_desc as desc

        self.assertEqual(len(desc.params), 3)
        a, b = te.placeholder((8, 64), "uint8", "A"), te.placeholder((2, 16, 16, 4), "int8", "B")
        r = te.reduce_axis((0, 64), "r")
        schedule = tir.Schedule(te.create_prim_func([a, b, te.compute((8, 32), lambda i, j: te.sum(
            a[i, r].astype("int32") * b[j // 16, r // 4, j % 16, r % 4].astype("int32"), axis=r), "C")]))
        block = schedule.get_block("C")
        _, j, k = schedule.get_loops(block)
        info = get_tensorize_loop_mapping(schedule, block, desc)
        self.assertEqual(sorted(info.desc_loop_indexer[info.loop_map[schedule.get_sref(loop)]] for loop in (j, k)), [0, 1])

    def test_mapping(self):
        schedule = tir.Schedule(product(64, 48, 32, out="float32"))
        info = get_auto_tensorize_mapping_info(schedule, schedule.get_block("C"), self.wider)
        self.assertTrue(tir.IndexMap.from_func(lambda n, m, k: (n, m, k)).is_equivalent_to(info.mappings[0]))
        self.assertEqual((len(info.lhs_buffer_map), len(info.rhs_buffer_indices), len(info.lhs_iters), len(info.rhs_iters)), (3, 3, 3, 3))
        self.assertIsNone(get_auto_tensorize_mapping_info(schedule, schedule.get_block("C"), self.same))

    def test_mapping_of_a_convolution(self):
        x, w = te.placeholder((2, 8, 8, 16), "float16", "X"), te.placeholder((3, 3, 16, 32), "float16", "W")
        p, q, r = te.reduce_axis((0, 3), "p"), te.reduce_axis((0, 3), "q"), te.reduce_axis((0, 16), "r")
        schedule = tir.Schedule(te.create_prim_func([x, w, te.compute((2, 6, 6, 32), lambda n, i, j, c: te.sum(
            x[n, i + p, j + q, r].astype("float32") * w[p, q, r, c].astype("float32"), axis=[p, q, r]), "C")]))
        info = get_auto_tensorize_mapping_info(schedule, schedule.get_block("C"), self.wider)
        self.assertTrue(tir.IndexMap.from_func(lambda n, i, j, c, p, q, r: (n * 36 + i * 6 + j, c, p * 48 + q * 16 + r))
                        .is_equivalent_to(info.mappings[0]), str(info.mappings[0]))



@T.prim_func
def two_steps(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.alloc_buffer((16, 16))
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(16, 16):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)


class States(unittest.TestCase):
    """Programs whose parts are replaced, and what orders their blocks."""

    def fresh(self):
        return tir.ScheduleState(tvm.script.from_source(two_steps.script()), debug_mask="all")

    def body(self, state):
        return state.mod["main"].body.block.body

    def test_dependences(self):
        state = self.fresh()
        root, first, second = (state.get_sref(block) for block in (state.mod["main"].body.block, self.body(state)[0].body.body.block,
                                                                   self.body(state)[1].body.body.block))
        (dep,) = state.get_block_scope(root).get_deps_by_src(first)
        self.assertTrue(dep.dst.same_as(second) and dep.kind == tir.schedule.DepKind.RAW)
        self.assertEqual([d.src for d in state.get_block_scope(root).get_deps_by_dst(second)], [first])
        self.assertTrue(state._get_cached_flags(first).affine_binding)

    def test_what_nobody_else_holds_is_changed_where_it_is(self):
        state = self.fresh()
        before = hash(state.mod["main"])
        place = state.get_sref(self.body(state)[0])
        other = state.get_sref(self.body(state)[1])
        loop = self.body(state)[0]
        state.replace(place, tir.For(loop.loop_var, 0, 16, tir.ForKind.PARALLEL, loop.body))
        self.assertEqual(hash(state.mod["main"]), before)
        self.assertEqual(place.stmt.kind, tir.ForKind.PARALLEL)
        self.assertTrue(other.stmt.same_as(self.body(state)[1]))

    def test_what_somebody_holds_stays(self):
        state = self.fresh()
        held = state.mod["main"]
        place = state.get_sref(self.body(state)[0])
        state.replace(place, tir.For(tir.Var("n", "int32"), 0, 4, tir.ForKind.SERIAL, tir.Evaluate(0)))
        tvm.ir.assert_structural_equal(held.body, two_steps.body)
        self.assertFalse(state.mod["main"].same_as(held))
        self.assertIsNone(place.stmt)
        self.assertEqual(self.body(state)[0].extent, 4)

    def test_blocks_that_live_on(self):
        state = self.fresh()
        place = state.get_sref(self.body(state)[0].body.body.block)
        block = place.stmt
        fresh = tir.Block(block.iter_vars, block.reads, block.writes, "D", block.body)
        state.replace(place, fresh, {block: fresh})
        self.assertEqual(place.stmt.name_hint, "D")
        self.assertTrue(place.parent.stmt.same_as(self.body(state)[0].body))
        with self.assertRaises(tvm.TVMError):
            state.replace(place, tir.Evaluate(0))
        with self.assertRaises(tvm.TVMError):
            tir.Schedule(two_steps).state.replace(place, fresh)

    def test_traces_are_made_of_their_own_steps(self):
        sch = tir.Schedule(two_steps, debug_mask="all")
        block = sch.get_block("B")
        sch.split(sch.get_loops(block)[0], [None, sch.sample_categorical([2, 4], [0.5, 0.5], decision=1)])
        sch.cache_write(block, 0, "global")
        again = tir.schedule.Trace(sch.trace.insts, sch.trace.decisions)
        self.assertEqual(str(again), str(sch.trace))
        self.assertEqual(again.as_json(), sch.trace.as_json())
        other = tir.Schedule(two_steps, debug_mask="all")
        again.apply_to_schedule(other, remove_postproc=False)
        tvm.ir.assert_structural_equal(other.mod, sch.mod)
        self.assertIsNone(sch.trace.insts[3].inputs[1])

    def test_domains_of_variables_may_name_loops_outside(self):
        @T.prim_func
        def triangle(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8,), "float32")):
            for i in range(8):
                for j in range(i):
                    with T.block("B"):
                        vi, vj = T.axis.remap("SR", [i, j])
                        with T.init():
                            B[vi] = T.float32(0)
                        B[vi] = B[vi] + A[vi, vj]

        self.assertTrue(tir.analysis.verify_well_formed(triangle))
        self.assertEqual(len(tir.Schedule(triangle, debug_mask="all").get_loops("B")), 2)

    def test_refusals_name_the_primitive(self):
        with self.assertRaisesRegex(tir.ScheduleError, "An error occurred in the schedule primitive 'get-block'."):
            tir.Schedule(two_steps).get_block("none")


if __name__ == "__main__":
    tap.main()
