"""States of recurrent models: for each sequence the last values, which steps add to and take back; against whole lists."""
import unittest

import tap

if tap.has_numpy():
    import numpy as np

import tvm
from tvm.runtime import ShapeTuple
from tvm.script import tir as T

HISTORY, ROWS, LAYERS, SHAPES = 4, 3, 2, ((2, 3), (5,))


def builtin(name):
    return tvm.get_global_func("vm.builtin." + name)


def functions(shape):
    """What reads and what writes a state of this shape."""
    n = int(np.prod(shape))

    @T.prim_func
    def get(a: T.handle, r: T.handle, p: T.handle, o: T.handle):
        batch = T.int32()
        A = T.match_buffer(a, (ROWS, HISTORY, *shape), "float32")
        R = T.match_buffer(r, (batch,), "int32")
        P = T.match_buffer(p, (batch,), "int32")
        O = T.match_buffer(o, (batch, *shape), "float32")
        FA = T.Buffer((ROWS, HISTORY, n), "float32", data=A.data)
        FO = T.Buffer((batch, n), "float32", data=O.data)
        for i, j in T.grid(batch, n):
            FO[i, j] = FA[R[i], P[i], j]

    @T.prim_func
    def put(a: T.handle, r: T.handle, p: T.handle, o: T.handle):
        batch = T.int32()
        A = T.match_buffer(a, (ROWS, HISTORY, *shape), "float32")
        R = T.match_buffer(r, (batch,), "int32")
        P = T.match_buffer(p, (batch,), "int32")
        O = T.match_buffer(o, (batch, *shape), "float32")
        FA = T.Buffer((ROWS, HISTORY, n), "float32", data=A.data)
        FO = T.Buffer((batch, n), "float32", data=O.data)
        for i, j in T.grid(batch, n):
            FA[R[i], (P[i] + 1) % HISTORY, j] = FO[i, j]

    return [tvm.tir.build(f, target="llvm")[name] for f, name in ((get, "get"), (put, "put"))]


@unittest.skipUnless(tap.has_numpy(), "NumPy is not installed")
class States(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        gets, sets = zip(*(functions(s) for s in SHAPES))
        cls.initial = [np.full(s, -1.0 - i, "float32") for i, s in enumerate(SHAPES)]
        cls.parts = list(gets), list(sets), [tvm.nd.array(x) for x in cls.initial]

    def setUp(self):
        self.state = builtin("rnn_state_create")(LAYERS, ROWS, HISTORY, *self.parts)
        self.known = {}
        self.random = np.random.RandomState(3)

    def add(self, seq):
        builtin("kv_state_add_sequence")(self.state, seq)
        self.known[seq] = [[[x] for x in self.initial] for _ in range(LAYERS)]

    def step(self, seqs, lengths=None):
        builtin("kv_state_begin_forward")(self.state, ShapeTuple(seqs), ShapeTuple(lengths or [1] * len(seqs)))
        for layer in range(LAYERS):
            for i, shape in enumerate(SHAPES):
                out = tvm.nd.empty((len(seqs), *shape), "float32")
                builtin("rnn_state_get")(self.state, layer, i, out)
                np.testing.assert_array_equal(out.numpy(), [self.known[s][layer][i][-1] for s in seqs])
                values = self.random.rand(len(seqs), *shape).astype("float32")
                builtin("rnn_state_set")(self.state, layer, i, tvm.nd.array(values))
                for s, value in zip(seqs, values):
                    self.known[s][layer][i].append(value)
        builtin("kv_state_end_forward")(self.state)

    def pop(self, seq, count):
        builtin("kv_state_popn")(self.state, seq, count)
        for layer in self.known[seq]:
            for values in layer:
                del values[len(values) - count:]

    def check(self):
        for seq, layers in self.known.items():
            for layer, states in enumerate(layers):
                for i, values in enumerate(states):
                    out = tvm.nd.empty(SHAPES[i], "float32")
                    builtin("rnn_state_debug_get")(self.state, layer, i, seq, out)
                    np.testing.assert_array_equal(out.numpy(), values[-1])

    def test_steps_and_back(self):
        for seq in range(3):
            self.add(seq)
        self.check()
        self.step([0, 2])
        self.step([2])
        self.check()
        self.pop(2, 2)
        self.pop(0, 1)
        self.check()
        with self.assertRaises(tvm.error.TVMError):
            self.pop(0, 1)

    def test_as_far_back_as_the_history(self):
        self.add(7)
        for _ in range(6):
            self.step([7])
        with self.assertRaises(tvm.error.TVMError):
            self.pop(7, HISTORY)
        self.pop(7, HISTORY - 1)
        self.check()

    def test_many_tokens_at_once_stay(self):
        self.add(0)
        self.step([0])
        self.step([0], [5])
        self.check()
        with self.assertRaises(tvm.error.TVMError):
            self.pop(0, 1)

    def test_forks(self):
        self.add(0)
        self.step([0])
        builtin("kv_state_fork_sequence")(self.state, 0, 1, -1)
        self.known[1] = [[list(values) for values in layer] for layer in self.known[0]]
        self.step([1])
        self.check()
        self.pop(1, 2)
        self.step([0])
        self.check()
        with self.assertRaises(tvm.error.TVMError):
            builtin("kv_state_fork_sequence")(self.state, 0, 2, 1)

    def test_rows_are_used_again(self):
        for seq in range(ROWS):
            self.add(seq)
            self.step([seq])
        with self.assertRaises(tvm.error.TVMError):
            self.add(9)
        builtin("kv_state_remove_sequence")(self.state, 1)
        del self.known[1]
        self.add(9)
        self.check()
        builtin("kv_state_clear")(self.state)
        self.known = {}
        for seq in range(ROWS):
            self.add(seq)
        self.check()

    def test_what_is_refused(self):
        for call in (lambda: builtin("kv_state_popn")(self.state, 4, 1), lambda: builtin("kv_state_end_forward")(self.state),
                     lambda: builtin("rnn_state_get")(self.state, 0, 0, tvm.nd.empty((1, 2, 3), "float32")),
                     lambda: builtin("kv_state_begin_forward")(self.state, ShapeTuple([0]), ShapeTuple([1]))):
            with self.assertRaises(tvm.error.TVMError):
                call()


if __name__ == "__main__":
    tap.main()
