"""The states of recurrent models: for each sequence the last ones of a few, so that steps can be taken back.

A state of a layer is one array (sequences, history, its own shape).  A sequence has a row of it and the place of its newest value; a step
writes at the place behind that, the oldest one is lost.  Reading and writing is done by functions of the program, which take
(array, rows, places, values).  kv_state_* of the virtual machine are the methods here when they are called with such an object.
"""
import numpy as np

from ..error import TVMError
from ..runtime._registry import register_func


class _Sequence:
    """A row, the place of the newest value, and how many steps can be taken back."""

    def __init__(self, row, place=0, steps=0):
        self.row, self.place, self.steps = row, place, steps


class RNNState:
    """What vm.builtin.rnn_state_create gives."""

    def __init__(self, layers, sequences, history, gets, sets, initial):
        if history < 1:
            raise TVMError(f"a state is kept for one step at least, not for {history}")
        if not len(gets) == len(sets) == len(initial):
            raise TVMError(f"{len(initial)} states have {len(gets)} functions that read and {len(sets)} that write")
        self._history, self._gets, self._sets = int(history), list(gets), list(sets)
        self._initial = [value.numpy() for value in initial]
        self._arrays = [[_array(np.zeros((int(sequences), self._history) + value.shape, value.dtype)) for value in self._initial] for _ in range(int(layers))]
        self._free, self._sequences, self._batch = list(range(int(sequences))), {}, None

    # ---- sequences ----

    def clear(self):
        """Forgets all sequences."""
        for seq in list(self._sequences):
            self.remove_sequence(seq)
        self._batch = None

    def _row(self):
        if not self._free:
            raise TVMError(f"all rows of the state are taken by {len(self._sequences)} sequences")
        return self._free.pop(0)

    def add_sequence(self, seq):
        """A sequence whose states are the initial ones."""
        if seq in self._sequences:
            raise TVMError(f"the state has a sequence {seq} already")
        one = self._sequences[seq] = _Sequence(self._row())
        for layer in self._arrays:
            for i, value in enumerate(self._initial):
                self._write(layer, i, one.row, np.broadcast_to(value, (self._history,) + value.shape))

    def remove_sequence(self, seq):
        """Its row is free."""
        self._free.append(self._of(seq).row)
        del self._sequences[seq]

    def fork_sequence(self, parent, child, at=-1):
        """A sequence that goes on where another one stands."""
        if at != -1:
            raise TVMError("a state of a recurrent model is forked where it stands (-1)")
        if child in self._sequences:
            raise TVMError(f"the state has a sequence {child} already")
        known = self._of(parent)
        one = self._sequences[child] = _Sequence(self._row(), known.place, known.steps)
        for layer in self._arrays:
            for i in range(len(self._initial)):
                self._write(layer, i, one.row, layer[i].numpy()[known.row])

    def popn(self, seq, count):
        """Takes steps back."""
        one = self._of(seq)
        if count < 0 or count > one.steps:
            raise TVMError(f"sequence {seq} has {one.steps} steps to take back, not {count}")
        one.steps -= count
        one.place = (one.place - count) % self._history

    def _of(self, seq):
        if seq not in self._sequences:
            raise TVMError(f"the state has no sequence {seq}")
        return self._sequences[seq]

    @staticmethod
    def _write(layer, i, row, values):
        data = layer[i].numpy()
        data[row] = values
        layer[i].copyfrom(data)

    # ---- a step ----

    def begin_forward(self, seqs, lengths, tree=None):
        """A step of some sequences, each by so many tokens."""
        seqs, lengths = list(seqs), list(lengths)
        if len(seqs) != len(lengths):
            raise TVMError(f"{len(seqs)} sequences grow, by {len(lengths)} numbers of tokens")
        if tree is not None:
            raise TVMError("a state of a recurrent model does not follow a tree of tokens")
        self._batch = [(self._of(seq), length) for seq, length in zip(seqs, lengths)]

    def _here(self):
        if self._batch is None:
            raise TVMError("a state is read and written between begin_forward and end_forward")
        return [_array(np.array([getattr(one, name) for one, _ in self._batch], "int32")) for name in ("row", "place")]

    def get(self, layer, state, out):
        """The newest values of the batch."""
        self._gets[state](self._arrays[layer][state], *self._here(), out)
        return out

    def set(self, layer, state, values):
        """The next values of the batch."""
        self._sets[state](self._arrays[layer][state], *self._here(), values)
        return self

    def end_forward(self):
        """What was written is the newest; what many tokens did at once is not taken back."""
        if self._batch is None:
            raise TVMError("there is no step that could end")
        for one, length in self._batch:
            one.place = (one.place + 1) % self._history
            one.steps = min(one.steps + 1, self._history - 1) if length == 1 else 0
        self._batch = None

    def debug_get(self, layer, state, seq, out):
        """Copies the newest value of a sequence."""
        one = self._of(seq)
        out.copyfrom(self._arrays[layer][state].numpy()[one.row, one.place])


def _array(data):
    from ..runtime.ndarray import array

    return array(data)


METHODS = {"vm.builtin.kv_state_" + name: getattr(RNNState, name)
           for name in ("clear", "add_sequence", "remove_sequence", "fork_sequence", "popn", "begin_forward", "end_forward")}

register_func("vm.builtin.rnn_state_create", RNNState, override=True)
register_func("vm.builtin.rnn_state_get", RNNState.get, override=True)
register_func("vm.builtin.rnn_state_set", RNNState.set, override=True)
register_func("vm.builtin.rnn_state_debug_get", RNNState.debug_get, override=True)
