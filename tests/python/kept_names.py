"""Texts that are read again with steps on them: what the text calls otherwise keeps its name, so that a trace finds what it made."""
import random
import unittest

import _loopscope as core
import tap
import tvm
from tvm import te, tir
from tvm.runtime.script_printer import readable
from tvm.script import from_source
from tvm.tir.schedule import Trace

NAMES = ["R", "T", "I", "cls", "in", "for", "None", "A", "A_1", "R_1", "x.y", "x_y", "1st", "def", "main"]


def program(rng, names):
    """A product, padded or not, with what is done to its elements."""
    n, m, k = (rng.randint(5, 40) for _ in range(3))
    a, b = te.placeholder((n, k), name=names[0]), te.placeholder((k, m), name=names[1])
    at = te.reduce_axis((0, k), name=rng.choice(NAMES))
    product = te.compute((n, m), lambda i, j: te.sum(a[i, at] * b[at, j], axis=at), name=names[2])
    out = te.compute((n, m), lambda i, j: te.max(product[i, j], tir.const(0, "float32")), name=names[3])
    return tvm.IRModule({"main": te.create_prim_func([a, b, out])})


def steps(rng, mod, names):
    sch = tir.Schedule(mod)
    block = sch.get_block(names[2])
    if rng.random() < 0.4:
        sch.pad_einsum(block, [16, 16, 16])
        for name in names[:2]:
            sch.compute_inline(sch.get_block(name + "_pad"))
    else:
        sch.cache_read(block, 0, "shared")
        sch.cache_write(block, 0, "local")
        sch.unroll(sch.get_loops(sch.get_block(names[0] + "_shared"))[-1])
        sch.fuse(*sch.get_loops(sch.get_block(names[2] + "_local")))
    i, j, k = sch.get_loops(block)
    sch.reorder(j, i, k)
    if rng.random() < 0.5:
        sch.rfactor(sch.split(k, [None, 3])[1], 0)
        sch.parallel(sch.get_loops(sch.get_block(names[2] + "_rf"))[0])
    return sch


class Names(unittest.TestCase):
    def test_traces_are_replayed(self):
        rng = random.Random(7)
        for _ in range(40):
            names = rng.sample([name for name in NAMES if "." not in name], 4)
            mod = program(rng, names)
            sch = steps(rng, mod, names)
            for again in (from_source(readable(mod)), core.workload_read(core.workload_line(mod)), tvm.ir.load_json(tvm.ir.save_json(mod))):
                self.assertEqual([b.name for b in again["main"].buffer_map.values()], [names[0], names[1], names[3]])
                fresh = tir.Schedule(again)
                Trace.apply_json_to_schedule(sch.trace.as_json(), fresh)
                tvm.ir.assert_structural_equal(fresh.mod, sch.mod)
                self.assertEqual(str(fresh.trace), str(sch.trace))
                self.assertEqual(readable(fresh.mod), readable(sch.mod))

    def test_the_usual_text_is_as_ever(self):
        mod = program(random.Random(1), ["R", "T", "I", "in"])
        self.assertNotIn("loopscope", mod.script(show_meta=True))
        self.assertTrue(readable(mod).startswith(mod.script(show_meta=True)))
        self.assertIn("R_1", mod.script())
        plain = program(random.Random(1), ["A", "B", "C", "D"])
        if "names of" in readable(plain):                       # the axis that adds up has a name by chance
            self.assertNotIn('"A"', readable(plain))

    def test_a_program_around_keeps_its_variables(self):
        outer = tir.Var("m_1", "int32")
        text = ("from tvm.script import tir as T\n@T.prim_func\ndef main(A_1: T.Buffer((8,), 'float32')):\n    for i in range(8):\n"
                "        A_1[i] = T.Cast('float32', m_1)\n# loopscope: names of main: A_1 \"A\", m_1 \"m\"\n")
        func = from_source(text, {"m_1": outer}, check_well_formed=False)
        self.assertEqual(outer.name, "m_1")
        self.assertEqual([b.name for b in func.buffer_map.values()], ["A"])


if __name__ == "__main__":
    tap.main()
