"""What models of cost see of a program."""
from .utils import Named, missing


class FeatureExtractor(Named):
    """Its extract_from (context, candidates) gives an array for each candidate."""

    def extract_from(self, context, candidates):
        """The arrays."""
        raise NotImplementedError

    @staticmethod
    def create(kind, *args, **kwargs):
        """By name: "per-store-feature"."""
        if isinstance(kind, FeatureExtractor):
            return kind
        if kind != "per-store-feature":
            raise ValueError(f"there is no feature extractor {kind}; there is per-store-feature")
        return PerStoreFeature(*args, **kwargs)


class PyFeatureExtractor(FeatureExtractor):
    """A base for extractors written in Python."""

    extract_from = missing("extract_from")


class RandomFeatureExtractor(PyFeatureExtractor):
    """Numbers at random."""

    def __init__(self, *, feature_size=30, max_block_num=5, seed=0):
        import numpy as np

        self.feature_size, self.max_block_num = feature_size, max_block_num
        self.random_state = np.random.RandomState(seed).get_state()

    def extract_from(self, context, candidates):
        import numpy as np

        from ..runtime.ndarray import array

        draw = np.random.RandomState()
        draw.set_state(self.random_state)
        found = [draw.rand(draw.randint(1, self.max_block_num + 1), self.feature_size) for _ in candidates]
        self.random_state = draw.get_state()
        return [array(x) for x in found]


class PerStoreFeature(FeatureExtractor):
    """Numbers for each store of a program: _store_features.py."""

    def __init__(self, buffers_per_store=5, arith_intensity_curve_num_samples=10, cache_line_bytes=64, extract_workload=False):
        self.buffers_per_store, self.arith_intensity_curve_num_samples = buffers_per_store, arith_intensity_curve_num_samples
        self.cache_line_bytes, self.extract_workload = cache_line_bytes, extract_workload
        self.feature_vector_length = 57 + 18 * buffers_per_store + arith_intensity_curve_num_samples + 7 + (8 if extract_workload else 0)

    def extract_from(self, context, candidates):
        from ..runtime.ndarray import array, empty
        from ._store_features import store_features, workload_numbers

        more = workload_numbers(context.mod) if self.extract_workload else []
        found = []
        for candidate in candidates:
            rows = [row + more for row in store_features(self, candidate.sch.mod, "gpu" in context.target.keys)]
            found.append(array(self._as_array(rows)) if rows else empty((0, self.feature_vector_length), "float64"))
        return found

    @staticmethod
    def _as_array(rows):
        import numpy as np

        return np.array(rows, dtype="float64")


create = FeatureExtractor.create
