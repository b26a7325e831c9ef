"""Traces of `loopscope-cli graph --trace` as Perfetto's own trace processor reads them: without a complaint, with the tracks in order, and with every slice,
note and value that our JSON says, from both formats; and faults that are planted are seen by it."""
import json
import math
import os
import subprocess
import tempfile
import unittest

import perfetto_engine
import tap

ROOT, BUILD = os.environ["LS_SOURCE_ROOT"], os.environ["LS_BUILD_ROOT"]
CLI = os.path.join(BUILD, "app", "cli", "loopscope-cli")
MISSING = perfetto_engine.missing()

# Names and texts in hexadecimal digits: nothing between the engine and here can change them.  What a track of JSON is called is its thread's name.
QUERIES = {
    "wrong": "select name, value from stats where value > 0 and (severity != 'info' or name like '%error%')",
    "slices": "select s.id, hex(coalesce(h.name, t.name)) as track, hex(s.name) as name, hex(s.category) as category, s.ts, s.dur, s.depth from slice s "
              "join track t on t.id = s.track_id left join thread_track o on o.id = s.track_id left join thread h using (utid) order by s.ts, s.id",
    "notes": "select s.id, a.flat_key, a.value_type, hex(a.string_value) as text, a.int_value, printf('%!.17g', a.real_value) as real from slice s "
             "join args a on a.arg_set_id = s.arg_set_id",
    "values": "select t.name, t.unit, c.ts, printf('%!.17g', c.value) as value from counter c join counter_track t on t.id = c.track_id order by c.ts",
    # In the order in which the viewer puts children of a track whose order is explicit, and threads.
    "tracks": "select hex(name) as name, parent_id, extract_arg(source_arg_set_id, 'child_ordering') as ordering from track "
              "order by extract_arg(source_arg_set_id, 'sibling_order_rank')",
    "threads": "select hex(h.name) as name, hex(p.name) as process from thread h join process p using (upid) join args a on a.arg_set_id = h.arg_set_id "
               "where a.flat_key = 'thread_sort_index_hint' order by a.int_value",
}
NO_NAME = "[No name]"           # what it makes of an empty one of JSON


def text(digits):
    return bytes.fromhex(digits).decode()


def notes_of(rows):
    """Of each slice its notes by their names, however the format calls them."""
    out = {}
    for row in rows:
        value = text(row["text"]) if row["value_type"] == "string" else float(row["real"]) if row["value_type"] == "real" else float(row["int_value"])
        out.setdefault(row["id"], {})[row["flat_key"].split(".", 1)[1]] = value
    return out


def same(one, other):
    """Equal; numbers up to the last bits, which the reader of JSON does not keep."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return math.isclose(one, other, rel_tol=1e-14) if isinstance(one, float) else one == other


def read_slices(rows):
    """Track -> (name, category, start, length, notes) of each slice as the engine has it; what it calls a slice without a name is none."""
    notes, out = notes_of(row for row in rows["notes"] if row["flat_key"].startswith(("debug.", "args."))), {}
    for row in rows["slices"]:
        assert row["depth"] == "0", row         # one below another
        out.setdefault(text(row["track"]), []).append((text(row["name"]).replace(NO_NAME, ""), text(row["category"]), int(row["ts"]), int(row["dur"]), notes.get(row["id"], {})))
    return out


def said_slices(events):
    """The same as our JSON says it."""
    tracks, out = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}, {}
    for event in events:
        if event["ph"] == "X":
            notes = {name: value if isinstance(value, str) else float(value) for name, value in event["args"].items()}
            out.setdefault(tracks[event["tid"]], []).append((event["name"], event["cat"], round(event["ts"] * 1000), round(event["dur"] * 1000), notes))
    return out


PRODUCT = """@I.ir_module
class Module:
    @R.function
    def main(größe: R.Tensor((4, 8), "float32"), 变量: R.Tensor((8, 8), "float32")):
        with R.dataflow():
            λ = R.matmul(größe, 变量)
            ｘ = R.nn.relu(λ)
            R.output(ｘ)
        return ｘ
