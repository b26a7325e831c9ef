"""The command line of TVM: not offered; `loopscope-cli` is."""


def main(argv=None):
    """Not offered."""
    raise NotImplementedError("tvmc is not offered; see loopscope-cli")
