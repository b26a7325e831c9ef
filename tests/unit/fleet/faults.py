"""A queue with real machines and searches, each with a Redis of its own on a socket in a temporary folder; and what happens when a part is killed,
lies, is full, or has its clock moved: nothing measured is lost, nothing is counted twice, and the search goes on or says why not."""
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["LS_SOURCE_ROOT"], "tests", "python"))
import tap  # noqa: E402

from queues import BUILD, CLI, MEASURE, PROGRAM, PYTHON, House, Redis  # noqa: E402

ENDLESS = PROGRAM.replace("T.grid(32, 32, 32)", "T.grid(32, 32, 1073741824)").replace("A[vi, vk] * B[vk, vj]", "A[vi, vk % 32] * B[vk % 32, vj]")


@unittest.skipUnless(shutil.which("redis-server"), "redis-server is not installed")
class Queue(House):
    # ---- as it is meant -------------------------------------------------------------

    def test_two_machines(self):
        _, redis = self.redis()
        machines = [self.machine("one"), self.machine("two")]
        self.machines(redis, 2)
        answer, _ = self.finish(self.search(16))
        self.assertEqual(answer["trials"], 16)
        self.once_each(answer)
        self.assertEqual({c["machine"] for c in answer["candidates"] if "machine" in c}, {"one", "two"})
        self.assertGreater(answer["unscheduled"]["median"], 0)
        self.nothing_left(redis)
        listed = json.loads(subprocess.run([CLI, "fleet", "--queue", self.url, "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout)
        self.assertEqual([m["name"] for m in listed["machines"]], ["one", "two"])
        self.assertEqual([m["doing"] for m in listed["machines"]], ["waiting", "waiting"])
        self.assertEqual(sum(m["measured"] for m in listed["machines"]), answer["measured"] + 1)
        for machine in machines:
            machine.terminate()
            self.assertEqual(machine.wait(60), 0)
        self.assertEqual(redis("SMEMBERS", "loopscope:machines"), [])

    def test_kinds_are_kept_apart(self):
        self.redis()
        self.machine("a1", "--kind", "a")
        self.machine("b1", "--kind", "b")
        first, _ = self.finish(self.search(8, "--kind", "a"))
        self.assertEqual({c["machine"] for c in first["candidates"]}, {"a1"})
        second, _ = self.finish(self.search(8, "--kind", "b"))
        self.assertEqual(second["remembered"], 0)
        self.assertEqual({c["machine"] for c in second["candidates"]}, {"b1"})
        third, _ = self.finish(self.search(8, "--kind", "a"))
        self.assertEqual(third["remembered"], first["measured"])
        self.assertEqual(len(self.records()), first["measured"] + second["measured"])

    def test_no_machine_is_said(self):
        self.redis()
        search = self.search(4)
        self.told(search, "No machine takes jobs from unix://")
        self.assertIsNone(search.poll())
        search.send_signal(signal.SIGINT)
        search.communicate(timeout=120)

    # ---- who asks ---------------------------------------------------------------------

    def test_credentials(self):
        # The rule of loopscope-measure --help.
        acl = self.write("users.acl", "user default off\nuser measure on >s3cret resetkeys ~loopscope:* -@all +@read +@write +@connection +@scripting\n")
        server = self.start("redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", self.folder, "--save", "", "--aclfile", acl, stdout=subprocess.DEVNULL)
        self.wait(lambda: os.path.exists(self.socket), "redis listens")
        self.assertIsNone(server.poll())
        auth = self.write("auth", "measure s3cret\n")
        refused = subprocess.run([CLI, "fleet", "--queue", self.url, "--auth", auth], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("chmod 600", refused.stderr)
        os.chmod(auth, 0o600)
        wrong = subprocess.run([CLI, "fleet", "--queue", f"unix://measure:wr0ng@{self.socket}"], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("WRONGPASS", wrong.stderr)
        self.assertNotIn("wr0ng", wrong.stderr)
        nobody = subprocess.run([CLI, "fleet", "--queue", self.url], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(nobody.returncode, 1)
        self.assertIn("NOAUTH", nobody.stderr)
        self.machine("one", "--auth", auth)
        search = self.search(6, "--auth", auth)
        answer, err = self.finish(search)
        self.assertEqual(answer["trials"], 6)
        for text in (err, self.log("one"), json.dumps(answer)):
            self.assertNotIn("s3cret", text)

    def tcp(self):
        """A redis-server with users, on a local port; the port. Skips where there is none to be had."""
        acl = self.write("tcp.acl", "user default on >d3fault resetkeys ~loopscope:* -@all +@read +@write +@connection +@scripting\n"
                         "user measure on >s3cret resetkeys ~loopscope:* -@all +@read +@write +@connection +@scripting\n"
                         "user reader on >r3ader resetkeys ~loopscope:* -@all +@read +@connection\n"
                         "user stranger on >str4nge resetkeys ~other:* -@all +@read +@write +@connection +@scripting\n")
        for _ in range(5):
            try:
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", 0))
                    port = probe.getsockname()[1]
            except OSError as error:
                self.skipTest(f"no local port: {error}")
            server = self.start("redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", self.folder, "--save", "", "--aclfile", acl, stdout=subprocess.DEVNULL)
            for _ in range(1200):
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                except OSError:
                    time.sleep(0.05)
                    continue
                if server.poll() is None:
                    return port
            server.kill()
        self.skipTest("redis-server listens on no local port here")
        return 0

    def look(self, url):
        done = subprocess.run([CLI, "fleet", "--queue", url, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def said_by_search(self, url, words, database):
        """A search that may not do what it has to says so and waits; nothing is recorded, and no password is said."""
        self.url = url
        search = self.search(4, database=database)
        said = self.told(search, words)
        time.sleep(1)
        self.assertIsNone(search.poll(), "it waits for the right")
        search.send_signal(signal.SIGINT)
        err = said + search.communicate(timeout=120)[1]
        for secret in ("s3cret", "r3ader", "str4nge", "wr0ng"):
            self.assertNotIn(secret, err)
        self.assertEqual(self.records(database), [])

    def test_tcp_with_password_and_users(self):
        """Over TCP: the right user measures; a wrong password, nobody, and users without the right are told so, and touch nothing."""
        place = f"127.0.0.1:{self.tcp()}"
        good = f"redis://measure:s3cret@{place}"
        status, _, err = self.look(f"redis://measure:wr0ng@{place}")
        self.assertEqual((status, "WRONGPASS" in err, "wr0ng" in err), (1, True, False), err)
        status, _, err = self.look(f"redis://{place}")
        self.assertEqual((status, "NOAUTH" in err), (1, True), err)
        self.url = f"redis://measure:wr0ng@{place}"
        refused = self.machine("refused")
        self.wait(lambda: "WRONGPASS" in self.log("refused"), "a machine with a wrong password says so")
        self.assertNotIn("wr0ng", self.log("refused"))
        self.assertIsNone(refused.poll(), "and tries again")
        self.url = good
        self.machine("one")
        self.wait(lambda: '"one"' in self.look(good)[1], "the machine is listed")
        answer, err = self.finish(self.search(6))
        self.assertEqual(answer["trials"], 6)
        self.once_each(answer)
        self.assertEqual({c["machine"] for c in answer["candidates"]}, {"one"})
        for text in (err, self.log("one"), json.dumps(answer)):
            self.assertNotIn("s3cret", text)
        # The user that has a password and no name.
        self.url = f"redis://:d3fault@{place}"
        again, _ = self.finish(self.search(7))
        self.assertEqual(again["remembered"], 6)
        self.said_by_search(f"redis://measure:wr0ng@{place}", "WRONGPASS", "wrong")
        self.said_by_search(f"redis://reader:r3ader@{place}", "NOPERM|permission", "reader")
        self.said_by_search(f"redis://stranger:str4nge@{place}", "NOPERM|permission", "stranger")

    @staticmethod
    def command_line(process):
        with open(f"/proc/{process.pid}/cmdline", encoding="utf-8") as file:
            return file.read()

    def test_password_is_not_on_the_command_line(self):
        _, redis = self.redis("--requirepass", "s3cret")
        del redis
        machine = self.start(MEASURE, "--queue", "redis://me:s3cret@localhost:1", stderr=subprocess.PIPE)
        search = self.start(CLI, "search", self.program, "--space", "post-order", "--queue=redis://me:s3cret@localhost:1", stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        for process in (machine, search):
            self.wait(lambda p=process: "xxxxxx" in self.command_line(p), "the password is overwritten")
            self.assertNotIn("s3cret", self.command_line(process))

    # ---- faults -------------------------------------------------------------------------

    def killed_in_the_middle(self, who, after=4, trials=20):
        """Starts a search, and calls `who` once some programs are recorded."""
        search = self.search(trials)
        self.wait(lambda: len(self.records()) >= after, "some records")
        who()
        return search

    def test_a_machine_is_killed(self):
        _, redis = self.redis()
        victim = self.machine("victim")
        self.machines(redis, 1)

        def kill():
            self.wait(lambda: '"measuring"' in (redis("GET", "loopscope:machine:victim") or ""), "it measures")
            victim.send_signal(signal.SIGKILL)
            self.machine("heir")

        answer, _ = self.finish(self.killed_in_the_middle(kill))
        self.assertEqual(answer["trials"], 20)
        self.once_each(answer)
        self.nothing_left(redis)
        self.assertIn("heir", {c["machine"] for c in answer["candidates"] if "machine" in c})

    def test_redis_is_killed_and_forgets_all(self):
        server, redis = self.redis()
        self.machine("one")

        def kill():
            server.kill()
            server.wait()
            time.sleep(1)
            os.unlink(self.socket)
            self.redis()

        answer, err = self.finish(self.killed_in_the_middle(kill))
        self.assertEqual(answer["trials"], 20)
        self.once_each(answer)
        self.assertIn("trying again", err)
        self.nothing_left(Redis(self.socket))

    def test_redis_is_killed_and_remembers(self):
        options = ("--appendonly", "yes", "--appendfsync", "always")
        server, redis = self.redis(*options)
        self.machine("one")

        def kill():
            server.kill()
            server.wait()
            time.sleep(1)
            os.unlink(self.socket)
            self.redis(*options)

        answer, _ = self.finish(self.killed_in_the_middle(kill))
        self.assertEqual(answer["trials"], 20)
        self.once_each(answer)
        self.nothing_left(Redis(self.socket))

    def test_the_search_is_killed(self):
        _, redis = self.redis()
        self.machine("one")
        search = self.killed_in_the_middle(lambda: None)
        search.send_signal(signal.SIGKILL)
        search.wait()
        # What it had put in is measured without it.
        self.wait(lambda: all(redis("XLEN", key) == 0 for key in redis("KEYS", "loopscope:jobs:*")), "the jobs are done")
        waiting = sum(redis("XLEN", key) for key in redis("KEYS", "loopscope:results:*"))
        self.assertGreater(waiting, 0)
        before = len(self.records())
        answer, _ = self.finish(self.search(20))
        self.assertEqual(answer["trials"], 20)
        # What waited is not measured again, and what was recorded and not settled counts once: the machine did each program once, and the
        # unscheduled one once for each of the two searches.
        self.assertGreaterEqual(answer["remembered"], max(before, waiting))
        self.wait(lambda: json.loads(redis("GET", "loopscope:machine:one") or "{}").get("done") == len(self.records()) + 2,
                  f"one measurement for each of {len(self.records())} records, and two: {redis('GET', 'loopscope:machine:one')}")
        self.once_each(answer)
        self.nothing_left(redis)

    def test_two_searches(self):
        _, redis = self.redis()
        self.machine("one")
        self.machine("two")
        searches = [self.search(14, database="left", seed=1), self.search(14, database="right", seed=2)]
        for search, database in zip(searches, ("left", "right")):
            answer, _ = self.finish(search)
            self.assertEqual(answer["trials"], 14)
            self.assertEqual(answer["remembered"], 0)
            self.once_each(answer, database)
        self.nothing_left(redis)

    def test_two_searches_in_one_folder(self):
        self.redis()
        self.machine("one")
        searches = [self.search(10, seed=1), self.search(10, seed=2)]
        answers = [self.finish(search)[0] for search in searches]
        for answer in answers:
            self.assertEqual(answer["trials"], 10)
        for line in self.records():
            json.loads(line)
        self.once_in_all(answers)

    def once_in_all(self, answers):
        """No program has two records, and each record is one measurement of one of the searches."""
        traces = [json.dumps(json.loads(line)[1][0]) for line in self.records()]
        self.assertEqual(len(traces), len(set(traces)), "a program is recorded twice")
        self.assertEqual(len(traces), sum(a["measured"] - a["recorded-elsewhere"] for a in answers), answers)
        for answer in answers:
            self.assertEqual(answer["measured"] + answer["remembered"], len([c for c in answer["candidates"] if c["equal"]]))
            self.assertEqual(len(answer["candidates"]), answer["programs"])

    def test_two_searches_of_the_same_programs(self):
        """Both draw the same: what the other one has measured is taken from it, and what both were measuring has one record."""
        self.redis()
        self.machine("one")
        self.machine("two")
        searches = [self.search(12, seed=1), self.search(12, seed=1)]
        answers = [self.finish(search)[0] for search in searches]
        self.once_in_all(answers)
        # The records of both are the trials of either.
        again, _ = self.finish(self.search(12, seed=1))
        self.assertEqual(again["remembered"], len(self.records()))
        # And here, without a queue.
        local = [self.start(CLI, "search", self.program, "--space", "post-order", "--trials", "10", "--seed", "3", "--budget-ms", "60", "--database",
                            os.path.join(self.folder, "here"), "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
        answers = [self.finish(search)[0] for search in local]
        traces = [json.dumps(json.loads(line)[1][0]) for line in self.records("here")]
        self.assertEqual(len(traces), len(set(traces)), "a program is recorded twice")
        self.assertEqual(len(traces), sum(a["measured"] - a["recorded-elsewhere"] for a in answers), answers)

    def python(self, text):
        """Runs a script of meta_schedule's with this build's tvm; what it said."""
        path = subprocess.run([CLI, "python-path"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        env = dict(os.environ, PYTHONPATH=path, LS_CLI=CLI, LS_BUILD_ROOT=BUILD)
        script = self.write("script.py", "import sys\nimport tvm\nfrom tvm import meta_schedule as ms\nfrom tvm.script import ir as I, tir as T\n"
                            + PROGRAM.split("\n\n", 1)[1] + text)
        done = subprocess.run([PYTHON, script], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_rpc_runner(self):
        """meta_schedule's RPCRunner measures on the machines, and says what to do where a tracker is named."""
        _, redis = self.redis()
        self.machine("one", "--kind", "here")
        out = self.python(f"""
runner = ms.runner.RPCRunner(ms.runner.RPCConfig(tracker_host="{self.url}", tracker_key="here", session_timeout_sec=30), ms.runner.EvaluatorConfig(repeat=1, min_repeat_ms=20))
database = ms.tune_tir(Module, "llvm -num-cores 1", "{self.folder}/py", 6, num_trials_per_iter=6, runner=runner, seed=1)
records = database.get_all_tuning_records()
print(len(records), sum(bool(r.run_secs) and 0 < r.run_secs[0] < 1 for r in records))
bad = ms.runner.RPCRunner(ms.runner.RPCConfig("somewhere.example", 9190, "key"))
path = ms.builder.LocalBuilder().build([ms.builder.BuilderInput(Module, tvm.target.Target("llvm"))])[0].artifact_path
one = ms.runner.RunnerInput(path, "llvm", ms.arg_info.ArgInfo.from_prim_func(Module["main"]))
print(bad.run([one])[0].result().error_msg)
none = ms.runner.RPCRunner(ms.runner.RPCConfig("{self.url}", None, "nobody", session_timeout_sec=2))
print(none.run([one])[0].result().error_msg)
""")
        lines = out.splitlines()
        n, timed = map(int, lines[0].split())
        self.assertGreaterEqual(n, 4, out)
        self.assertEqual(n, timed, out)
        self.assertGreaterEqual(json.loads(redis("GET", "loopscope:machine:one"))["done"], n)
        self.assertIn("loopscope-measure --queue redis://HOST", out)
        self.assertRegex(lines[-1], "^RPCRunner: No machine of the kind nobody|^RPCRunner: .*nobody")
        self.nothing_left(redis)

    def test_a_poisoned_job(self):
        _, redis = self.redis()
        redis("HSET", "loopscope:run:poison", "base", ENDLESS)
        entry = redis("XADD", "loopscope:jobs:k", "*", "run", "poison", "id", "p1", "module", ENDLESS, "timeout-ms", "700")
        redis("HSET", "loopscope:run:poison", "j:p1", entry)
        # And what is no job at all.
        redis("XADD", "loopscope:jobs:k", "*", "nothing", "known")
        redis("XADD", "loopscope:jobs:k", "*", b"\xff\xfe", b"\xff", "run", b"\xff", "id", "x")
        entry = redis("XADD", "loopscope:jobs:k", "*", "run", "wrong", "id", "p2", "module", "this is no program", "budget-ms", "many")
        redis("HSET", "loopscope:run:wrong", "base", PROGRAM, "j:p2", entry)
        self.machine("one", "--kind", "k")
        answer, _ = self.finish(self.search(6))
        self.assertEqual(answer["trials"], 6)
        self.wait(lambda: redis("XLEN", "loopscope:results:poison") + redis("XLEN", "loopscope:results:wrong") == 2, "both have a result")
        results = {fields[fields.index("id") + 1]: fields for run in ("poison", "wrong") for _, fields in redis("XRANGE", "loopscope:results:" + run, "-", "+")}
        reason = results["p1"][results["p1"].index("error") + 1]
        self.assertRegex(reason, "^put aside, it ended 2 workers: ")
        self.assertIn("module:1:12: error[script/expected-token]", results["p2"][results["p2"].index("error") + 1])
        listed = json.loads(subprocess.run([CLI, "fleet", "--queue", self.url, "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout)
        self.assertEqual(listed["put-aside"], [f"p1 of poison: {reason}"])
        self.assertEqual(listed["machines"][0]["workers-lost"], 2)
        self.assertEqual(redis("XLEN", "loopscope:jobs:k"), 0)

    def test_the_disk_of_redis_is_full(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        server, redis = self.redis("--appendonly", "yes", "--appendfsync", "always", preexec_fn=limit)
        self.machine("one")
        sizes = []

        def fill():
            size = max(os.path.getsize(os.path.join(root, name)) for root, _, names in os.walk(self.folder) for name in names if name.endswith(".aof"))
            sizes.append(size)
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size + 10, resource.RLIM_INFINITY))

        search = self.killed_in_the_middle(fill)
        self.told(search, "MISCONF|trying again")
        self.assertIsNone(search.poll())
        known = len(self.records())
        time.sleep(2)
        self.assertEqual(len(self.records()), known, "nothing goes on while nothing can be written")
        if server.poll() is None:
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        else:
            # With appendfsync always Redis ends when it cannot keep what it promised; it begins again when there is room.
            os.unlink(self.socket)
            self.redis("--appendonly", "yes", "--appendfsync", "always")
        answer, _ = self.finish(search)
        self.assertEqual(answer["trials"], 20)
        self.once_each(answer)

    def test_redis_has_no_memory(self):
        _, redis = self.redis()
        self.machine("one")
        search = self.killed_in_the_middle(lambda: redis("CONFIG", "SET", "maxmemory", "1"))
        said = self.told(search, "refuses: ")
        self.wait(lambda: "OOM" in said + self.log("one"), "it is said why")
        self.assertIsNone(search.poll())
        redis("CONFIG", "SET", "maxmemory", "0")
        answer, _ = self.finish(search)
        self.assertEqual(answer["trials"], 20)
        self.once_each(answer)

    def test_the_disk_of_the_search_is_full(self):
        self.redis()
        self.machine("one")
        path = os.path.join(self.folder, "db", "database_tuning_record.json")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        search = self.start(CLI, "search", self.program, "--space", "post-order", "--queue", self.url, "--trials", "12", "--budget-ms", "60",
                            "--database", os.path.join(self.folder, "db"), "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit)
        self.wait(lambda: len(self.records()) >= 3, "some records")
        resource.prlimit(search.pid, resource.RLIMIT_FSIZE, (os.path.getsize(path) + 20, resource.RLIM_INFINITY))
        out, err = search.communicate(timeout=300)
        self.assertIn("cannot be written", err)
        kept = len(self.records())
        self.assertLess(kept, json.loads(out)["measured"])
        # What could not be kept waits in the queue for the next one.
        again, _ = self.finish(self.search(12))
        self.assertGreater(again["remembered"], kept)
        self.assertEqual(again["measured"] + again["remembered"], 12)
        self.once_each(again)

    def test_clocks_jump(self):
        self.shim = True
        _, redis = self.redis()
        before = int(redis("TIME")[0])
        self.machine("one")
        self.machine("two")
        search = self.search(24)
        self.wait(lambda: len(self.records()) >= 4, "some records")
        self.move_clock(3600 * 24 * 365 * 10)
        self.assertGreater(int(redis("TIME")[0]), before + 3600 * 24 * 365 * 9, "the clock of Redis moves")
        self.wait(lambda: len(self.records()) >= 10 or search.poll() is not None, "it goes on in ten years")
        self.move_clock(-3600 * 24)
        answer, _ = self.finish(search)
        self.assertEqual(answer["trials"], 24)
        self.once_each(answer)
        self.nothing_left(redis)

    def test_a_machine_dies_and_the_clock_goes_back(self):
        """Redis' idle times do not grow then: the search's own clock has to notice."""
        self.shim = True
        _, redis = self.redis()
        victim = self.machine("victim")

        def kill():
            self.wait(lambda: '"measuring"' in (redis("GET", "loopscope:machine:victim") or ""), "it measures")
            victim.send_signal(signal.SIGKILL)
            self.move_clock(-3600 * 24)
            self.machine("heir")

        answer, _ = self.finish(self.killed_in_the_middle(kill))
        self.assertEqual(answer["trials"], 20)
        self.once_each(answer)


if __name__ == "__main__":
    tap.main()
