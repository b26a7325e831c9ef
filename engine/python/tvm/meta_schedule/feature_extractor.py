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
            raise ValueError(f"Unknown kind: {kind}")
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
    """Not offered: the models here count programs themselves (engine/tune/features.c)."""

    def __init__(self, buffers_per_store=5, arith_intensity_curve_num_samples=10, cache_line_bytes=64, extract_workload=False):
        self.buffers_per_store, self.cache_line_bytes, self.extract_workload = buffers_per_store, cache_line_bytes, extract_workload
        self.feature_vector_length = 164

    def extract_from(self, context, candidates):
        raise NotImplementedError("the features of each store are not offered")


create = FeatureExtractor.create
