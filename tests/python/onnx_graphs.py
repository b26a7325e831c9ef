"""Operators of ONNX with graphs inside them (If, Loop, Scan), and mathematics that few models have: determinants, Fourier transforms, MaxUnpool, losses."""
import unittest

import numpy as np

import onnx_file as F
import tap
import tvm
from onnx_operators import one, real, run
from tvm.relax.frontend.onnx import from_onnx

i64 = lambda *v: np.array(v, "int64")


class Graphs(unittest.TestCase):
    def same(self, found, expected, rtol=1e-4, atol=1e-5):
        self.assertEqual(tuple(found.shape), tuple(np.shape(expected)))
        np.testing.assert_allclose(found, expected, rtol, atol)

    # ---- If

    def branches(self, condition, weights=(), inputs=(("c", "bool", ()), ("x", "float32", (2, 3)))):
        """Both sides use what is outside, and each a name that the other has too."""
        yes = F.graph([F.node("Relu", ["h"], ["t"]), F.node("Add", ["t", "w"], ["y_in"])], [], ["y_in"], {"w": np.full((3,), 2, "float32")})
        no = F.graph([F.node("Mul", ["h", "w"], ["t"]), F.node("Neg", ["t"], ["other"])], [], ["other"], {"w": np.full((1,), 3, "float32")})
        return F.model([F.node("Abs", ["x"], ["a"]), F.node("Sub", ["a", "one"], ["h"]), F.node("If", [condition], ["y"], then_branch=yes, else_branch=no),
                        F.node("Add", ["y", "h"], ["z"])], inputs, ["z"], {"one": np.float32(1), **dict(weights)})

    def expected(self, yes, x):
        h = np.abs(x) - 1
        return (np.maximum(h, 0) + 2 if yes else -3 * h) + h

    def test_if_that_is_computed(self):
        x = real(2, 3)
        mod = from_onnx(self.branches("c"))
        text = mod.script(show_meta=True)
        self.assertIn("if c:", text)
        self.assertIn("with R.dataflow():", text)
        for yes in (True, False):
            self.same(run(mod, np.array(yes), x)[0], self.expected(yes, x))
        tvm.ir.assert_structural_equal(tvm.script.from_source(text), mod)
        flat = F.model([F.node("If", ["c"], ["y"], then_branch=F.graph([F.node("Neg", ["x"], ["t"])], [], ["t"]), else_branch=F.graph([F.node("Identity", ["x"], ["t"])], [], ["t"]))],
                       [("c", "bool", (1,)), ("x", "float32", (2, 3))], ["y"])
        for yes in (True, False):
            self.same(run(from_onnx(flat), np.array([yes]), x)[0], -x if yes else x)

    def test_if_that_is_known(self):
        x = real(2, 3)
        for yes in (True, False):
            mod = from_onnx(self.branches("k", {"k": np.array(yes)}, [("x", "float32", (2, 3))]))
            self.assertNotIn("if ", mod.script())
            self.same(run(mod, x)[0], self.expected(yes, x))
        # by the shape: exporters ask whether an extent is 1
        data = F.model([F.node("Shape", ["x"], ["s"]), F.node("Gather", ["s", "zero"], ["n"], axis=0), F.node("Equal", ["n", "first"], ["c"]),
                        F.node("If", ["c"], ["y"], then_branch=F.graph([F.node("Squeeze", ["x", "at"], ["t"])], [], ["t"], {"at": i64(0)}),
                               else_branch=F.graph([F.node("Identity", ["x"], ["t"])], [], ["t"]))],
                       [("x", "float32", (1, 3))], ["y"], {"zero": np.array(0, "int64"), "first": np.array(1, "int64")})
        x = real(1, 3)
        self.same(run(from_onnx(data), x)[0], x[0])

    def test_if_with_several_results(self):
        both = lambda op: F.graph([F.node(op, ["x"], ["p"]), F.node("Exp", ["p"], ["q"])], [], ["p", "q"])
        data = F.model([F.node("If", ["c"], ["a", "b"], then_branch=both("Neg"), else_branch=both("Abs")), F.node("Sub", ["a", "b"], ["y"])],
                       [("c", "bool", ()), ("x", "float32", (4,))], ["y", "b"])
        x = real(4)
        for yes in (True, False):
            p = -x if yes else np.abs(x)
            y, b = run(from_onnx(data), np.array(yes), x)
            self.same(y, p - np.exp(p))
            self.same(b, np.exp(p))

    def test_if_in_if(self):
        inner = F.node("If", ["d"], ["t"], then_branch=F.graph([F.node("Neg", ["x"], ["u"])], [], ["u"]), else_branch=F.graph([F.node("Exp", ["x"], ["u"])], [], ["u"]))
        data = F.model([F.node("If", ["c"], ["y"], then_branch=F.graph([inner], [], ["t"]), else_branch=F.graph([F.node("Abs", ["x"], ["t"])], [], ["t"]))],
                       [("c", "bool", ()), ("d", "bool", ()), ("x", "float32", (4,))], ["y"])
        x = real(4)
        mod = from_onnx(data)
        for c in (True, False):
            for d in (True, False):
                self.same(run(mod, np.array(c), np.array(d), x)[0], (-x if d else np.exp(x)) if c else np.abs(x))

    # ---- Loop, Scan

    def test_loop(self):
        body = F.graph([F.node("Mul", ["v", "w"], ["v2"]), F.node("Cast", ["i"], ["f"], to=1), F.node("Add", ["v2", "f"], ["v3"]), F.node("Identity", ["go"], ["again"])],
                       ["i", "go", "v"], ["again", "v3", "v2"])
        data = F.model([F.node("Loop", ["n", "", "x"], ["last", "all"], body=body)], [("x", "float32", (3,)), ("w", "float32", (3,))], ["last", "all"], {"n": np.array(4, "int64")})
        x, w = real(3), real(3)
        v, steps = x, []
        for i in range(4):
            steps.append(v * w)
            v = v * w + i
        last, every = run(from_onnx(data), x, w)
        self.same(last, v)
        self.same(every, np.stack(steps))
        stop = F.graph([F.node("Neg", ["v"], ["v2"])], ["i", "go", "v"], ["no", "v2"], {"no": np.array(False)})
        data = F.model([F.node("Loop", ["n", "yes", "x"], ["last"], body=stop)], [("x", "float32", (3,))], ["last"], {"n": np.array(9, "int64"), "yes": np.array(True)})
        self.same(run(from_onnx(data), x)[0], -x)                                      # it stops after the first round

    def test_loop_that_cannot_be_written_out(self):
        body = F.graph([F.node("Neg", ["v"], ["v2"])], ["i", "go", "v"], ["go", "v2"])
        many = F.model([F.node("Loop", ["n", "", "x"], ["y"], body=body)], [("n", "int64", ()), ("x", "float32", (3,))], ["y"])
        with self.assertRaisesRegex(tvm.error.TVMError, r"\(Loop, opset 17\): how many rounds it goes is computed; Relax has no loop"):
            from_onnx(many)
        ends = F.graph([F.node("Neg", ["v"], ["v2"]), F.node("ReduceSum", ["v2"], ["s"], keepdims=0), F.node("Less", ["s", "v"], ["go2"])], ["i", "go", "v"], ["go2", "v2"])
        with self.assertRaisesRegex(tvm.error.TVMError, "whether it goes on is computed"):
            from_onnx(F.model([F.node("Loop", ["", "", "x"], ["y"], body=ends)], [("x", "float32", ())], ["y"]))
        with self.assertRaisesRegex(tvm.error.TVMError, "more than 1024 rounds"):
            from_onnx(F.model([F.node("Loop", ["n", "", "x"], ["y"], body=body)], [("x", "float32", (3,))], ["y"], {"n": np.array(5000, "int64")}))

    def test_scan(self):
        body = F.graph([F.node("Add", ["s", "p"], ["s2"]), F.node("Mul", ["s2", "q"], ["o"])], ["s", "p", "q"], ["s2", "o"])
        x, y, s = real(5, 3), real(3, 5), real(3)
        for way in (0, 1):
            data = F.model([F.node("Scan", ["s0", "x", "y"], ["s1", "all"], num_scan_inputs=2, body=body, scan_input_axes=[0, 1], scan_input_directions=[0, way],
                                   scan_output_axes=[1], scan_output_directions=[way])],
                           [("s0", "float32", (3,)), ("x", "float32", (5, 3)), ("y", "float32", (3, 5))], ["s1", "all"])
            state, out = s, []
            for t in range(5):
                state = state + x[t]
                out.append(state * y[:, 4 - t if way else t])
            last, every = run(from_onnx(data), s, x, y)
            self.same(last, state)
            self.same(every, np.stack(out[::-1] if way else out, 1))

    def test_places(self):
        """What is not translated inside a graph is named with the nodes around it; damaged graphs are said."""
        branch = F.graph([F.node("Relu", ["x"], ["t"]), F.node("NoSuch", ["t"], ["u"], name="inner")], [], ["u"])
        data = F.model([F.node("If", ["c"], ["y"], name="outer", then_branch=branch, else_branch=branch)], [("c", "bool", ()), ("x", "float32", (3,))], ["y"])
        with self.assertRaisesRegex(tvm.error.TVMError, r'node 1 "outer" \(If, opset 17\), then_branch: node 2 "inner" \(NoSuch, opset 17\): no rule translates it'):
            from_onnx(data)
        with self.assertRaisesRegex(tvm.error.TVMError, "it has no graph `else_branch`"):
            from_onnx(F.model([F.node("If", ["c"], ["y"], then_branch=branch)], [("c", "bool", ()), ("x", "float32", (3,))], ["y"]))
        with self.assertRaisesRegex(tvm.error.TVMError, "its `then_branch` is damaged"):
            from_onnx(F.model([F.node("If", ["c"], ["y"], then_branch=F.Graph(b"\x0a\xff\xff"), else_branch=branch)], [("c", "bool", ()), ("x", "float32", (3,))], ["y"]))
        deep = F.graph([F.node("Neg", ["x"], ["t"])], [], ["t"])
        for _ in range(16):         # with the one around them one more than may be; the file doubles with each
            deep = F.graph([F.node("If", ["k"], ["t"], then_branch=deep, else_branch=deep)], [], ["t"])
        with self.assertRaisesRegex(tvm.error.TVMError, "too deep or too long"):
            from_onnx(F.model([F.node("If", ["k"], ["y"], then_branch=deep, else_branch=deep)], [("x", "float32", (3,))], ["y"], {"k": np.array(True)}))


