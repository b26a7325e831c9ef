"""The engine's own model: a ridge regression of the logarithm of the time on counts of the program (engine/tune/features.c, model.c)."""
import json

import _loopscope as _core

from ...error import _reading
from .cost_model import PyCostModel


class RidgeModel(PyCostModel):
    """Learns from every measurement; scores are calls per second that are expected, over the fastest that was measured;
    at random until it learned enough."""

    _KIND = "ridge"

    def __init__(self):
        self._model = _core.TuneModel(self._KIND)
        self._seen = []
        self._counted = {}              # structural hash -> features

    def _learn(self, features, seconds):
        self._model.learn(features, seconds)
        self._seen.append([features, seconds])

    def load(self, path):
        self._model, self._seen = _core.TuneModel(self._KIND), []
        with open(path, "rb") as file, _reading(path):
            for features, seconds in json.loads(file.read().decode("utf-8")):
                self._learn(features, seconds)

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self._seen, file)

    def update(self, context, candidates, results):
        for candidate, result in zip(candidates, results):
            if result.run_secs:
                seconds = sorted(float(x) for x in result.run_secs)
                self._learn(self._features(candidate.sch.mod), seconds[len(seconds) // 2])

    def _features(self, mod):
        key = _core.structural_hash(mod, False)
        if key not in self._counted:
            self._counted[key] = _core.tune_features(mod)
        return self._counted[key]

    def predict(self, context, candidates):
        import numpy as np

        if not self._seen or self._model.predict(self._seen[0][0]) != self._model.predict(self._seen[0][0]):
            return np.random.RandomState(context._draw_seed()).uniform(size=len(candidates))
        fastest = min((seconds for _, seconds in self._seen if seconds > 0), default=1.0)
        return np.array([fastest / np.exp(self._model.predict(self._features(candidate.sch.mod))) for candidate in candidates])
