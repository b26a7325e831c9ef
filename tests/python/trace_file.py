"""Traces of `loopscope-cli graph --trace`, read by the numbers of fields that Perfetto's own definitions have, not by those of ours: every field of every
message is known there, has its type, and the events are those of the JSON of the same name."""
import json
import os
import shutil
import struct
import subprocess
import tempfile
import unittest

import tap

ROOT = os.environ["LS_SOURCE_ROOT"]
CLI = os.path.join(os.environ["LS_BUILD_ROOT"], "app", "cli", "loopscope-cli")

# Of protos/perfetto/trace: a field's number -> its name and type (a message by its name).
MESSAGES = {
    "Trace": {1: ("packet", "TracePacket")},
    "TracePacket": {8: ("timestamp", "uint"), 10: ("trusted_packet_sequence_id", "uint"), 11: ("track_event", "TrackEvent"), 13: ("sequence_flags", "uint"),
                    58: ("timestamp_clock_id", "uint"), 60: ("track_descriptor", "TrackDescriptor"), 87: ("first_packet_on_sequence", "uint")},
    "TrackDescriptor": {1: ("uuid", "uint"), 2: ("name", "text"), 5: ("parent_uuid", "uint"), 8: ("counter", "CounterDescriptor"), 11: ("child_ordering", "uint"),
                        12: ("sibling_order_rank", "uint")},
    "CounterDescriptor": {3: ("unit", "uint")},
    "TrackEvent": {4: ("debug_annotations", "DebugAnnotation"), 9: ("type", "uint"), 11: ("track_uuid", "uint"), 22: ("categories", "text"), 23: ("name", "text"),
                   44: ("double_counter_value", "double")},
    "DebugAnnotation": {5: ("double_value", "double"), 6: ("string_value", "text"), 10: ("name", "text")},
}
SLICE_BEGIN, SLICE_END, COUNTER = 1, 2, 4
WIRE = {"uint": 0, "double": 1}         # all others are bytes with their length before them: 2


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        shift += 7
        if byte < 0x80:
            return value, at


def read(kind, data):
    """A message as a list of (name, value)."""
    at, out = 0, []
    while at < len(data):
        key, at = varint(data, at)
        name, kind_of = MESSAGES[kind][key >> 3]
        assert key & 7 == WIRE.get(kind_of, 2), (kind, name, key & 7)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 1:
            value, at = struct.unpack_from("<d", data, at)[0], at + 8
        else:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size
            value = value.decode() if kind_of == "text" else read(kind_of, value)
        out.append((name, value))
    return out


def trace(suffix, *more):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run" + suffix)
        subprocess.run([CLI, "graph", os.path.join(ROOT, "data", "samples", "mlp.py"), "--trace", path, "--repeat", "3", *more], check=True, stdout=subprocess.DEVNULL)
        with open(path, "rb") as file:
            return file.read()


class TraceFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = trace(".pftrace")
        cls.packets = [dict(packet) for name, packet in read("Trace", cls.data)]

    def events(self, track):
        return [(packet["timestamp"], dict(packet["track_event"])) for packet in self.packets
                if "track_event" in packet and dict(packet["track_event"])["track_uuid"] == track]

    def test_tracks(self):
        tracks = [dict(packet["track_descriptor"]) for packet in self.packets if "track_descriptor" in packet]
        self.assertEqual(["run 1", "run 2", "run 3"], [track["name"] for track in tracks[-3:]])
        self.assertEqual("the run of middle length", tracks[1]["name"])
        self.assertEqual(len(tracks), len({track["uuid"] for track in tracks}))
        root = tracks[0]
        self.assertEqual(3, root["child_ordering"])
        self.assertTrue(root["name"].endswith("mlp.py"))
        ranks = [track["sibling_order_rank"] for track in tracks[1:]]
        self.assertEqual(sorted(set(ranks)), ranks)
        self.assertTrue(all(track["parent_uuid"] == root["uuid"] for track in tracks[1:]))
        counters = [track for track in tracks if "counter" in track]
        self.assertEqual([("bytes of values", [("unit", 3)])], [(track["name"], track["counter"]) for track in counters])

    def test_slices_follow_each_other(self):
        for packet in self.packets:
            if "track_descriptor" not in packet or dict(packet["track_descriptor"])["name"][:3] not in ("run", "the"):
                continue
            events = self.events(dict(packet["track_descriptor"])["uuid"])
            self.assertEqual([SLICE_BEGIN, SLICE_END] * (len(events) // 2), [event["type"] for _, event in events])
            times = [time for time, _ in events]
            self.assertEqual(sorted(times), times)

    def test_same_events_as_json(self):
        """Two runs of the program: the times differ, all else is the same."""
        events = json.loads(trace(".json"))["traceEvents"]
        tracks = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
        ours = {dict(packet["track_descriptor"])["name"]: dict(packet["track_descriptor"])["uuid"] for packet in self.packets if "track_descriptor" in packet}
        for number, name in tracks.items():
            wanted = [(event["name"], event["cat"], event["args"]["function"], event["args"].get("binding")) for event in events
                      if event["ph"] == "X" and event["tid"] == number]
            begun = [event for _, event in self.events(ours[name]) if event["type"] == SLICE_BEGIN]
            got = [(event["name"], event["categories"], notes["function"], notes.get("binding")) for event, notes in zip(begun, self.notes(ours[name]), strict=True)]
            self.assertEqual(wanted, got, name)
        values = [event["args"]["bytes"] for event in events if event["ph"] == "C"]
        self.assertEqual(values, [event["double_counter_value"] for _, event in self.events(ours["bytes of values"])])
        self.assertGreater(len(values), 3)

    def notes(self, track):
        out = []
        for packet in self.packets:
            event = packet.get("track_event", [])
            if ("track_uuid", track) in event and ("type", SLICE_BEGIN) in event:
                notes = [dict(value) for name, value in event if name == "debug_annotations"]
                out.append({note["name"]: note.get("string_value", note.get("double_value")) for note in notes})
        return out

    @unittest.skipUnless(shutil.which("protoc"), "protoc is not installed")
    def test_protoc_reads_it(self):
        schema = os.path.join(ROOT, "engine", "graph", "perfetto.proto")
        done = subprocess.run(["protoc", "-I" + os.path.dirname(schema), "--decode=ls_perfetto.Trace", schema], input=self.data, check=True, capture_output=True)
        self.assertEqual(len(self.packets), done.stdout.decode().count("packet {\n"))
        self.assertNotRegex(done.stdout.decode(), r"(?m)^\s*\d+[:{ ]")         # what the schema does not know is written by its number


if __name__ == "__main__":
    tap.main()
