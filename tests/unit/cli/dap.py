"""An editor that speaks the Debug Adapter Protocol with loopscope-cli debug --dap: every request that it answers, over pipes."""
import json
import os
import subprocess
import sys
import tempfile
import time

CLI = os.path.join(os.environ.get("LS_BUILD_ROOT", "build"), "app", "cli", "loopscope-cli")

PROGRAM = '''# a product, written with lines of its own
from tvm.script import ir as I, tir as T


@I.ir_module
class Module:

    @T.prim_func
    def main(A: T.Buffer((4, 6)),
             B: T.Buffer((6, 5)),
             C: T.Buffer((4, 5))):

        for i, j, k in T.grid(4, 5, 6):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)

                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
'''
UPDATE = PROGRAM.split("\n").index("                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]") + 1


class Client:
    def __init__(self):
        self.process = subprocess.Popen([CLI, "debug", "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.seq = 0
        self.events = []

    def read(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("the adapter is gone")
            if line == b"\r\n":
                break
            name, value = line.decode().split(":", 1)
            if name.lower() == "content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def write(self, command, **arguments):
        self.seq += 1
        body = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return self.seq

    def answer(self, seq):
        while True:
            message = self.read()
            if message["type"] == "event":
                self.events.append(message)
            elif message["request_seq"] == seq:
                return message

    def ask(self, command, **arguments):
        answer = self.answer(self.write(command, **arguments))
        assert answer["success"], answer
        assert answer["command"] == command
        return answer.get("body", {})

    def wait(self, name):
        while True:
            for event in self.events:
                if event["event"] == name:
                    self.events.remove(event)
                    return event.get("body", {})
            message = self.read()
            assert message["type"] == "event", message
            self.events.append(message)

    def stop(self, command, **arguments):
        """A request that moves, and why and where it stops."""
        self.ask(command, **arguments)
        reason = self.wait("stopped")["reason"]
        return reason, self.line()

    def line(self):
        return self.ask("stackTrace", threadId=1)["stackFrames"][0]["line"]

    def variables(self, scope):
        scopes = self.ask("scopes", frameId=1)["scopes"]
        ref = next(s["variablesReference"] for s in scopes if s["name"] == scope)
        return {v["name"]: v for v in self.ask("variables", variablesReference=ref)["variables"]}

    def value(self, expression):
        return float(self.ask("evaluate", expression=expression, frameId=1)["result"])


def launched(folder, text=PROGRAM, stop=True, **more):
    path = os.path.join(folder, "program.py")
    with open(path, "w") as f:
        f.write(text)
    client = Client()
    can = client.ask("initialize", adapterID="loopscope")
    assert can["supportsStepBack"] and can["supportsConditionalBreakpoints"]
    client.ask("launch", program=path, stopOnEntry=stop, **more)
    client.wait("initialized")
    return client


def leave(client):
    client.ask("disconnect")
    client.process.stdin.close()
    assert client.process.wait(20) == 0


def test_steps(folder):
    client = launched(folder)
    assert client.stop("configurationDone")[0] == "entry"
    assert client.ask("threads")["threads"][0]["id"] == 1
    seen = []
    for _ in range(6):
        seen.append(client.stop("stepIn", threadId=1)[1])
    assert seen[-1] == UPDATE, seen
    frames = client.ask("stackTrace", threadId=1)["stackFrames"]
    assert [f["name"] for f in frames][0] == "write of C" and any("for k, round 1 of 6" == f["name"] for f in frames), frames
    assert frames[0]["source"]["path"].endswith("program.py")
    numbers = client.variables("Variables")
    assert {n: v["value"] for n, v in numbers.items()} == {"i": "0", "j": "0", "k": "0", "vi": "0", "vj": "0", "vk": "0"}, numbers
    whole = client.variables("Statement")
    product = whole["A[vi, vk] * B[vk, vj]"]["value"]
    assert abs(float(product) - client.value("A[0, 0] * B[0, 0]")) < 1e-7
    # over the rest of the block, into the next round; out of the loop k; back again
    assert client.stop("next", threadId=1)[0] == "step"
    assert client.value("k") == 1
    client.stop("stepOut", threadId=1)
    assert client.value("j") == 1
    assert abs(client.value("C[0, 0]") - sum(client.value("A[0, %d] * B[%d, 0]" % (k, k)) for k in range(6))) < 1e-5
    client.stop("stepBack", threadId=1)             # over the whole loop k, to where its sum had not begun
    assert client.value("j") == 0 and client.ask("evaluate", expression="C[0, 0]", frameId=1)["result"] == "0, not written yet"
    leave(client)


def test_breakpoints(folder):
    client = launched(folder, stop=False)
    path = os.path.join(folder, "program.py")
    found = client.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": UPDATE, "condition": "i == 2 and k > 3"}, {"line": 4000}])["breakpoints"]
    assert found[0]["verified"] and found[0]["line"] == UPDATE and not found[1]["verified"] and found[1]["message"]
    bad = client.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": UPDATE, "condition": "i == nothing"}])["breakpoints"]
    assert not bad[0]["verified"] and "nothing" in bad[0]["message"]
    client.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": UPDATE, "condition": "i == 2 and k > 3"}])
    client.ask("setExceptionBreakpoints", filters=[])
    assert client.stop("configurationDone") == ("breakpoint", UPDATE)
    places = [(client.value("i"), client.value("j"), client.value("k"))]
    for _ in range(3):
        assert client.stop("continue", threadId=1) == ("breakpoint", UPDATE)
        places.append((client.value("i"), client.value("j"), client.value("k")))
    assert places == [(2, 0, 4), (2, 0, 5), (2, 1, 4), (2, 1, 5)], places
    assert client.stop("reverseContinue", threadId=1) == ("breakpoint", UPDATE)
    assert (client.value("j"), client.value("k")) == (1, 4)
    buffers = client.variables("Buffers")
    assert set(buffers) == {"A", "B", "C"}
    rows = client.ask("variables", variablesReference=buffers["C"]["variablesReference"])["variables"]
    assert len(rows) == 4
    row = client.ask("variables", variablesReference=rows[2]["variablesReference"], start=0, count=3)["variables"]
    assert [v["name"] for v in row] == ["[0]", "[1]", "[2]"] and "not written" in row[2]["value"] and "not written" not in row[0]["value"]
    assert row[1]["evaluateName"] == "C[2, 1]" and abs(float(row[1]["value"]) - client.value("C[2, 1]")) < 1e-6
    client.ask("setBreakpoints", source={"path": path}, breakpoints=[])
    assert client.stop("reverseContinue", threadId=1)[0] == "step"
    # a write of one element
    known = client.ask("dataBreakpointInfo", name="C[3, 4]")
    assert known["dataId"] == "C[3, 4]"
    assert client.ask("dataBreakpointInfo", name="D[0]")["dataId"] is None
    assert client.ask("setDataBreakpoints", breakpoints=[{"dataId": "C[3, 4]", "accessType": "write"}])["breakpoints"][0]["verified"]
    assert client.stop("continue", threadId=1)[0] == "data breakpoint"
    assert (client.value("i"), client.value("j"), client.value("k")) == (3, 4, 0)
    client.ask("setDataBreakpoints", breakpoints=[])
    # to the end, a step back from there, and off it
    client.ask("continue", threadId=1)
    assert client.wait("stopped")["reason"] == "step"
    assert client.stop("stepBack", threadId=1)[0] == "step"
    client.ask("continue", threadId=1)
    client.wait("stopped")
    client.ask("continue", threadId=1)
    client.wait("terminated")
    leave(client)


def test_nan(folder):
    text = PROGRAM.replace("A[vi, vk] * B[vk, vj]", "T.log(A[vi, vk] - T.float32(2)) * B[vk, vj]")
    client = launched(folder, text, stop=False)
    client.ask("setExceptionBreakpoints", filters=["nan"])
    reason, line = client.stop("configurationDone")
    assert reason == "exception" and line == UPDATE, (reason, line)
    assert client.ask("evaluate", expression="T.log(A[vi, vk] - T.float32(2))")["result"] == "nan"
    leave(client)


def test_steps_of_a_schedule(folder):
    steps = os.path.join(folder, "steps.py")
    with open(steps, "w") as f:
        f.write('b = sch.get_block("C", "main")\ni, j, k = sch.get_loops(b)\nsch.reorder(k, j)\nsch.decompose_reduction(b, i)\n')
    client = launched(folder, steps=steps)
    assert client.stop("configurationDone")[0] == "entry"
    frame = client.ask("stackTrace", threadId=1)["stackFrames"][0]
    source = frame["source"]
    if "sourceReference" in source:
        assert "C_init" in client.ask("source", sourceReference=1, source=source)["content"]
    leave(client)


def test_mistakes(folder):
    client = Client()
    client.ask("initialize")
    for command in ["stackTrace", "continue", "variables"]:
        answer = client.answer(client.write(command))
        assert not answer["success"] and answer["message"]
    for arguments in [{}, {"program": os.path.join(folder, "nowhere.py")}]:
        answer = client.answer(client.write("launch", **arguments))
        assert not answer["success"] and answer["message"], answer
    answer = client.answer(client.write("fly"))
    assert not answer["success"]
    leave(client)


def test_pause(folder):
    text = PROGRAM.replace("(4, 5, 6)", "(400, 500, 600)").replace("(4, 6)", "(400, 600)").replace("(6, 5)", "(600, 500)").replace("(4, 5)", "(400, 500)")
    client = launched(folder, text, stop=False)
    client.ask("configurationDone")
    assert client.ask("threads")["threads"]
    time.sleep(2)
    client.ask("pause", threadId=1)
    assert client.wait("stopped")["reason"] == "pause"
    before = client.value("i")
    assert before < 400
    client.ask("reverseContinue", threadId=1)           # all that way back, and no stop on it
    client.ask("pause", threadId=1)
    assert client.wait("stopped")["reason"] == "pause"
    assert client.value("i") <= before
    assert client.stop("stepIn", threadId=1)[0] == "step"
    leave(client)


def main():
    tests = [(n, f) for n, f in sorted(globals().items()) if n.startswith("test_")]
    print("1..%d" % len(tests))
    failed = 0
    for i, (name, test) in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(folder)
                print("ok %d %s" % (i, name))
            except Exception as error:          # each one is told, and the next one tried
                failed += 1
                import traceback
                print("# " + traceback.format_exc().replace("\n", "\n# "))
                print("not ok %d %s: %r" % (i, name, error))
    return 1 if failed else 0


sys.exit(main())
