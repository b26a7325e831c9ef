"""loopscope.run_isolated: results, arrays that are written, crashes, loops, memory, what is out of reach."""
import os
import signal
import sys
import tempfile
import time
import unittest

import numpy as np

import loopscope
from loopscope import _ship, _wire
import tap

HELD = loopscope.jail()
OUTSIDE = "a value of this program"


def double(values):
    """A function of __main__, which the other side cannot import."""
    return [2 * one for one in values]


def through_another(values):
    """It uses another one, and a module."""
    return np.sum(double(values)), OUTSIDE


def add_into(a, b, out):
    """Writes into its last argument."""
    out[...] = a + b


def factorial(n):
    """Calls itself."""
    return 1 if n < 2 else n * factorial(n - 1)


def crash():
    """Reads at address 0."""
    import ctypes

    ctypes.string_at(0)


def endless(*_):
    """Listens to nobody, and takes longer than anybody waits; it ends by itself where nothing ends it."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
    for _ in range(60):
        time.sleep(1)


def find(word):
    """Processes with the word in their command line."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                if word in file.read():
                    found.append(int(number))
        except OSError:
            pass
    return found


def call(function, *args, **kwargs):
    """In a jail where the machine has one, else in a process."""
    return loopscope.run_isolated(function, *args, **{"jail": HELD["holds"], **kwargs})


class Results(unittest.TestCase):
    """What comes back."""

    def test_values(self):
        for value in (None, True, 7, -(1 << 80), 2.5, float("inf"), "text", b"bytes", [1, (2, "x")], {"a": [1], 2: None}, {1, 2}, 1 + 2j):
            self.assertEqual(call(lambda x: x, value), value)
        self.assertNotEqual(call(os.getpid), os.getpid())

    def test_functions(self):
        self.assertEqual(call(double, [1, 2]), [2, 4])
        self.assertEqual(call(through_another, [1, 2]), (6, OUTSIDE))
        self.assertEqual(call(factorial, 20), 2432902008176640000)
        step = 3
        self.assertEqual(call(lambda x, y=2: x + y + step, 1), 6)
        self.assertEqual(call(os.path.join, "a", "b"), "a/b")

    def test_arrays(self):
        a, b, out = np.arange(6.0).reshape(2, 3), np.ones((2, 3)), np.zeros((2, 3))
        self.assertIsNone(call(add_into, a, b, out))
        np.testing.assert_array_equal(out, a + 1)
        back = call(lambda x: (x.T, x.sum()), np.arange(6, dtype="int8").reshape(2, 3))
        np.testing.assert_array_equal(back[0], np.arange(6, dtype="int8").reshape(2, 3).T)
        self.assertEqual(back[0].dtype, np.int8)
        self.assertEqual(back[1], 15)

    def test_exception(self):
        with self.assertRaises(loopscope.Raised) as caught:
            call(lambda: {}["missing"])
        self.assertEqual(caught.exception.name, "KeyError")
        self.assertIn("LookupError", caught.exception.kinds)
        self.assertIn("Traceback", caught.exception.traceback)
        with self.assertRaisesRegex(loopscope.Raised, "cannot come out of the jail"):
            call(lambda: object())

    def test_nothing_is_unpickled(self):
        """What comes out is JSON and bytes: a pickle is not understood, and neither is rubbish."""
        import pickle

        for data in (b"", b"\0" * 8, pickle.dumps([1]), b"\xff" * 100, _wire.pack(1)[:-1], b"\2\0\0\0\0\0\0\0{}"):
            with self.assertRaises(ValueError):
                _wire.unpack(data)
        self.assertNotIn("pickle", open(_wire.__file__, encoding="utf-8").read().replace("pickle:", "").replace("unpickled", "").replace("a pickle", ""))

    def test_forged_answer(self):
        """A function that writes its own answer gets no further than an error."""

        def forge():
            for fd in range(3, 64):
                try:
                    os.write(fd, b"\x08\0\0\0\0\0\0\0garbage!")
                except OSError:
                    pass
            os._exit(0)

        with self.assertRaisesRegex(loopscope.Crash, "not understood"):
            call(forge)