class Mathematics(unittest.TestCase):
    same = Graphs.same

    def test_determinants(self):
        for shape in ((1, 1), (2, 2), (3, 3), (5, 7, 7), (2, 3, 4, 4)):
            x = real(*shape)
            self.same(one("Det", [x])[0], np.linalg.det(x.astype("float64")), 1e-3, 1e-4)
        x = np.array([[[0, 2, 1], [1, 0, 0], [0, 0, 3]], [[0, 1, 2], [0, 3, 4], [0, 5, 6]], [[1, 2, 3], [2, 4, 6], [1, 1, 1]]], "float32")     # rows change places; singular ones
        self.same(one("Det", [x])[0], np.linalg.det(x.astype("float64")))
        with self.assertRaisesRegex(tvm.error.TVMError, "square matrices"):
            one("Det", [real(2, 3)])

    def test_fourier(self):
        pairs = lambda z: np.stack([z.real, z.imag], -1)
        x, z = real(2, 10, 3, 1), real(2, 10, 3, 2)
        complex_z = z[..., 0] + 1j * z[..., 1]
        self.same(one("DFT", [x], axis=1)[0], pairs(np.fft.fft(x[..., 0], axis=1)), 1e-3, 1e-4)
        self.same(one("DFT", [x], axis=1, onesided=1)[0], pairs(np.fft.rfft(x[..., 0], axis=1)), 1e-3, 1e-4)
        self.same(one("DFT", [z], axis=-2)[0], pairs(np.fft.fft(complex_z, axis=2)), 1e-3, 1e-4)
        self.same(one("DFT", [z], axis=1, inverse=1)[0], pairs(np.fft.ifft(complex_z, axis=1)), 1e-3, 1e-4)
        for n in (6, 16):
            self.same(one("DFT", [z], {"n": np.array(n, "int64")}, axis=1)[0], pairs(np.fft.fft(complex_z, n, axis=1)), 1e-3, 1e-4)
        self.same(one("DFT", [z], {"n": np.array(10, "int64"), "at": np.array(1, "int64")}, opset=20)[0], pairs(np.fft.fft(complex_z, axis=1)), 1e-3, 1e-4)
        self.same(one("DFT", [z], opset=20)[0], pairs(np.fft.fft(complex_z, axis=2)), 1e-3, 1e-4)
        with self.assertRaisesRegex(tvm.error.TVMError, "back from one side"):
            one("DFT", [z], inverse=1, onesided=1)

    def test_short_fourier(self):
        x, window = real(2, 40, 1), (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(12) / 12)).astype("float32")
        frames = np.stack([x[:, 5 * i:5 * i + 12, 0] for i in range((40 - 12) // 5 + 1)], 1)
        for onesided in (0, 1):
            for w in (None, window):
                found = one("STFT", [x], {"step": np.array(5, "int64"), "w": window} if w is not None else {"step": np.array(5, "int64"), "": np.float32(0), "n": np.array(12, "int64")}, onesided=onesided)[0]
                z = (np.fft.rfft if onesided else np.fft.fft)(frames * (1 if w is None else w), axis=-1)
                self.same(found, np.stack([z.real, z.imag], -1), 1e-3, 1e-4)
        with self.assertRaisesRegex(tvm.error.TVMError, "are none of a signal of 40"):
            one("STFT", [x], {"step": np.array(5, "int64"), "": np.float32(0), "n": np.array(50, "int64")})

    def test_unpooled(self):
        x = real(2, 3, 6, 8)
        blocks = x.reshape(2, 3, 3, 2, 4, 2)
        most = blocks.max((3, 5), keepdims=True)
        wanted = np.where(blocks == most, blocks, 0).reshape(x.shape)
        places = np.flatnonzero((blocks == most).transpose(0, 1, 2, 4, 3, 5).reshape(-1))
        order = np.arange(x.size).reshape(2, 3, 3, 2, 4, 2).transpose(0, 1, 2, 4, 3, 5).reshape(-1)
        self.same(one("MaxUnpool", [most[:, :, :, 0, :, 0].copy(), order[places].reshape(2, 3, 3, 4)], kernel_shape=[2, 2], strides=[2, 2])[0], wanted)
        found = one("MaxUnpool", [np.array([[[[5, 6], [7, 8]]]], "float32"), i64(5, 7, 13, 15).reshape(1, 1, 2, 2)], {"s": i64(1, 1, 5, 5)}, kernel_shape=[2, 2], strides=[2, 2])[0]
        wanted = np.zeros((1, 1, 5, 5), "float32")
        wanted[0, 0, 1, 1], wanted[0, 0, 1, 3], wanted[0, 0, 3, 1], wanted[0, 0, 3, 3] = 5, 6, 7, 8
        self.same(found, wanted)

    def test_losses(self):
        logits, targets, weights = real(4, 5, 3), np.array([[0, 1, 4], [2, 2, 3], [1, 0, 0], [4, 3, 2]], "int64"), np.array([0.5, 1, 2, 0.25, 3], "float32")
        logs = logits - np.log(np.exp(logits.astype("float64")).sum(1, keepdims=True))
        picked = -np.take_along_axis(logs, targets[:, None], 1)[:, 0]
        for ignore in (None, 2):
            for w in (None, weights):
                share = (w[targets] if w is not None else np.ones(targets.shape)) * (targets != ignore)
                for reduction, wanted in (("none", picked * share), ("sum", (picked * share).sum()), ("mean", (picked * share).sum() / share.sum())):
                    with self.subTest(f"{ignore} {w is not None} {reduction}"):
                        more = {"w": w} if w is not None else {}
                        found = one("SoftmaxCrossEntropyLoss", [logits, targets], more, n_outputs=2, reduction=reduction, ignore_index=ignore)
                        self.same(found[0], wanted)
                        self.same(found[1], logs)
                        self.same(one("NegativeLogLikelihoodLoss", [logs.astype("float32"), targets], more, reduction=reduction, ignore_index=ignore)[0], wanted)

    def test_no_limit(self):
        """Without a limit no box is left; the boxes themselves are in onnx_rarer."""
        self.assertEqual(one("NonMaxSuppression", [real(1, 4, 4), real(1, 1, 4)])[0].shape, (0, 3))


if __name__ == "__main__":
    tap.main()
