"""The process of a worker: contrib.popen_pool forks its workers, nothing has to be started."""


def main():
    """Nothing to be done."""
