"""tvm.runtime.disco: one program on several threads, each with values of its own, and the arrays they exchange."""
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import tap
import tvm
import tvm.exec.disco_worker
from tvm import relax
from tvm.runtime import ShapeTuple, String, disco
from tvm.script import ir as I
from tvm.script import relax as R


def array(session, values):
    """The rows of `values`, one for each worker."""
    made = session.empty(values.shape[1:], str(values.dtype))
    for i, row in enumerate(values):
        made.debug_copy_from(i, row)
    return made


class Values(unittest.TestCase):
    def test_each_worker_calls_by_itself(self):
        seen = []

        @tvm.register_func("tests.disco.note", override=True)
        def note(x):
            rank = tvm.get_global_func("runtime.disco.worker_rank")()
            seen.append(rank)
            return x * 10 + rank

        session = disco.ThreadedSession(num_workers=3)
        made = session.get_global_func("tests.disco.note")(4)
        self.assertEqual([made.debug_get_from_remote(i) for i in range(3)], [40, 41, 42])
        self.assertEqual(sorted(seen), [0, 1, 2])
        self.assertEqual(session.num_workers, 3)

    def test_kinds(self):
        @tvm.register_func("tests.disco.kind", override=True)
        def kind(x):
            return x

        session = disco.ThreadedSession(num_workers=2)
        func = session.get_global_func("tests.disco.kind")
        for value in (7, 1.5, "text", String("object"), ShapeTuple([1, 2, 3])):
            made = func(value)
            for i in range(2):
                got = made.debug_get_from_remote(i)
                self.assertEqual(got, value)
                self.assertIsInstance(got, type(value))

    def test_to_the_first_and_back(self):
        session = disco.ThreadedSession(num_workers=2)
        x = np.arange(6, dtype="float32").reshape(2, 3)
        remote = session.copy_to_worker_0(tvm.nd.array(x))
        back = tvm.nd.empty((2, 3))
        session.copy_from_worker_0(back, remote)
        session.sync_worker_0()
        np.testing.assert_array_equal(back.numpy(), x)
        self.assertIsNone(remote.debug_get_from_remote(1))

    def test_values_go_when_nobody_has_them(self):
        session = disco.ThreadedSession(num_workers=2)
        made = session.empty((4,), "float32")
        number = made.number
        session.sync_worker_0()
        self.assertIn(number, session.workers[0].registers)
        del made
        session.sync_worker_0()
        self.assertNotIn(number, session.workers[0].registers)

    def test_what_fails_is_told(self):
        @tvm.register_func("tests.disco.fails", override=True)
        def fails():
            raise ValueError("no such thing")

        session = disco.ThreadedSession(num_workers=2)
        session.get_global_func("tests.disco.fails")()
        with self.assertRaisesRegex(Exception, "no such thing"):
            session.sync_worker_0()
        with self.assertRaisesRegex(ValueError, "workers 0 to 1"):
            session.worker(2)
        with self.assertRaisesRegex(TypeError, "copy_to_worker_0"):
            session.get_global_func("tests.disco.fails")(tvm.nd.empty((1,)))
        with self.assertRaisesRegex(ValueError, "groups of one size"):
            disco.ThreadedSession(num_workers=3, num_groups=2)
        with self.assertRaisesRegex(ValueError, "nccl exchanges arrays of GPUs"):
            session.init_ccl("nccl", 0, 1)
        with self.assertRaisesRegex(Exception, "workers of a tvm.runtime.disco session"):
            tvm.get_global_func("runtime.disco.worker_rank")()


