"""What `time` and `search` say of another output leads to where it parts: the commands that they name, run as they name them.

    part.py CLI
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

CLI = os.path.abspath(sys.argv[1])
COUNT = FAILED = 0
HEAD = "from tvm.script import ir as I, tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
# What C reads is not what it says: after the step it reads what is not there yet.
STEPPED = HEAD + '''    def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
        S = T.alloc_buffer((16, 16))
        for i, j in T.grid(16, 16):
            with T.block("S"):
                vi, vj = T.axis.remap("SS", [i, j])
                S[vi, vj] = A[vi, vj] + T.float32(1)
        for i, j in T.grid(16, 16):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(S[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = S[15 - vi, vj] * T.float32(2)
'''
# Each round reads what the one before wrote: right one after the other only.
RACING = HEAD + '''    def main(A: T.Buffer((16,), "float32"), C: T.Buffer((17,), "float32")):
        for i in KIND(16):
            C[i + 1] = C[i] + A[i]
'''
STEPS = '''l0, l1 = sch.get_loops(block=sch.get_block("S"))
l2, l3 = sch.split(loop=l1, factors=[None, 4])
sch.reverse_compute_at(block=sch.get_block("C"), loop=l0)
'''
# Reads a row that it does not name: in tiles it is read before it is whole.
SEARCHED = HEAD + '''    def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32"), C: T.Buffer((17, 17), "float32")):
        for i, j, k in T.grid(16, 16, 16):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(A[vi, vk], B[vk, vj])
                T.writes(C[vi + 1, vj])
                with T.init():
                    C[vi + 1, vj] = T.float32(0)
                C[vi + 1, vj] = C[vi + 1, vj] + A[vi, vk] * B[vk, vj] + C[vi, vj + 1] * T.float32(0.0625)
'''


def check(name, good, more=""):
    """One line of TAP."""
    global COUNT, FAILED
    COUNT += 1
    FAILED += not good
    print(f"{'ok' if good else 'not ok'} {COUNT} - {name}{' # ' + repr(more) if not good else ''}", flush=True)


def run(folder, *words):
    return subprocess.run([CLI, *words], cwd=folder, capture_output=True, text=True, timeout=200, check=False)


def named(text):
    """The command that a text names, without the program."""
    found = re.search(r"loopscope-cli (debug .* --part)$", text, re.MULTILINE)
    return shlex.split(found.group(1)) if found else ["--version"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("stepped.py", STEPPED), ("steps.py", STEPS), ("searched.py", SEARCHED)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        ran = run(folder, "time", "stepped.py", "--steps", "steps.py", "--budget-ms", "20")
        check("time says that the output is another one, and names the command", ran.returncode != 0 and "elements differ" in ran.stdout, (ran.stdout, ran.stderr))
        part = run(folder, *named(ran.stderr))
        check("which finds step, element and writes", re.search(r"^step \d+ changed the result: reverse_compute_at\nthe results differ\nfirst at C\[0, 0\]: ", part.stdout) is not None
              and "left, 1 writes:" in part.stdout and "right, 1 writes:" in part.stdout, part.stdout)
        ran = run(folder, "search", "searched.py", "--space", "post-order", "--strategy", "random", "--trials", "8", "--budget-ms", "10", "--seed", "3")
        check("search tells of other outputs", "elements differ" in ran.stdout + ran.stderr, (ran.stdout[-1500:], ran.stderr))
        head = ran.stdout.rfind("trace of one whose output is another one")
        check("with the trace of one", head >= 0, ran.stdout[-1500:])
        with open(os.path.join(folder, "STEPS.py"), "w", encoding="utf-8") as file:
            file.write(ran.stdout[head:].split("\n", 1)[1])
        part = run(folder, *named(ran.stdout[head:]))
        check("with which the step is found", re.search(r"^step \d+ changed the result: reorder\nthe results differ\nfirst at C\[\d+, \d+\]: ", part.stdout) is not None, (part.stdout[:400], part.stderr))
        for name, kind in (("serial.py", "range"), ("parallel.py", "T.parallel"), ("vectorized.py", "T.vectorized")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(RACING.replace("KIND", kind))
        part = run(folder, "debug", "serial.py", "--against", "serial.py", "--part")
        check("the same program gives the same, and nothing is said of machine code", part.stdout == "the results are the same\n", (part.stdout, part.stderr))
        for name, words in (("parallel", "i (parallel)"), ("vectorized", "i (vectorized)")):
            part = run(folder, "debug", "serial.py", "--against", name + ".py", "--part")
            check(f"{name}: the same statement by statement, and the loop whose rounds run at once is named",
                  re.match(r"the results are the same\nstatement by statement: in machine code rounds of these loops run at once, .*: " + re.escape(words) + "$", part.stdout.rstrip("\n")), (part.stdout, part.stderr))
    print(f"1..{COUNT}")
    return 1 if FAILED else 0


sys.exit(main())
