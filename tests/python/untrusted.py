"""Input that nobody vouches for: files are data and never run, and what is too large is refused before it costs anything."""
import base64
import io
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np
import tap
import tvm
from tvm import arith, meta_schedule as ms, te, tir
from tvm.meta_schedule.cost_model import RandomModel


class Bomb:
    """A pickle that makes a file when it is read."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return open, (self.mark, "w")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = lambda name: os.path.join(folder.name, name)

    def write(self, name, data):
        with open(self.at(name), "wb") as file:
            file.write(data)
        return self.at(name)

    def array_of_objects(self, *objects):
        out, held = io.BytesIO(), np.empty(len(objects), dtype=object)
        held[:] = objects
        np.save(out, held, allow_pickle=True)
        return out.getvalue()

    def test_a_model_comes_back(self):
        model, path = RandomModel(seed=7), self.at("model.npy")
        model.predict(None, [0] * 5)
        model.save(path)
        again = RandomModel(path=path)
        np.testing.assert_array_equal(again.predict(None, [0] * 700), model.predict(None, [0] * 700))
        gauss = RandomModel(seed=3)
        draw = np.random.RandomState(3)
        draw.randn()
        gauss.random_state = draw.get_state()
        gauss.save(path)
        again.load(path)
        self.assertEqual(again.random_state[3:], gauss.random_state[3:])
        self.assertIsInstance(ms.cost_model.CostModel.create("random"), RandomModel)

    def test_no_model_is_run(self):
        mark = self.at("mark")
        bad = {"pickle": pickle.dumps(Bomb(mark)), "array": self.array_of_objects(Bomb(mark), 1),
               "archive": b"PK\x03\x04" + pickle.dumps(Bomb(mark)), "empty": b"", "list": b"[]", "deep": b"[" * 60000, "long": b" " * 10**6 + b"{}",
               "words": b'{"format": "loopscope-random-state", "words": [1, 2], "at": 0, "gauss": null}',
               "signs": b'{"format": "loopscope-random-state", "words": [' + b"-1, " * 623 + b'1], "at": 0, "gauss": null}',
               "place": b'{"format": "loopscope-random-state", "words": [' + b"1, " * 623 + b'1], "at": 625, "gauss": null}',
               "names": b'{"format": "loopscope-random-state", "words": [' + b"1, " * 623 + b'1], "at": 1, "gauss": "x"}'}
        before = RandomModel(seed=1)
        state = before.random_state
        for name, data in bad.items():
            with self.assertRaisesRegex(ValueError, f"{name}: expected the state of a RandomModel"):
                before.load(self.write(name, data))
            self.assertFalse(os.path.exists(mark), name)
        self.assertIs(before.random_state, state)

    def test_no_parameters_are_run(self):
        mark = self.at("mark")
        out = io.BytesIO()
        np.savez(out, w=np.array([Bomb(mark)], dtype=object))
        for data in (pickle.dumps(Bomb(mark)), self.array_of_objects(Bomb(mark)), out.getvalue()):
            with self.assertRaises(ValueError):
                tvm.runtime.load_param_dict(data)
        self.assertFalse(os.path.exists(mark))
        plain = io.BytesIO()
        np.save(plain, np.arange(3))
        with self.assertRaisesRegex(ValueError, "this is one array"):
            tvm.runtime.load_param_dict(plain.getvalue())

    def test_the_converter_reads_arrays_only(self):
        script = os.path.join(os.environ["LS_SOURCE_ROOT"], "data", "scripts", "pkl_to_npz.py")
        mark, out = self.at("mark"), self.at("out.npz")
        good = self.write("good.pkl", pickle.dumps({"w": np.arange(6.0).reshape(2, 3)}))
        done = subprocess.run([sys.executable, script, good, out], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        with np.load(out) as data:
            np.testing.assert_array_equal(data["w"], np.arange(6.0).reshape(2, 3))
        os.remove(out)
        for data in (pickle.dumps(Bomb(mark)), pickle.dumps({"w": np.array([Bomb(mark)], dtype=object)}), pickle.dumps([np.arange(3)]),
                     pickle.dumps({"w": np.arange(3)})[:-4], b"", b"garbage", b"cos\nsystem\n(S'true'\ntR.", b"\x80\x04cbuiltins\neval\n."):
            done = subprocess.run([sys.executable, script, self.write("bad.pkl", data), out], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 1, data)
            self.assertIn("bad.pkl", done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            self.assertFalse(os.path.exists(out) or os.path.exists(mark), data)


    def test_damaged_files_say_which(self):
        """Whatever reads a text of ours or TVM's refuses a damaged one by ValueError with its place, never by what Python's own readers raise."""
        from tvm.contrib import tvmjs

        text = base64.b64encode(b"\xff\xfe")
        bad = {"cut": b"{", "bytes": b"\xff\xfe\n", "base64": b'["1", "***"]', "short": b'["1", "YQ"]', "number": b"5", "null": b"null", "list": b'["1", 5]', "inner": b'["1", "' + text + b'"]',
               "deep": b"[" * 100_000, "large": b"[NaN, 1e999]", "nodes": b'{"root": 1, "nodes": [5], "b64ndarrays": ["YQ=="]}', "fields": b'{"records": [{"nbytes": "x"}], "calls": 1, "metadata": 0}'}
        magic = b"loopscope module 1\n"
        for name, data in bad.items():
            text = data.decode("latin-1")
            records, empty = self.write("records.json", data + b"\n[]\n"), self.write("empty.json", b"")
            reads = {"modules": lambda: ms.database.JSONDatabase(records, empty), "records": lambda: ms.database.JSONDatabase(empty, records),
                     "load_json": lambda: tvm.ir.load_json(text), "report": lambda: tvm.runtime.profiling.Report.from_json(text),
                     "model": lambda: ms.cost_model.CostModel.create("xgb").load(self.write("model", data)),
                     "arrays": lambda: tvmjs.load_ndarray_cache(self.write("ndarray-cache.json", data), tvm.cpu()),
                     "library": lambda: tvm.runtime.load_module(self.write("x.so", magic + data)),
                     "text of LLVM": lambda: tvm.runtime.load_module(self.write("x.ll", b"; \n; " + magic.strip() + b" " + data)),
                     "target": lambda: tvm.target.Target("{" + text)}
            for what, read in reads.items():
                with self.subTest(f"{name} as {what}"):
                    with self.assertRaises(ValueError) as found:
                        read()
                    self.assertIs(type(found.exception), tvm.error._Damaged, repr(found.exception)[:200])


class Endless(unittest.TestCase):
    """What has no end is not gone through: a list of it would take all memory."""

    def test_no_list_is_made(self):
        a = te.placeholder((4, 5), name="A")
        ib = tir.ir_builder.create()
        x = tvm.relax.Var("x", tvm.relax.TensorStructInfo((2, 3), "float32"))
        for value in (a, a[1], ib.pointer("float32", name="p"), ib.buffer_ptr(tir.decl_buffer((4,))), x, x.shape, x.strides):
            with self.assertRaises(TypeError):
                list(value)
        for call in (lambda: te.extern((4,), [a], lambda ins, outs: None, dtype=a), lambda: tir.IndexMap.from_func(lambda i: i).map_indices(a),
                     lambda: tvm.topi.nn.dilate(a, a), lambda: tvm.relax.FuncStructInfo(a, a)):
            with self.assertRaises(Exception):
                call()
        self.assertEqual(str(a[1][2].asobject()), str(a(1, 2)))


class Systems(unittest.TestCase):
    """Systems of equations and inequalities: a text is none, and what is too large is said before the work."""

    def setUp(self):
        self.started, self.memory = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    def tearDown(self):
        self.assertLess(time.process_time() - self.started, 20)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - self.memory, 400_000)

    def test_texts(self):
        x, long = te.var("x"), "x" * 100_000
        for solve in (arith.solve_linear_equations, arith.solve_linear_inequalities):
            with self.assertRaisesRegex(TypeError, "the variables .* not 'xxx"):
                solve(long, long, None)
            with self.assertRaisesRegex(TypeError, "the relations .* not 'xxx"):
                solve(long, [x], None)
            with self.assertRaisesRegex(TypeError, "number 1 is 'x'"):
                solve([x > 1], list(long), None)
            with self.assertRaisesRegex(TypeError, "number 2 is"):
                solve([x > 1, tir.StringImm("x")], [x], None)
            with self.assertRaisesRegex(TypeError, "the ranges .* dictionary"):
                solve([x > 1], [x], long)
            with self.assertRaises(TypeError):
                solve([x > 1], 5)
        with self.assertRaises(TypeError):
            arith.IntConstraints(long, {}, long)

    def test_large(self):
        many = [te.var(f"x{i}") for i in range(20_000)]
        for solve in (arith.solve_linear_equations, arith.solve_linear_inequalities):
            with self.assertRaisesRegex(ValueError, "up to 1000 variables .* 20000"):
                solve([tir.EQ(many[0], 1)], many)
            with self.assertRaisesRegex(ValueError, "up to 1000 relations .* 20000"):
                solve([tir.EQ(x, 1) for x in many], many[:2])

    def test_much_work(self):
        many = [te.var(f"x{i}") for i in range(140)]
        rng = np.random.RandomState(1)
        sums = []
        for i in range(70):
            terms = [many[j] * int(rng.randint(2, 99)) for j in range(0, 140, 2)]
            while len(terms) > 1:
                terms = [terms[k] + terms[k + 1] if k + 1 < len(terms) else terms[k] for k in range(0, len(terms), 2)]
            sums.append(tir.EQ(terms[0], i))
        with self.assertRaisesRegex(ValueError, "steps|bits|does not hold"):
            arith.solve_linear_equations(sums, many)
        x, y = te.var("x"), te.var("y")
        bounds = [x * (i + 2) >= y * (2 * i + 1) + i for i in range(70)] + [x * (i + 3) <= y * (3 * i + 2) - i for i in range(70)]
        with self.assertRaisesRegex(ValueError, "lower and .* upper bounds"):
            arith.solve_linear_inequalities(bounds, [x, y])


if __name__ == "__main__":
    tap.main()