"""


def transformer(n_layers):
    """Layers of attention and feed-forward on 16 tokens of 32 numbers."""
    weights = [f"w{i}{name}: R.Tensor(({a}, {b}), \"float32\")" for i in range(n_layers) for name, a, b in
               (("q", 32, 32), ("k", 32, 32), ("v", 32, 32), ("o", 32, 32), ("up", 32, 64), ("down", 64, 32))]
    lines = ["@I.ir_module", "class Module:", "    @R.function", f"    def main(x: R.Tensor((16, 32), \"float32\"), {', '.join(weights)}):", "        with R.dataflow():"]
    x = "x"
    for i in range(n_layers):
        lines += ["            " + line for line in (
            f"q{i} = R.matmul({x}, w{i}q)", f"k{i} = R.matmul({x}, w{i}k)", f"v{i} = R.matmul({x}, w{i}v)", f"t{i} = R.permute_dims(k{i}, axes=[1, 0])",
            f"s{i} = R.matmul(q{i}, t{i})", f"p{i} = R.nn.softmax(s{i}, axis=-1)", f"a{i} = R.matmul(p{i}, v{i})", f"o{i} = R.matmul(a{i}, w{i}o)",
            f"r{i} = R.add({x}, o{i})", f"u{i} = R.matmul(r{i}, w{i}up)", f"g{i} = R.nn.gelu(u{i})", f"d{i} = R.matmul(g{i}, w{i}down)", f"y{i} = R.add(r{i}, d{i})")]
        x = f"y{i}"
    return "\n".join(lines + [f"            R.output({x})", f"        return {x}", ""])


@unittest.skipIf(MISSING is not None, MISSING)
class Asking(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.held = tempfile.TemporaryDirectory()
        cls.folder = cls.held.name

    @classmethod
    def tearDownClass(cls):
        cls.held.cleanup()

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def traces(self, program, *options):
        """Both formats of the same runs."""
        paths = [os.path.join(self.folder, f"run{suffix}") for suffix in (".pftrace", ".json")]
        subprocess.run([CLI, "graph", program, "--trace", paths[0], "--trace", paths[1], *options], check=True, stdout=subprocess.DEVNULL)
        return paths

    def agree(self, paths, title):
        """Both files are read and say the same as the JSON, whose slices by track are given back."""
        with open(paths[1], encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        wanted, runs = said_slices(events), [event["args"]["name"] for event in events if event["name"] == "thread_name"]
        values = [(round(event["ts"] * 1000), float(event["args"]["bytes"])) for event in events if event["ph"] == "C"]
        answers = perfetto_engine.answers([{"trace": path, "queries": QUERIES} for path in paths])
        for path, answer in zip(paths, answers, strict=True):
            with self.subTest(path[-8:]):
                self.assertIsNone(answer["problem"])
                rows = answer["rows"]
                self.assertEqual([], rows["wrong"])
                found = read_slices(rows)
                self.assertTrue(same(wanted, found), f"\n{wanted}\n{found}")
                self.assertEqual(values, [(int(row["ts"]), float(row["value"])) for row in rows["values"]])
        own, chrome = (answer["rows"] for answer in answers)
        self.assertLessEqual({(row["name"], row["unit"]) for row in own["values"]}, {("bytes of values", "bytes")})
        self.assertLessEqual({row["name"] for row in chrome["values"]}, {"values bytes"})
        # The run of middle length, the values that are there, then run after run, all in one track that is ordered and has the file's name.
        root = [row for row in own["tracks"] if row["parent_id"] == "[NULL]"]
        self.assertEqual([(title, "explicit")], [(text(row["name"]), row["ordering"]) for row in root])
        self.assertEqual([runs[0], *["bytes of values" for _ in values[:1]], *runs[1:]], [text(row["name"]) for row in own["tracks"] if row["parent_id"] != "[NULL]"])
        self.assertEqual([(name, title) for name in runs], [(text(row["name"]), text(row["process"])) for row in chrome["threads"]])
        self.assertEqual(["the run of middle length", *[f"run {i + 1}" for i in range(len(runs) - 1)]], runs)
        return wanted


class Traces(Asking):
    def test_layers(self):
        path = os.path.join(ROOT, "data", "samples", "mlp.py")
        slices = self.agree(self.traces(path, "--repeat", "20"), path)
        self.assertEqual(21, len(slices))
        for track in slices.values():
            self.assertEqual(["permute_dims", "matmul", "add", "relu", "permute_dims", "matmul", "add"], [name for name, *_ in track])
            self.assertEqual(["lv", "logits"], [track[at][4]["binding"] for at in (0, -1)])
            self.assertLessEqual({"type", "key", "function", "median_ns", "half_quartile_distance_ns", "flop", "bytes"}, set(track[1][4]))

    def test_fused(self):
        path = os.path.join(ROOT, "data", "samples", "mlp.py")
        slices = self.agree(self.traces(path, "--repeat", "2", "--pass", "LegalizeOps", "--pass", "AnnotateTIROpPattern", "--pass", "FuseOps", "--pass", "FuseTIR"), path)
        self.assertTrue(any("fused" in name for name, *_ in slices["run 2"]))

    def test_transformer(self):
        path = self.file("transformer.py", transformer(6))
        slices = self.agree(self.traces(path, "--repeat", "4"), path)
        self.assertEqual({6 * 13}, {len(track) for track in slices.values()})

    def test_names_in_other_letters(self):
        os.mkdir(os.path.join(self.folder, "a \"b\" \\ 😀"))
        path = self.file("a \"b\" \\ 😀/größe 'x'.py", PRODUCT)
        slices = self.agree(self.traces(path, "--repeat", "1"), path)
        self.assertEqual(["λ", "ｘ"], [notes["binding"] for *_, notes in slices["run 1"]])

    def test_file_that_is_not_utf_8(self):
        """Such bytes of its name are shown as what cannot be read."""
        path = os.fsencode(self.folder) + b"/caf\xe9.py"
        with open(path, "w", encoding="utf-8") as file:
            file.write(PRODUCT)
        self.agree(self.traces(path, "--repeat", "1"), self.folder + "/caf\ufffd.py")

    def test_names_that_no_program_has(self):
        """Quotes, line ends, control characters, none: of calls that no node made."""
        test = os.path.join(BUILD, "tests", "unit", "graph", "test-graph-trace")
        subprocess.run([test, "-p", "/trace/odd-names"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "LS_TRACE_FOLDER": self.folder})
        slices = self.agree([os.path.join(self.folder, f"odd{suffix}") for suffix in (".pftrace", ".json")], "a \"model\"\n\\ 模型 😀")
        self.assertEqual([("", "inside"), ("a \"b\" \\ c/d", "inside")], [one[:2] for one in slices["run 2"]][:2])


def varint(value):
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + varint(value >> 7)


def field(number, value):
    """A field of a message: a whole number, or bytes with their length."""
    return varint(number << 3) + varint(value) if isinstance(value, int) else varint(number << 3 | 2) + varint(len(value)) + value


BEGIN, END, TRACK, SEQUENCE = 1, 2, 2, 2        # kinds of event; the run of middle length
NEEDED = 2                                      # a flag: what was said in the sequence before is
LATE = 10 ** 12                                 # after all runs


def event(kind, time, sequence=SEQUENCE, flags=None):
    """A packet that begins or ends a slice."""
    said = field(9, kind) + field(11, TRACK) + (field(23, b"planted") if kind == BEGIN else b"")
    return field(1, field(8, time) + field(10, sequence) + (field(13, flags) if flags is not None else b"") + field(11, said))


class Faults(Asking):
    """What Perfetto has to say against files that are damaged: else the cases above could not fail."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        paths = [os.path.join(cls.folder, "good" + suffix) for suffix in (".pftrace", ".json")]
        subprocess.run([CLI, "graph", os.path.join(ROOT, "data", "samples", "mlp.py"), "--trace", paths[0], "--trace", paths[1], "--repeat", "2"],
                       check=True, stdout=subprocess.DEVNULL)
        with open(paths[0], "rb") as own, open(paths[1], encoding="utf-8") as chrome:
            cls.own, cls.json = own.read(), json.load(chrome)

    def said(self, data, suffix=".pftrace"):
        """Against the file as a whole; what is counted as wrong; its slices."""
        answer = perfetto_engine.answers([{"trace": self.file("fault" + suffix, data), "queries": QUERIES}])[0]
        rows = answer["rows"]
        return answer["problem"], {row["name"] for row in rows.get("wrong", [])}, read_slices(rows) if rows else None

    def changed(self, number, **members):
        """Our JSON with other members of its call of this number."""
        events = [dict(one) for one in self.json["traceEvents"]]
        [one for one in events if one["ph"] == "X"][number].update(members)
        return json.dumps({"displayTimeUnit": "ns", "traceEvents": events}, ensure_ascii=False)

    def test_nothing_wrong(self):
        for data, suffix in ((self.own, ".pftrace"), (self.changed(3), ".json")):
            problem, wrong, slices = self.said(data, suffix)
            self.assertEqual((None, set()), (problem, wrong))
            self.assertTrue(same(said_slices(self.json["traceEvents"]), slices))

    def test_slice_that_does_not_end(self):
        for more in (event(BEGIN, LATE), event(BEGIN, LATE) + event(END, LATE - 10)):           # with a time that goes back, too
            *_, slices = self.said(self.own + more)
            self.assertEqual([("planted", "", LATE, -1, {})], [one for one in slices["the run of middle length"] if one[3] < 0])

    def test_end_of_nothing(self):
        """It is dropped without a word, and so cannot change what is seen."""
        problem, wrong, slices = self.said(self.own + event(END, LATE))
        self.assertEqual((None, set()), (problem, wrong))
        self.assertTrue(same(said_slices(self.json["traceEvents"]), slices))

    def test_sequence_that_began_nowhere(self):
        more = event(BEGIN, LATE, 99, NEEDED) + event(END, LATE + 1, 99, NEEDED)
        self.assertEqual({"packet_skipped_seq_needs_incremental_state_invalid"}, self.said(self.own + more)[1])

    def test_cut_short(self):
        """Wherever it is cut, slices are missing or do not end; of JSON it is said."""
        whole = said_slices(self.json["traceEvents"])
        for cut in (1, 2, 7, 20, 100, len(self.own) // 2):
            problem, _, slices = self.said(self.own[:-cut])
            self.assertTrue(problem is not None or not same(whole, slices), cut)
        self.assertRegex(self.said(self.changed(3)[:-20], ".json")[0], "incomplete")

    def test_no_field(self):
        """A packet with a kind of field that the format does not have."""
        self.assertRegex(self.said(self.own + b"\x0f\x01" + self.own)[0] or "", "corrupt")

    def test_times_of_json(self):
        self.assertEqual({"json_tokenizer_failure"}, self.said(self.changed(3, ts="never"), ".json")[1])
        third = [one for one in self.json["traceEvents"] if one["ph"] == "X"][3]
        longer = self.changed(3, dur=third["dur"] + 1e6)
        with self.assertRaises(AssertionError):         # those after it stand in it
            self.said(longer, ".json")


if __name__ == "__main__":
    tap.main()
