"""Functions of the virtual machine that are written in Python: a growing cache of rows, and parameters kept in files.

They are registered under TVM's names when they are first asked for.  A cache is an object that programs only hand around
(R.Object); its rows are an array whose first extent grows by doubling.
"""
import numpy as np

from ..runtime._registry import register_func


class RowCache:
    """The keys or values of attention so far: rows of one shape; `rows` of them are filled."""

    def __init__(self, sample, capacity, rows):
        self._data = np.zeros(tuple(capacity), sample.dtype)
        self._rows = int(rows)
        self._sinks = 0

    def append(self, values):
        """Puts rows behind those there are."""
        wanted = self._rows + len(values)
        if values.shape[1:] != self._data.shape[1:]:
            raise ValueError(f"rows of shape {self._data.shape[1:]} are kept; {values.shape[1:]} came")
        if wanted > len(self._data):
            grown = np.zeros((max(wanted, 2 * len(self._data)),) + self._data.shape[1:], self._data.dtype)
            grown[:self._rows] = self._data[:self._rows]
            self._data = grown
        self._data[self._rows:wanted] = values
        self._rows = wanted

    def roll(self, values, limit, kept=0):
        """Writes rows at the place that comes next in the first `limit` rows; after the last one comes the row `kept`."""
        for row in values:
            self._data[self._rows] = row
            self._rows += 1
            if self._rows >= limit:
                self._rows = kept

    def view(self, shape):
        """The first rows."""
        return self._data[:shape[0]].reshape(tuple(shape))

    def pop(self, count):
        """Forgets the last rows."""
        if count > self._rows:
            raise ValueError(f"the cache has {self._rows} rows; {count} were to go")
        self._rows -= count

    def clear(self):
        """Forgets all rows."""
        self._rows = 0


def _array(data):
    from ..runtime.ndarray import array

    return array(np.ascontiguousarray(data))


@register_func("vm.builtin.attention_kv_cache_create", override=True)
def _create(init_data, reserved_shape, init_fill_count):
    """A cache with room for rows; the first ones are those of `init_data` when some count as filled."""
    data = init_data.numpy()
    cache = RowCache(data, reserved_shape, init_fill_count)
    if init_fill_count > 0:
        cache._data[:min(len(data), len(cache._data))] = data[:len(cache._data)]
    return cache


@register_func("vm.builtin.attention_kv_cache_append", override=True)
def _append(cache, value):
    """Puts rows behind those there are; gives the cache."""
    cache.append(value.numpy())
    return cache


@register_func("vm.builtin.attention_kv_cache_update", override=True)
def _update(cache, value):
    """The rows from the beginning."""
    data = value.numpy()
    cache.clear()
    cache.append(data)
    return cache


@register_func("vm.builtin.attention_kv_cache_view", override=True)
def _view(cache, shape):
    """The rows as an array of a shape."""
    return _array(cache.view(shape))


@register_func("vm.builtin.attention_kv_cache_window_override", override=True)
def _override(cache, value, max_cache_size):
    """Puts rows into a window of the last ones."""
    cache.roll(value.numpy(), max_cache_size)
    return cache


@register_func("vm.builtin.attention_kv_cache_window_override_with_sinks", override=True)
def _override_with_sinks(cache, value, max_cache_size, num_attention_sinks):
    """The same; the first rows of all stay."""
    cache.roll(value.numpy(), max_cache_size, num_attention_sinks)
    return cache


@register_func("vm.builtin.attention_kv_cache_array_popn", override=True)
def _popn(caches, count):
    """Forgets the last rows of several caches."""
    for cache in caches:
        cache.pop(count)


@register_func("vm.builtin.attention_kv_cache_array_clear", override=True)
def _clear(caches):
    """Forgets all rows of several caches."""
    for cache in caches:
        cache.clear()


# ---- parameters -------------------------------------------------------------------------------------

_PARAMS = {}


def _load_params(path, device_type=1, device_id=0):
    from ..contrib import tvmjs
    from ..runtime.ndarray import Device

    found, _ = tvmjs.load_ndarray_cache(str(path), Device(int(device_type), int(device_id)))
    _PARAMS.update(found)


def _numbered(prefix, num_params):
    """prefix_0, prefix_1, ...: as many, or with -1 until there is none."""
    values = []
    while num_params < 0 or len(values) < num_params:
        name = f"{prefix}_{len(values)}"
        if name not in _PARAMS:
            if num_params < 0:
                break
            raise ValueError(f"the cache of parameters has no {name}")
        values.append(_PARAMS[name])
    return values


def _named(names):
    missing = [name for name in names if name not in _PARAMS]
    if missing:
        raise ValueError(f"the cache of parameters has no {missing[0]}")
    return [_PARAMS[name] for name in names]


for _prefix in ("vm.builtin.ndarray_cache.", "vm.builtin.tensor_cache."):
    register_func(_prefix + "load", _load_params, override=True)
    register_func(_prefix + "get", lambda name: _PARAMS.get(name), override=True)
    register_func(_prefix + "update", lambda name, value, override=False: _PARAMS.update({name: value}), override=True)
    register_func(_prefix + "remove", lambda name: _PARAMS.pop(name, None) and None, override=True)
    register_func(_prefix + "clear", lambda: _PARAMS.clear(), override=True)
register_func("vm.builtin.param_array_from_cache", _numbered, override=True)
register_func("vm.builtin.param_array_from_cache_by_name", _named, override=True)
register_func("vm.builtin.param_array_from_cache_by_name_unpacked", lambda *names: _named(names), override=True)
