"""A function of a larger module that is tuned by itself."""


class ExtractedTask:
    """Its name, module, target and how often it is called."""

    def __init__(self, task_name, mod, target, dispatched, weight):
        self.task_name, self.mod, self.target, self.dispatched, self.weight = task_name, mod, target, dispatched, weight
