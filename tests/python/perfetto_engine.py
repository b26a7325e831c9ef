"""Perfetto's own trace processor, the engine of its viewer, as Debian's package chromium-shell brings it: /usr/lib/chromium/libtest_trace_processor.so,
which is there for the browser's tests and exports one C++ class.

What this relies on, of base/test/test_trace_processor_impl.h, all of it without a promise:
  TestTraceProcessorImpl ()                                          an object of one pointer; TYPE.room is more
  absl::Status       ParseTrace   (const std::vector<char> &)        the status of 8 bytes, 1: good, else a pointer to {int, int, std::string}
  QueryResultOrError ExecuteQuery (const std::string &) const        {std::vector<std::vector<std::string>>, std::string error}
compiled with libc++: a vector is {begin, end, end of the room}; a string of 24 bytes is {room | 1, size, pointer}, or up to 22 bytes with twice their
number before them.  Objects that are returned come by a hidden first argument.  The first row of an answer is the columns' names.

So that another build of the library is a reason to skip and no crash, it is loaded in a child (this file as a program), which is asked for what is
known before it is asked for anything else.
"""
import ctypes
import json
import os
import subprocess
import sys

LIBRARY = "/usr/lib/chromium/libtest_trace_processor.so"
CLASS = "22TestTraceProcessorImpl"
BASE = "_ZN4base4test" + CLASS
CONSTRUCTOR = BASE + "C1Ev"
PARSE = BASE + "10ParseTraceERKNSt3__16vectorIcNS2_9allocatorIcEEEE"
QUERY = "_ZNK4base4test" + CLASS + "12ExecuteQueryERKNSt3__112basic_stringIcNS2_11char_traitsIcEENS2_9allocatorIcEEEE"
POINTER = ctypes.c_void_p
STRING = VECTOR = 24            # bytes


class Engine:
    """One trace, read; in the child."""

    room = 4096

    def __init__(self, library):
        self.object = ctypes.create_string_buffer(self.room)
        construct, self.parse, self.query = library[CONSTRUCTOR], library[PARSE], library[QUERY]
        construct.argtypes, self.parse.argtypes, self.query.argtypes = [POINTER], [POINTER] * 3, [POINTER] * 3
        construct.restype = self.parse.restype = self.query.restype = None
        construct(ctypes.addressof(self.object))

    def read(self, data):
        """None, or what the engine says is wrong."""
        held = ctypes.create_string_buffer(data, len(data) + 1)
        begin = ctypes.addressof(held)
        vector = (ctypes.c_uint64 * 3)(begin, begin + len(data), begin + len(data))
        status = ctypes.c_uint64(0)
        self.parse(ctypes.addressof(status), ctypes.addressof(self.object), ctypes.addressof(vector))
        return None if status.value == 1 else text_at(status.value + 8) if status.value & 1 == 0 else f"status {status.value >> 2}"

    def ask(self, sql):
        """The rows as dictionaries of texts."""
        data = sql.encode()
        held = ctypes.create_string_buffer(data)
        string = (ctypes.c_uint64 * 3)((len(data) + 32) & ~15 | 1, len(data), ctypes.addressof(held))
        answer = (ctypes.c_uint64 * 16)()
        self.query(ctypes.addressof(answer), ctypes.addressof(self.object), ctypes.addressof(string))
        problem = text_at(ctypes.addressof(answer) + VECTOR)
        if problem:
            raise ValueError(problem)
        rows = [[text_at(at) for at in elements(row, STRING)] for row in elements(ctypes.addressof(answer), VECTOR)]
        return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def elements(address, size):
    """Where those of a vector are."""
    begin, end = (ctypes.c_uint64 * 2).from_address(address)
    return range(begin, end, size)


def text_at(address):
    raw = ctypes.string_at(address, STRING)
    if raw[0] & 1 == 0:
        return raw[1:1 + (raw[0] >> 1)].decode()
    size, pointer = int.from_bytes(raw[8:16], "little"), int.from_bytes(raw[16:24], "little")
    return ctypes.string_at(pointer, size).decode()


def child():
    library = ctypes.CDLL(LIBRARY)
    known = Engine(library)
    wanted = [{"a": "short", "b": "x" * 23 + " and longer than what a string holds in itself", "c": ""}, {"a": "1", "b": "2.5", "c": "3"}]
    told = [known.read(b'{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2}]}'),
            known.ask("select 'short' as a, '{b}' as b, '' as c union all select '1', '2.5', '3'".format(b=wanted[0]["b"])),
            known.ask("select name, dur from slice")]
    if told != [None, wanted, [{"name": "a", "dur": "2000"}]]:
        sys.exit(f"it answers otherwise than is known: {told}")
    for line in sys.stdin:
        request = json.loads(line)
        engine = Engine(library)
        with open(request["trace"], "rb") as file:
            problem = engine.read(file.read())
        rows = {name: engine.ask(sql) for name, sql in request["queries"].items()} if problem is None else {}
        print(json.dumps({"problem": problem, "rows": rows}), flush=True)


def answers(requests):
    """To each {"trace": path, "queries": {name: SQL}} its {"problem": None or what is said against the file, "rows": {name: list of dictionaries}}."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("LD_", "MALLOC_"))}
    done = subprocess.run([sys.executable, os.path.abspath(__file__)], input="".join(json.dumps(request) + "\n" for request in requests), text=True, env=env,
                          capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"it ended with {done.returncode}. " + (done.stderr.strip().splitlines() or [""])[-1])
    return [json.loads(line) for line in done.stdout.splitlines()]


def missing():
    """Why it cannot be asked, or None."""
    if not os.path.exists(LIBRARY):
        return f"{LIBRARY} (chromium-shell) is not installed"
    try:
        answers([])
    except RuntimeError as problem:
        return f"{LIBRARY} is not the one that is known: {problem}"
    return None


if __name__ == "__main__":
    child()
