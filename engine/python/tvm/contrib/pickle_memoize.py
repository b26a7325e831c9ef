"""Results of functions kept while the program runs."""
import functools


def memoize(key, save_at_exit=False):
    """Decorator: equal arguments, the same result."""

    def make(func):
        known = {}

        @functools.wraps(func)
        def wrapper(*args):
            if args not in known:
                known[args] = func(*args)
            return known[args]

        return wrapper

    return make
