"""Targets: a kind and its attributes."""
import json
import shlex

import _loopscope as _core

from ..error import _reading
from .table import OPTIONS, TAGS as _TAGS, defaults_of, features_of, is_list, is_microcontroller, unknown_option, with_defaults

_KINDS = ["c", "composite", "cuda", "ext_dev", "hexagon", "hybrid", "llvm", "metal", "nvptx", "opencl", "rocm", "test", "vulkan", "webgpu"]
_KEYS = {"llvm": ["cpu"], "c": ["cpu"], "composite": [], "test": [], "cuda": ["cuda", "gpu"], "metal": ["metal", "gpu"], "opencl": ["opencl", "gpu"], "rocm": ["rocm", "gpu"],
         "vulkan": ["vulkan", "gpu"], "webgpu": ["webgpu", "gpu"], "nvptx": ["cuda", "gpu"], "hexagon": ["hexagon", "cpu"]}
class TargetKind:
    """The kind of a target."""

    def __init__(self, name):
        self.name = name

    @property
    def options(self):
        """The attributes that it knows, with their types."""
        return dict(OPTIONS["*"], **OPTIONS.get(self.name, OPTIONS["gpu"] if "gpu" in _KEYS.get(self.name, []) else {}))

    @staticmethod
    def options_from_name(kind_name):
        """The attributes that a kind knows, by its name."""
        if kind_name not in _KINDS:
            raise ValueError(f"Target kind '{kind_name}' is not defined")
        return TargetKind(kind_name).options

    def __eq__(self, other):
        return isinstance(other, TargetKind) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name

    __repr__ = __str__


def _value(text):
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    return {"true": True, "false": False, "True": True, "False": False}.get(text, text)


def _plain(value):
    """A node of attributes as Python's own values."""
    if hasattr(value, "items"):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (str, int, float)) or value is None:
        return value
    if hasattr(value, "value"):
        return value.value
    return [_plain(v) for v in value]


def _parse(text):
    words = shlex.split(text)
    if not words:
        raise ValueError("a target has a kind")
    kind, attrs = words[0], {}
    words = words[1:]
    if kind in _TAGS:
        kind, attrs = _TAGS[kind][0], dict(_TAGS[kind][1])
        attrs["tag"] = text.split()[0]
    while words:
        word = words.pop(0)
        if not word.startswith("-"):
            raise ValueError(f"target {text}: {word} is no option")
        key, eq, value = word.lstrip("-").partition("=")
        if not eq and words and not words[0].startswith("-"):
            value = words.pop(0)
        if is_list(kind, key):
            attrs[key] = [part for part in value.split(",") if part]
        else:
            attrs[key] = _value(value) if value != "" or eq else True
    return kind, attrs


def _written(value):
    """A value of an option in the text of a target."""
    text = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return f"'{text}'" if any(c.isspace() for c in text) else text


def _without_mark(data):
    """The options of a target that is kept as attributes of a node."""
    return {k: _without_mark(v) if isinstance(v, dict) else v for k, v in data.items() if k != "__target__"}


def _without_defaults(data):
    """The options of a target, and of its host, that are others than those of its kind."""
    own = with_defaults(data["kind"], {})
    return {k: _without_defaults(v) if k == "host" and isinstance(v, dict) else v for k, v in data.items() if k not in own or own[k] != v}


