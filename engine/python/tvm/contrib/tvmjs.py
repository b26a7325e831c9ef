"""Parameters in a folder: files of raw bytes ("shards") and a table ndarray-cache.json that says what is where.

Numbers of 32 bits may be kept as their upper halves (bfloat16).  Only the storage is here, not the web runtime.
"""
import hashlib
import json
import os

import numpy as np

from ..error import _reading

_TABLE = "ndarray-cache.json"
_HALVES = "ndarray-cache-b16.json"


def _convert_f32_to_bf16(value):
    """The upper halves, rounded to the nearest, to even in the middle; what would overflow is cut off."""
    bits = np.ascontiguousarray(value, "float32").view("uint32")
    largest = np.array([0x7F7F0000], "uint32").view("float32")[0]
    rounding = ((bits >> 16) & 1) + np.uint32(0x7FFF)
    return ((bits + np.where(np.abs(value) < largest, rounding, np.uint32(0))) >> 16).astype("uint16")


def _convert_bf16_to_f32(value):
    """What the upper halves stand for."""
    return (value.view("uint16").astype("uint32") << 16).view("float32")


class _Shards:
    """The files of a folder: values go into the open one until it is full."""

    def __init__(self, folder, limit, records):
        self.folder, self.limit, self.records = folder, limit, records
        self._data, self._open = bytearray(), []
        self._places = {row["name"]: (shard, row) for shard in records for row in shard["records"]}

    def put(self, name, data, shape, dtype, encoding, replace):
        row = {"name": name, "shape": list(shape), "dtype": dtype, "format": encoding, "nbytes": len(data)}
        if name in self._places:
            if not replace:
                raise ValueError(f"the cache has {name} already")
            self._replace(name, row, data)
            return
        if self._data and len(self._data) + len(data) >= self.limit:
            self.flush()
        row["byteOffset"] = len(self._data)
        self._data += data
        self._open.append(row)
        self._places[name] = (None, row)
        if len(self._data) >= self.limit:
            self.flush()

    def _replace(self, name, row, data):
        shard, old = self._places[name]
        if old["nbytes"] != len(data):
            raise ValueError(f"{name} has {old['nbytes']} bytes in the cache; {len(data)} came")
        row["byteOffset"] = old["byteOffset"]
        if shard is None:
            self._data[row["byteOffset"]:row["byteOffset"] + len(data)] = data
        else:
            path = os.path.join(self.folder, shard["dataPath"])
            with open(path, "r+b") as file:
                file.seek(row["byteOffset"])
                file.write(data)
            shard["md5sum"] = _digest(path)
        old.update(row)

    def flush(self):
        if not self._data:
            return
        name = f"params_shard_{len(self.records)}.bin"
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(self._data)
        shard = {"dataPath": name, "format": "raw-shard", "nbytes": len(self._data), "records": self._open, "md5sum": _digest(path)}
        for row in self._open:
            self._places[row["name"]] = (shard, row)
        self.records.append(shard)
        self._data, self._open = bytearray(), []


def _digest(path):
    with open(path, "rb") as file:
        return hashlib.md5(file.read(), usedforsecurity=False).hexdigest()


def _write(path, table):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(table, file, indent=4)


def dump_ndarray_cache(params, cache_dir, encode_format="f32-to-bf16", meta_data=None, shard_cap_mb=32, show_progress=True, update_if_exists=False):
    """Writes parameters, a dictionary or pairs of names and arrays, into a folder.  encode_format: "raw" or "f32-to-bf16"."""
    if encode_format not in ("raw", "f32-to-bf16"):
        raise ValueError(f"encode_format is {encode_format}; raw and f32-to-bf16 are known")
    os.makedirs(cache_dir, exist_ok=True)
    path, records = os.path.join(cache_dir, _TABLE), []
    if update_if_exists and os.path.exists(path):
        with open(path, encoding="utf-8") as file, _reading(path):
            old = json.load(file)
            records, meta_data = old["records"], old["metadata"] if meta_data is None else meta_data
    shards, halved = _Shards(cache_dir, shard_cap_mb << 20, records), False
    for name, value in params.items() if hasattr(params, "items") else params:
        plain = value if isinstance(value, np.ndarray) else value.numpy()
        dtype = str(value.dtype)
        halve = encode_format == "f32-to-bf16" and dtype == "float32"
        halved = halved or halve
        shards.put(name, (_convert_f32_to_bf16(plain) if halve else np.ascontiguousarray(plain)).tobytes(), plain.shape, dtype, encode_format, update_if_exists)
    shards.flush()
    table = {"metadata": meta_data() if callable(meta_data) else meta_data or {}, "records": shards.records}
    _write(path, table)
    if halved:
        table = json.loads(json.dumps(table))
        for row in (row for shard in table["records"] for row in shard["records"] if row["dtype"] == "float32"):
            row.update(format="raw", dtype="bfloat16")
        _write(os.path.join(cache_dir, _HALVES), table)


def load_ndarray_cache(cachepath, device):
    """Reads a folder, or its table: a dictionary of arrays, and what was said about them."""
    path = cachepath if cachepath.endswith(".json") else os.path.join(cachepath, _TABLE)
    with _reading(path):
        return _load_table(path, device)


def _load_table(path, device):
    from ..runtime.ndarray import array

    with open(path, encoding="utf-8") as file:
        table = json.load(file)
    found = {}
    for shard in table["records"]:
        with open(os.path.join(os.path.dirname(path), shard["dataPath"]), "rb") as file:
            data = file.read()
        if shard["format"] != "raw-shard" or shard["nbytes"] != len(data):
            raise ValueError(f"{shard['dataPath']} has {len(data)} bytes; the table says {shard['nbytes']}")
        for row in shard["records"]:
            raw = data[row["byteOffset"]:row["byteOffset"] + row["nbytes"]]
            halved = row["dtype"] == "bfloat16" or (row["format"] == "f32-to-bf16" and row["dtype"] == "float32")
            value = np.frombuffer(raw, "uint16" if halved else row["dtype"])
            found[row["name"]] = array((_convert_bf16_to_f32(value) if halved else value).reshape(row["shape"]), device)
    return found, table["metadata"]


dump_tensor_cache = dump_ndarray_cache
load_tensor_cache = load_ndarray_cache
