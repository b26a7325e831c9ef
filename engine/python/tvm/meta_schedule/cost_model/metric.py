"""How good a ranking is."""


def max_curve(trial_scores):
    """The largest of the first one, two, ... scores."""
    import numpy as np

    return np.maximum.accumulate(np.append(-np.inf, trial_scores))[1:].reshape(np.shape(trial_scores)) if len(trial_scores) else np.empty(0)