class Target:
    """What code is made for: "llvm -num-cores=4", a tag, a dictionary or JSON."""

    _stack = []

    def __init__(self, target, host=None):
        if hasattr(target, "items") and not isinstance(target, dict):
            target = _without_mark(_plain(target))
        if isinstance(target, Target):
            self._kind, self._attrs, self._host = target._kind, dict(target._attrs), target._host
        elif isinstance(target, dict):
            self._kind, self._attrs, self._host = target["kind"], {k: v for k, v in target.items() if k not in ("kind", "host")}, target.get("host")
        elif isinstance(target, str):
            text = target.strip()
            if text.startswith("{"):
                with _reading("the JSON of a target"):
                    data = json.loads(text)
                    if not isinstance(data.get("kind"), str):
                        raise ValueError('its "kind" has to be a text')
                self._kind, self._attrs, self._host = data["kind"], {k: v for k, v in data.items() if k not in ("kind", "host")}, data.get("host")
            else:
                self._kind, self._attrs = _parse(text)
                self._host = self._attrs.pop("host", None)
        else:
            raise ValueError(f"target has to be a string or dictionary, not {type(target)}")
        if self._kind not in _KINDS:
            raise ValueError(f'Target kind "{self._kind}" is not defined. Target creation from string failed: {target}')
        wrong = unknown_option(self._kind, self._attrs)
        if wrong is not None:
            raise ValueError(f'Unrecognized config option: "{wrong}". Target creation failed: {target}')
        for name, value in self._attrs.items():
            if is_list(self._kind, name) and isinstance(value, (dict, int, float)):
                raise ValueError(f'Expect type "Array" of the option "{name}", but get: {value}. Target creation failed: {target}')
        if "devices" in self._attrs and self._kind == "composite":
            self._attrs["devices"] = [Target(device) for device in self._attrs["devices"]]
        host = host if host is not None else self._host
        self._host = Target(host) if host is not None else None

    @property
    def kind(self):
        """The kind."""
        return TargetKind(self._kind)

    @property
    def host(self):
        """The target of the code around kernels, or None."""
        return self._host

    @property
    def keys(self):
        """Words that say what it is like."""
        keys = self._attrs.get("keys")
        if isinstance(keys, str):
            keys = keys.split(",")
        device = [self._attrs["device"]] if self._attrs.get("device") else []
        if self._kind == "llvm" and str(self._attrs.get("mtriple", "")).startswith(("aarch64", "arm")) or is_microcontroller(self._kind, self.mcpu):
            device = ["arm_cpu", *device]
        return list(dict.fromkeys([*(keys or []), *device, *([] if keys else _KEYS.get(self._kind, [self._kind]))]))

    @property
    def attrs(self):
        """The attributes: those of the kind, and what is said of this target."""
        return {**defaults_of(self._kind), **self.stated}

    @property
    def stated(self):
        """The attributes that are said of this target: its text."""
        return {k: v for k, v in self._attrs.items() if k not in ("keys", "tag")}

    @property
    def tag(self):
        """The tag, or ""."""
        return self._attrs.get("tag", "")

    @property
    def model(self):
        """The attribute model."""
        return str(self._attrs.get("model", "unknown"))

    @property
    def device_name(self):
        """The attribute device."""
        return str(self._attrs.get("device", ""))

    @property
    def mcpu(self):
        """The CPU."""
        return str(self._attrs.get("mcpu", ""))

    @property
    def mattr(self):
        """Features of the CPU."""
        value = self._attrs.get("mattr", [])
        return value.split(",") if isinstance(value, str) else list(value)

    @property
    def arch(self):
        """The architecture of a GPU."""
        return str(self._attrs.get("arch", ""))

    @property
    def max_num_threads(self):
        """Threads of a block."""
        return int(self._attrs.get("max_num_threads", self._attrs.get("max_threads_per_block", self.attrs.get("max_num_threads", 1))))

    @property
    def max_block_size_x(self):
        """Threads of a block."""
        return self.max_num_threads

    @property
    def max_block_size_y(self):
        """Threads of a block along its second axis."""
        return self.max_num_threads

    @property
    def max_function_args(self):
        """How many arguments a kernel takes at most; 0: there is no limit."""
        return int(self.attrs.get("max_function_args", 0))

    @property
    def vtcm_capacity(self):
        """Bytes of the fast memory of a Hexagon, 0 if it is not known."""
        return int(self._attrs.get("vtcm-capacity", 0))

    @property
    def supports_cooperative_matrix(self):
        """Whether the target says that its groups of threads hold matrices together."""
        return bool(int(self._attrs.get("supports_cooperative_matrix", 0)))

    @property
    def thread_warp_size(self):
        """Threads of a warp."""
        return int(self.attrs.get("thread_warp_size", 1))

    @property
    def max_shared_memory_per_block(self):
        """Bytes."""
        return int(self.attrs.get("max_shared_memory_per_block", 49152))

    @property
    def l2_cache_size_bytes(self):
        """Bytes, 0 if it is not known."""
        return int(self._attrs.get("l2_cache_size_bytes", 0))

    @property
    def supports_integer_dot_product(self):
        """Whether the target says that it multiplies and adds vectors of small integers at once."""
        return bool(int(self._attrs.get("supports_integer_dot_product", 0)))

    @property
    def libs(self):
        """Libraries that may be called."""
        value = self._attrs.get("libs", [])
        return value.split(",") if isinstance(value, str) else list(value)

    @property
    def features(self):
        """What the processor can do, as attributes: has_sve, is_aarch64, ...; None for what is not known."""
        return features_of(self)

    def with_host(self, host):
        """The same with a host."""
        return Target(self, host)

    def get_kind_attr(self, attr_name):
        """None: no attributes of kinds are kept."""
        return None

    def get_target_device_type(self):
        """The number of the device."""
        from ..runtime.ndarray import device

        return device(self._kind).device_type

    def export(self):
        """All as a dictionary."""
        data = {"kind": self._kind, "keys": self.keys, **self.stated}
        data["tag"] = self.tag
        if self._kind == "composite" and "devices" in data:
            data["devices"] = [device.export() for device in data["devices"]]
        if self._host is not None:
            data["host"] = self._host.export()
        return data

    def engine_text(self):
        """The target as the code generator reads it."""
        words = ["llvm"]
        for key in ("mcpu", "mattr", "mtriple", "num-cores", "opt-level", "vector-width"):
            if key in self._attrs:
                value = self._attrs[key]
                words.append(f"-{key}={','.join(value) if isinstance(value, (list, tuple)) else value}")
        if self._attrs.get("fast-math"):
            words.append("-fast-math")
        return " ".join(words)

    def __enter__(self):
        Target._stack.append(self)
        Target._tell_vscale()
        return self

    def __exit__(self, *unused):
        Target._stack.pop()
        Target._tell_vscale()

    @staticmethod
    def _tell_vscale():
        """The analyser tries conditions with vscale() for what the innermost target can have."""
        features = str(Target._stack[-1].attrs.get("mattr", "")) if Target._stack else ""
        _core.set_vscale(16 if "+sve" in features or "+sme" in features else 0)

    @staticmethod
    def current(allow_none=True):
        """The innermost target of `with`, or None."""
        if Target._stack:
            return Target._stack[-1]
        if allow_none:
            return None
        raise ValueError("there is no target here: stand within `with target:`")

    @staticmethod
    def target_or_current(target):
        """The target, or where it is None the innermost one of `with`, which there has to be then."""
        found = Target.current() if target is None else target
        if found is None:
            raise ValueError("there is no target: hand one over, or stand within `with target:`")
        return found

    @staticmethod
    def list_kinds():
        """The names of all kinds."""
        return list(_KINDS)

    @staticmethod
    def canon_target(target):
        """A target as an object; None stays None."""
        return None if target is None else target if isinstance(target, Target) else Target(target)

    @staticmethod
    def canon_target_and_host(target, target_host=None):
        """Both as objects."""
        if target is None:
            assert target_host is None, "Target host is not empty when target is empty."
            return None, None
        target = Target.canon_target(target)
        target = target if target_host is None else Target(target, target_host)
        return target, target.host

    @staticmethod
    def canon_multi_target(multi_targets):
        """One target or several, in a list or by the numbers of their devices, as a list of objects."""
        if multi_targets is None:
            return None
        if hasattr(multi_targets, "items") and "kind" not in multi_targets:
            multi_targets = [one for _, one in multi_targets.items()]
        several = not isinstance(multi_targets, (str, dict, Target)) and not hasattr(multi_targets, "items")
        return [Target(one) for one in (multi_targets if several else [multi_targets])]

    @staticmethod
    def canon_multi_target_and_host(target, target_host=None):
        """One target or several as a list of objects, each with the host."""
        assert target is not None, "There is no target."
        found = Target.canon_multi_target(target)
        return found if target_host is None else [Target(one, target_host) for one in found]

    @staticmethod
    def canon_target_map_and_host(target_dict, target_host=None):
        """Modules by targets as objects that all have one host, that of the first that has one or the one that is given; and that host."""
        host = next((one.host for one in map(Target, target_dict) if one.host is not None), None)
        if host is None and target_host is not None:
            host = Target(target_host)
        return {Target(one, host): module for one, module in target_dict.items()}, host

    @staticmethod
    def from_device(device):
        """The target of a device."""
        from ..runtime.ndarray import device as as_device

        return Target("llvm" if as_device(device).device_type == 1 else "cuda")

    def asobject(self):
        """The target as attributes of a node: what its kind has by itself is written out, a tag is not kept."""
        return _core.convert(dict(self._complete(), __target__=True))

    def _complete(self):
        data = self.export()
        for one in (data, data.get("host")):
            if one is not None:
                one.update(with_defaults(one["kind"], one), tag="")
        return data

    @staticmethod
    def of_attribute(value):
        """The target that an attribute of a function holds, said as briefly as it was made: without what its kind has by itself."""
        return value if isinstance(value, Target) else Target(_without_defaults(_without_mark(_plain(value))))

    def __eq__(self, other):
        return isinstance(other, Target) and self._complete() == other._complete()

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(str(sorted(self._complete().items(), key=lambda item: item[0])))

    def __str__(self):
        words = [self._kind, "-keys=" + ",".join(self.keys)]
        for key, value in sorted(self.stated.items()):
            if value is True:
                value = 1
            words.append(f"-{key}={_written(value)}")
        return " ".join(words)

    def __repr__(self):
        return str(self)


def create(target):
    """An older name of Target."""
    return Target(target)


def list_kinds():
    """The names of all kinds."""
    return Target.list_kinds()


def _with_options(text, options):
    """A target of a text and more options: one text, or a list of them."""
    more = [options] if isinstance(options, str) else list(options or [])
    return Target(" ".join([text, *more]))


def cuda(model="unknown", arch=None, options=None):
    """A CUDA target."""
    return _with_options("cuda" + (f" -arch={arch}" if arch else "") + f" -model={model}", options)


def arm_cpu(model="unknown", options=None):
    """An ARM CPU."""
    return _with_options(f"llvm -device=arm_cpu -model={model}", options)
