"""The program that judges the simulator: without a result it says that nothing is measured; a result that agrees is equal, one that does not is found."""
import json
import os
import re
import subprocess
import sys
import tempfile

CLI, JUDGE = os.path.abspath(sys.argv[1]), os.path.join(os.path.dirname(os.path.abspath(__file__)), "judge.py")
COUNTERS = {
    "sectors read": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sectors written": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "requests to read": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "requests to write": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "passes over shared memory, reads": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "instructions of warps": "smsp__inst_executed.sum",
}
ROW = re.compile(r"^  (\S.*?)  +(\d+) +(-|\d+)  (.*)$", re.M)
COUNT = 0


def ok(good, words, more=""):
    global COUNT
    COUNT += 1
    print(f"{'ok' if good else 'not ok'} {COUNT} - {words}", flush=True)
    if not good:
        print("# " + str(more).replace("\n", "\n# "))


def judge(*words):
    done = subprocess.run([sys.executable, JUDGE, CLI, *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def signed(result):
    """The text of a result with its checksum: FNV-1a over what stands before it."""
    text, number = json.dumps(result)[:-1], 0xCBF29CE484222325
    for byte in text.encode():
        number = (number ^ byte) * 0x100000001B3 % 2 ** 64
    return f'{text},\n"checksum": "{number:016x}"\n}}\n'


def result(counters, program, step):
    return {"format": "loopscope-device-result", "version": 1, "name": "stride_32.py", "program": program, "made_by": "a test", "target": "cuda", "when": "2026-01-01T00:00:00Z",
            "device": {"api": "cuda", "name": "Made up for a test"}, "tools": [],
            "steps": [{"name": "stride_32", "title": "", "hash": step, "verdict": "same", "kernels": [], "outputs": []}],
            "counted": [{"step": "stride_32", "kernel": "main_kernel", "counters": counters}]}


def main():
    code, out, error = judge("--only", "stride_")
    rows = {words: int(number) for words, number, _, verdict in ROW.findall(out[out.index("\nstride_32"):])}
    ok(code == 0 and set(verdict for *_, verdict in ROW.findall(out)) == {"not measured"}, "without a result nothing is measured", out + error)
    ok("8 kernels, 0 of them measured" in out, "and the sum says so", out)
    ok(rows["sectors read"] == 64 and rows["requests to read"] == 2 and rows["sectors written"] == 8, "a stride of 32 floats costs 32 sectors a warp", rows)
    with tempfile.TemporaryDirectory() as folder:
        code, out, error = judge("--only", "stride_32", "--export", folder)
        with open(os.path.join(folder, "stride_32", "host", "plan.c"), encoding="utf-8") as file:
            hashes = re.findall(r'"([0-9a-f]{16})"', file.read())
        ok(code == 0 and len(hashes) == 2, "its bundle can be made", out + error)

        def told(counters, cut=0, program=hashes[-1]):
            path = os.path.join(folder, "result.json")
            with open(path, "w", encoding="utf-8") as file:
                text = signed(result(counters, program, hashes[0]))
                file.write(text.replace("Made up", "made up") if cut else text)
            return judge("--only", "stride_32", path)

        counters = {COUNTERS[words]: rows[words] for words in COUNTERS}
        code, out, error = told(counters)
        ok(code == 0 and out.count("  equal") == len(COUNTERS) and "1 of them measured" in out, "a device that counts the same is equal", out + error)
        code, out, error = told({**counters, COUNTERS["sectors read"]: rows["sectors read"] + 4})
        ok(code == 1 and out.count("DIFFERS, and has to be equal") == 1, "four sectors more are found", out + error)
        code, out, error = told({**counters, COUNTERS["instructions of warps"]: rows["instructions of warps"] + 7})
        ok(code == 0 and "+7: the device's are those of its own instruction set" in out, "what a device may add stands with its reason", out + error)
        code, out, error = told(counters, program="0" * 16)
        ok(code == 0 and "stride_32: not measured" in out, "a result of another program is not taken for this one's", out + error)
        code, out, error = told(counters, cut=1)
        ok(code == 1 and "is refused" in error, "a result that was changed is refused", out + error)
    print(f"1..{COUNT}")


main()