class Built(unittest.TestCase):
    """What tvm.build made."""

    def setUp(self):
        import tvm
        from tvm import te

        n = 64
        a = te.placeholder((n,), name="A")
        b = te.compute((n,), lambda i: a[i] * 2.0 + 1.0, name="B")
        self.tvm = tvm
        self.built = tvm.build(te.create_prim_func([a, b]), target="llvm")

    def test_runs(self):
        a = self.tvm.nd.array(np.arange(64, dtype="float32"))
        b = self.tvm.nd.array(np.zeros(64, dtype="float32"))
        call(self.built, a, b)
        np.testing.assert_allclose(b.numpy(), np.arange(64) * 2 + 1)

    def test_crash(self):
        """Code that writes far outside its buffer ends the other process, not this one."""
        from tvm.script import tir as T

        @T.prim_func
        def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
            for i in range(4):
                if A[i] != 7:       # without a condition on i the index would be compared
                    B[i * 100000000] = A[i]

        built = self.tvm.build(self.tvm.IRModule({"main": main}), target="llvm")
        a = self.tvm.nd.array(np.full(4, 5, "int32"))
        with self.assertRaises(loopscope.Crash) as caught:
            call(built, a, self.tvm.nd.array(np.zeros(4, "int32")))
        self.assertIn(caught.exception.signal, ("SIGSEGV", "SIGBUS"))


class Ends(unittest.TestCase):
    """Crashes and limits."""

    def test_crash(self):
        with self.assertRaises(loopscope.Crash) as caught:
            call(crash)
        self.assertEqual(caught.exception.signal, "SIGSEGV")
        self.assertIn("SIGSEGV", str(caught.exception))
        with self.assertRaises(loopscope.Crash) as caught:
            call(os.abort)
        self.assertEqual(caught.exception.signal, "SIGABRT")
        with self.assertRaises(loopscope.Crash) as caught:
            call(os._exit, 7)
        self.assertIsNone(caught.exception.signal)
        self.assertEqual(caught.exception.status, 7)

    def test_endless(self):
        with self.assertRaises(loopscope.TimedOut):
            call(endless, timeout=1.5)
        if HELD["holds"]:
            for _ in range(6000):
                if not find(b"loopscope._child"):
                    break
                time.sleep(0.01)
            self.assertEqual([one for one in find(b"loopscope._child") if os.path.exists(f"/proc/{one}/fd")], [])

    @unittest.skipIf("LD_PRELOAD" in os.environ, "sanitizers reserve more addresses than any limit leaves")
    def test_memory(self):
        with self.assertRaises(loopscope.OutOfMemory):
            call(lambda: len(bytearray(700 << 20)), memory=512 << 20)

    def test_interrupted(self):
        """Ctrl+C here ends it there."""
        signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
        signal.setitimer(signal.ITIMER_REAL, 1.0)
        with self.assertRaises(KeyboardInterrupt):
            call(time.sleep, 30)


@unittest.skipUnless(HELD["holds"], f"this machine refuses a jail: {HELD['why']}")
class Jail(unittest.TestCase):
    """What is out of reach."""

    def attempt(self, function, *args):
        try:
            return loopscope.run_isolated(function, *args)
        except loopscope.Raised as problem:
            return problem.name

    def test_files(self):
        with tempfile.NamedTemporaryFile("w+") as file:
            file.write("secret")
            file.flush()

            def read(name):
                with open(name, encoding="utf-8") as inner:
                    return inner.read()

            self.assertEqual(self.attempt(read, file.name), "FileNotFoundError")
            self.assertEqual(loopscope.run_isolated(read, file.name, read=[file.name]), "secret")
        self.assertEqual(loopscope.run_isolated(os.listdir, os.path.expanduser("~")), [])

    def test_others(self):
        parent = os.getpid()
        self.assertIn(self.attempt(os.kill, parent, 0), ("ProcessLookupError", "PermissionError"))
        self.assertEqual(self.attempt(lambda: len(open(f"/proc/{parent}/environ", "rb").read())), "FileNotFoundError")
        os.environ["EXAMPLE_TOKEN"] = "secret"
        self.assertIsNone(loopscope.run_isolated(lambda: os.environ.get("EXAMPLE_TOKEN")))

    def test_network(self):
        import socket

        self.assertEqual(self.attempt(socket.create_connection, ("127.0.0.1", 9), 1), "PermissionError")

    def test_wide(self):
        """The home is not handed over because a script lies in it."""
        home = os.path.expanduser("~")
        self.assertEqual(loopscope.run_isolated(os.listdir, home, read=[home, "/"]), [])

    def test_refused(self):
        os.environ["LS_JAIL_REFUSE"] = "namespaces"
        try:
            with self.assertRaises(loopscope.NoJail):
                loopscope.run_isolated(os.getpid)
            self.assertFalse(loopscope.jail()["holds"])
            self.assertNotEqual(loopscope.run_isolated(os.getpid, jail=False), os.getpid())
        finally:
            del os.environ["LS_JAIL_REFUSE"]


class Shipping(unittest.TestCase):
    """Functions on their way."""

    def test_what_cannot_go(self):
        with self.assertRaisesRegex(TypeError, "cannot be handed over"):
            call(lambda file: None, sys.stdin)
        function, args, kwargs = _ship.unpack(_ship.pack(factorial, [4], {}))
        self.assertEqual(function(*args, **kwargs), 24)


if __name__ == "__main__":
    tap.main()
