"""Scores at random."""
import json
import os

from .cost_model import PyCostModel

_FORMAT = "loopscope-random-state"
_WORDS = 624                    # of the Mersenne twister
_MOST = 64 * 1024               # characters of a state; it takes some 7,000


def _is_count(value, most):
    return type(value) is int and 0 <= value <= most


def _state_of(data):
    """The state that the data of a file describe, or None."""
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        return None
    words, kept = data.get("words"), data.get("gauss")
    if not isinstance(words, list) or len(words) != _WORDS or not all(_is_count(word, 2**32 - 1) for word in words):
        return None
    if not _is_count(data.get("at"), _WORDS) or not (kept is None or type(kept) is float):
        return None
    import numpy as np

    return "MT19937", np.array(words, "uint32"), data["at"], int(kept is not None), kept or 0.0


class RandomModel(PyCostModel):
    """Uniform scores below max_range; its state can be saved."""

    def __init__(self, *, seed=None, path=None, max_range=100):
        import numpy as np

        self.max_range = max_range
        self.random_state = np.random.RandomState(seed).get_state()
        if path is not None:
            self.load(path)

    def load(self, path):
        """Reads what save wrote: numbers as JSON.  Nothing else is, a pickle least of all: it is a program."""
        with open(path, "rb") as file:
            text = file.read(_MOST + 1)
        try:
            state = _state_of(json.loads(text.decode("ascii"))) if len(text) <= _MOST else None
        except (ValueError, RecursionError):
            state = None
        if state is None:
            raise ValueError(f"{os.fspath(path)}: expected the state of a RandomModel as its save writes it (JSON); pickles and arrays of numpy, "
                             "as earlier versions wrote them, are not read: save the model anew")
        self.random_state = state

    def save(self, path):
        """Writes the state as JSON."""
        _, words, at, has_gauss, kept = self.random_state
        data = {"format": _FORMAT, "words": [int(word) for word in words], "at": int(at), "gauss": float(kept) if has_gauss else None}
        with open(path, "w", encoding="ascii") as file:
            json.dump(data, file)

    def update(self, context, candidates, results):
        """It learns nothing."""

    def predict(self, context, candidates):
        import numpy as np

        draw = np.random.RandomState()
        draw.set_state(self.random_state)
        scores = draw.rand(len(candidates)) * self.max_range
        self.random_state = draw.get_state()
        return scores
