"""Refining the best records of a search."""


class PostOpt:
    """Not offered: droplet search refines a database that a finished search left."""

    def __init__(self, work_dir, target, trials=100):
        self.work_dir, self.target, self.trials = work_dir, target, trials

    def run(self):
        """Not offered."""
        raise NotImplementedError("droplet search is not offered")
