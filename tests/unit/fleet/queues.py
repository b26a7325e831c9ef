"""A queue for tests: a Redis of its own on a socket in a temporary folder, machines and searches."""
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import unittest

BUILD = os.environ["LS_BUILD_ROOT"]
CLI = os.path.join(BUILD, "app/cli/loopscope-cli")
MEASURE = os.path.join(BUILD, "app/measure/loopscope-measure")
CLOCK = os.environ["LS_TEST_CLOCK_LIBRARY"]
PYTHON = os.environ.get("LS_TEST_PYTHON", "/usr/bin/python3")
PROGRAM = '''# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32"), C: T.Buffer((32, 32), "float32")):
        for i, j, k in T.grid(32, 32, 32):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
'''


class Redis:
    """The protocol, as far as it is needed."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def __call__(self, *words):
        data = b"*%d\r\n" % len(words)
        for word in words:
            word = word if isinstance(word, bytes) else str(word).encode()
            data += b"$%d\r\n%s\r\n" % (len(word), word)
        self.socket.sendall(data)
        return self.read()

    def read(self):
        line = self.file.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise RuntimeError(rest.decode())
        if kind == b"+":
            return rest.decode()
        if kind == b":":
            return int(rest)
        n = int(rest)
        if kind == b"$":
            return None if n < 0 else self.file.read(n + 2)[:-2].decode()
        return None if n < 0 else [self.read() for _ in range(n)]


class House(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="fleet-")
        self.socket = os.path.join(self.folder, "redis.sock")
        self.url = "unix://" + self.socket
        self.program = self.write("program.py", PROGRAM)
        self.clock = self.write("clock", "")
        with open(self.clock, "wb") as file:
            file.write(struct.pack("q", 0))
        self.running = []
        self.shim = False

    def tearDown(self):
        for process in self.running:
            if process.poll() is None:
                process.kill()
            process.communicate()
        shutil.rmtree(self.folder)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def move_clock(self, seconds):
        with open(self.clock, "r+b") as file:
            file.write(struct.pack("q", seconds))

    def start(self, *command, **options):
        env = dict(os.environ)
        if self.shim:
            env |= {"LD_PRELOAD": CLOCK, "LS_TEST_CLOCK": self.clock}
        process = subprocess.Popen(command, env=env, text=True, **options)
        self.running.append(process)
        return process

    def redis(self, *options, **more):
        server = self.start("redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self.folder, "--save", "", *options, stdout=subprocess.DEVNULL, **more)
        for _ in range(1200):
            try:
                return server, Redis(self.socket)
            except OSError:
                time.sleep(0.05)
        self.fail("redis-server did not begin to listen")

    def machine(self, name, *options, **more):
        log = open(os.path.join(self.folder, name + ".log"), "w", encoding="utf-8")
        with log:
            return self.start(MEASURE, "--queue", self.url, "--name", name, "--lease", "2", *options, stderr=log, **more)

    def log(self, name):
        with open(os.path.join(self.folder, name + ".log"), encoding="utf-8") as file:
            return file.read()

    def search(self, trials, *options, database="db", seed=1, budget=60, program=None):
        return self.start(CLI, "search", program or self.program, "--space", "post-order", "--queue", self.url, "--trials", str(trials), "--seed", str(seed),
                          "--budget-ms", str(budget), "--database", os.path.join(self.folder, database), "--json", *options, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, search, timeout=300):
        out, err = search.communicate(timeout=timeout)
        self.assertEqual(search.returncode, 0, err)
        return json.loads(out), err

    def records(self, database="db"):
        path = os.path.join(self.folder, database, "database_tuning_record.json")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()

    def told(self, search, words):
        """What a search says until it has said that."""
        said = ""
        while not re.search(words, said):
            line = search.stderr.readline()
            self.assertTrue(line, f"it does not say {words}: {said}")
            said += line
        return said

    def machines(self, redis, n):
        self.wait(lambda: redis("SCARD", "loopscope:machines") == n, f"{n} machines are there")

    def wait(self, what, said, seconds=120):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if what():
                return
            time.sleep(0.05)
        self.fail(f"not within {seconds} s: {said}")

    def once_each(self, answer, database="db"):
        """Every program has one record, and what the search counted is what there is."""
        records = self.records(database)
        traces = [json.dumps(json.loads(line)[1][0]) for line in records]
        self.assertEqual(len(traces), len(set(traces)), "a program is recorded twice")
        for line in records:
            self.assertEqual(json.loads(line)[1][2]["tag"], "kind/" + answer["kind"])
        good = [c for c in answer["candidates"] if c["equal"]]
        self.assertEqual(len(records), len(answer["candidates"]))
        self.assertEqual(len(good), answer["measured"] + answer["remembered"], answer)

    def nothing_left(self, redis):
        for key in redis("KEYS", "loopscope:*"):
            self.assertFalse(key.startswith(("loopscope:run:", "loopscope:results:")), key)
        for key in redis("KEYS", "loopscope:jobs:*"):
            self.assertEqual(redis("XLEN", key), 0)