class Processes(unittest.TestCase):
    """The same with workers that are processes; the functions are those that each of them has."""

    def test_values(self):
        session = disco.ProcessSession(num_workers=3)
        session.import_python_module("tvm.exec.disco_worker")
        for name, value, expected in (("add_one", 1, 2), ("add_one_float", 1.5, 2.0), ("str", "hello", "hello_suffix"),
                                      ("str_obj", String("hello"), String("hello_suffix")), ("shape_tuple", ShapeTuple([1, 2]), ShapeTuple([1, 2, 4, 5]))):
            made = session.get_global_func(f"tests.disco.{name}")(value)
            for i in range(3):
                got = made.debug_get_from_remote(i)
                self.assertEqual(got, expected)
                self.assertIsInstance(got, type(expected))
        ranks = session.get_global_func("runtime.disco.worker_rank")()
        self.assertEqual([ranks.debug_get_from_remote(i) for i in range(3)], [0, 1, 2])

    def test_they_are_processes(self):
        session = disco.ProcessSession(num_workers=2)
        session.sync_worker_0()
        session._sync_worker(1)
        process = session.workers[1]._process
        self.assertIsNone(process.poll())
        self.assertNotEqual(process.pid, os.getpid())
        session.shutdown()
        self.assertEqual(process.wait(20), 0)

    def test_exchange(self):
        rows = np.arange(8, dtype="float32").reshape(4, 2)
        session = disco.ProcessSession(num_workers=4, num_groups=2)
        src, dst, all_of = array(session, rows), session.empty((2,), "float32"), session.empty((4, 2), "float32")
        session.allreduce(src, dst)
        session.allgather(src, all_of, in_group=False)
        for i in range(4):
            np.testing.assert_array_equal(dst.debug_get_from_remote(i).numpy(), rows[i // 2 * 2: i // 2 * 2 + 2].sum(0))
            np.testing.assert_array_equal(all_of.debug_get_from_remote(i).numpy(), rows)

    def test_what_fails_is_told(self):
        session = disco.ProcessSession(num_workers=2)
        session.get_global_func("tests.disco.nobody_has_this")
        with self.assertRaisesRegex(Exception, "worker 1: .*nobody_has_this"):
            session._sync_worker(1)
        other = disco.ProcessSession(num_workers=2)
        other._sync_worker(1)
        other.workers[1]._process.kill()
        other.empty((1,), "float32")
        with self.assertRaisesRegex(RuntimeError, "the process of worker 1 has ended"):
            other._sync_worker(1)


class Together(unittest.TestCase):
    def test_allreduce(self):
        rows = np.array([[1, 2], [3, 5], [4, 2]], "float32")
        session = disco.ThreadedSession(num_workers=3)
        src, dst = array(session, rows), session.empty((2,), "float32")
        for op, expected in (("sum", rows.sum(0)), ("prod", rows.prod(0)), ("min", rows.min(0)), ("max", rows.max(0)), ("avg", rows.mean(0))):
            session.allreduce(src, dst, op)
            for i in range(3):
                np.testing.assert_allclose(dst.debug_get_from_remote(i).numpy(), expected, rtol=1e-6)
        with self.assertRaisesRegex(ValueError, "workers reduce by sum, prod, min, max, avg, not by median"):
            session.allreduce(src, dst, "median")

    def test_groups(self):
        rows = np.arange(8, dtype="int32").reshape(4, 2)
        session = disco.ThreadedSession(num_workers=4, num_groups=2)
        src, dst, all_of = array(session, rows), session.empty((2, 2), "int32"), session.empty((4, 2), "int32")
        session.allgather(src, dst)
        session.allgather(src, all_of, in_group=False)
        for i in range(4):
            np.testing.assert_array_equal(dst.debug_get_from_remote(i).numpy(), rows[i // 2 * 2: i // 2 * 2 + 2])
            np.testing.assert_array_equal(all_of.debug_get_from_remote(i).numpy(), rows)

    def test_from_and_to_the_first(self):
        rows = np.arange(6, dtype="float32").reshape(3, 2)
        session = disco.ThreadedSession(num_workers=3)
        parts = session.scatter(tvm.nd.array(rows))
        same = session.broadcast(tvm.nd.array(rows))
        for i in range(3):
            np.testing.assert_array_equal(parts.debug_get_from_remote(i).numpy(), rows[i])
            np.testing.assert_array_equal(same.debug_get_from_remote(i).numpy(), rows)
        home = session.empty((3, 2), "float32", worker0_only=True)
        session.gather_to_worker0(parts, home)
        np.testing.assert_array_equal(home.debug_get_from_remote(0).numpy(), rows)

    def test_a_compiled_program_exchanges(self):
        """R.ccl in a compiled program: each worker multiplies its part, the sum is the whole product."""

        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((4, 2), "float32"), w: R.Tensor((2, 5), "float32")):
                part = R.matmul(x, w)
                return R.ccl.allreduce(part, "sum", in_group=False)

        rng = np.random.default_rng(3)
        x, w = rng.standard_normal((4, 6)).astype("float32"), rng.standard_normal((6, 5)).astype("float32")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "part.so")
            relax.build(relax.transform.LegalizeOps()(Module), "llvm").export_library(path)
            session = disco.ThreadedSession(num_workers=3)
            vm = session.load_vm_module(path, device=tvm.cpu())
            xs = array(session, np.stack([x[:, 2 * i: 2 * i + 2] for i in range(3)]))
            ws = array(session, np.stack([w[2 * i: 2 * i + 2] for i in range(3)]))
            out = vm["main"](xs, ws)
            for i in range(3):
                np.testing.assert_allclose(out.debug_get_from_remote(i).numpy(), x @ w, rtol=1e-4, atol=1e-5)


class Nodes(unittest.TestCase):
    """Workers on other nodes: processes that know the session's port alone."""

    def session(self, per_node=2, nodes=2, groups=1, said=None):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        made = []

        def start():
            try:
                made.append(disco.SocketSession(nodes, per_node, groups, "127.0.0.1", port))
            except ValueError as error:
                made.append(error)

        thread = threading.Thread(target=start)
        thread.start()
        self.knock(port)
        others = [subprocess.Popen([sys.executable, "-m", "tvm.exec.disco_remote_socket_session", "127.0.0.1", str(port), str(said or per_node)], stderr=subprocess.PIPE)
                  for _ in range(nodes - 1)]
        thread.join(60)
        self.addCleanup(lambda: [(other.kill(), other.wait(), other.stderr.close()) for other in others])
        if isinstance(made[0], Exception):
            raise made[0]
        self.addCleanup(made[0].shutdown)
        return made[0], others

    def knock(self, port):
        """Another program connects first, and says what is no word of the protocol."""
        for _ in range(2400):
            try:
                with socket.create_connection(("127.0.0.1", port)) as sock:
                    sock.sendall(b"GET / HTTP/1.1\r\n\r\n")
                return
            except OSError:
                time.sleep(0.05)
        self.fail("nothing listens")

    def test_values_and_exchange(self):
        session, others = self.session()
        self.assertEqual(session.num_workers, 4)
        made = session.get_global_func("tests.disco.add_one")(4)
        self.assertEqual([made.debug_get_from_remote(i) for i in range(4)], [5] * 4)
        text = session.get_global_func("tests.disco.str")("hello")
        self.assertEqual(text.debug_get_from_remote(3), "hello_suffix")
        values = np.arange(24, dtype="float32").reshape(4, 2, 3)
        source, target = array(session, values), session.empty((2, 3), "float32")
        session.allreduce(source, target, "sum")
        for i in range(4):
            np.testing.assert_array_equal(target.debug_get_from_remote(i).numpy(), values.sum(0))
        session.shutdown()
        self.assertEqual([other.wait(30) for other in others], [0])

    def test_groups(self):
        session, _ = self.session(groups=2)
        values = np.arange(4, dtype="int32").reshape(4, 1)
        source, target = array(session, values), session.empty((1,), "int32")
        session.allreduce(source, target, "sum")
        self.assertEqual([int(target.debug_get_from_remote(i).numpy()[0]) for i in range(4)], [1, 1, 5, 5])

    def test_what_fails_is_told(self):
        session, others = self.session()
        session.get_global_func("there.is.no.such.function")
        with self.assertRaisesRegex(Exception, "there.is.no.such.function"):
            session._sync_worker(3)
        with self.assertRaisesRegex(ValueError, "the node at 127.0.0.1 has 3 workers"):
            self.session(said=3)
        session, others = self.session()
        others[0].kill()
        with self.assertRaisesRegex(RuntimeError, "worker 2 has ended"):
            session._sync_worker(2)

if __name__ == "__main__":
    tap.main()
