"""Ctrl+C in the middle of the engine's long work: a build, a search, a pause between samples.  Each is done in a process of its own, which
says when it begins, when it was interrupted, and that work goes on afterwards.  Undisturbed each would say that it is done, after a long time."""
import signal
import subprocess
import sys
import textwrap
import time
import unittest

import tap

PREPARE = '''
import os, signal, sys, tempfile, time
import numpy as np
import tvm
from tvm import meta_schedule as ms, relax, te
from tvm.script import relax as R

def layers(n):
    bb, x = relax.BlockBuilder(), relax.Var("x", R.Tensor((8, 64), "float32"))
    with bb.function("main", [x]):
        with bb.dataflow():
            v = x
            for i in range(n):
                v = bb.emit(relax.op.nn.softmax(relax.op.matmul(v, relax.const(np.ones((64 + i, 65 + i), "float32")))))
            g = bb.emit_output(v)
        bb.emit_func_output(g)
    return bb.get()

def product(n):
    A, B, k = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B"), te.reduce_axis((0, n), name="k")
    C = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    return tvm.IRModule({"main": te.create_prim_func([A, B, C]).with_attr("global_symbol", "main")})
'''

RUN = '''
try:
    print("begins", flush=True)
    work()
    print("done", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    after()
    print("goes on", flush=True)
os._exit(0)
'''


def program(body):
    return PREPARE + textwrap.dedent(body) + RUN


class Interrupts(unittest.TestCase):
    def interrupted(self, body, wait):
        """Starts a program, sends SIGINT `wait` seconds after it begins."""
        child = subprocess.Popen([sys.executable, "-c", program(body)], stdout=subprocess.PIPE, text=True)
        try:
            self.assertEqual(child.stdout.readline(), "begins\n")
            time.sleep(wait)
            child.send_signal(signal.SIGINT)
            self.assertEqual(child.stdout.readline(), "interrupted\n")
            self.assertEqual(child.stdout.readline(), "goes on\n")
        finally:
            child.kill()
            child.wait()
            child.stdout.close()

    def test_build(self):
        self.interrupted('''
            mod = layers(400)
            def work():
                tvm.compile(mod, target="llvm")
            def after():
                f = tvm.build(product(4), target="llvm")
                args = [tvm.nd.array(np.ones((4, 4), "float32")) for _ in range(3)]
                f(*args)
                assert args[2].numpy()[0, 0] == 4
        ''', 1.0)

    def test_search(self):
        self.interrupted('''
            folder = tempfile.TemporaryDirectory()
            mod = product(64)
            def work():
                ms.tune_tir(mod=mod, target="llvm --num-cores=1", max_trials_global=4000, num_trials_per_iter=4, work_dir=folder.name)
            def after():
                ms.tune_tir(mod=mod, target="llvm --num-cores=1", max_trials_global=1, num_trials_per_iter=1, work_dir=folder.name, strategy="replay-trace")
                folder.cleanup()
        ''', 2.0)

    def test_pause(self):
        self.interrupted('''
            f = tvm.build(product(4), target="llvm")
            args = [tvm.nd.array(np.ones((4, 4), "float32")) for _ in range(3)]
            def work():
                f.time_evaluator("main", tvm.cpu(), number=1, repeat=3, cooldown_interval_ms=600000)(*args)
            def after():
                f(*args)
        ''', 0.5)

    def test_exit(self):
        """A process that ends while a build that nobody waits for goes on."""
        body = program('''
            mod = layers(400)
            def work():
                tvm.compile(mod, target="llvm")
            def after():
                sys.exit(3)
        ''')
        child = subprocess.Popen([sys.executable, "-c", body], stdout=subprocess.PIPE, text=True)
        try:
            child.stdout.readline()
            time.sleep(1.0)
            child.send_signal(signal.SIGINT)
            self.assertEqual(child.stdout.readline(), "interrupted\n")
            self.assertEqual(child.wait(60), 3)
        finally:
            child.kill()
            child.wait()
            child.stdout.close()


if __name__ == "__main__":
    tap.main()
