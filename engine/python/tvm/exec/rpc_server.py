"""A program that serves a device to other machines: not offered; `loopscope-measure` is for those that search."""


def main(args=None):
    """Raises."""
    raise NotImplementedError("sessions from afar are not offered: programs run on this machine; loopscope-measure measures for a search elsewhere")


if __name__ == "__main__":
    main()
