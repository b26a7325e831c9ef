"""What is wrong with a script."""


class ParserError(Exception):
    """An error at a place."""

    def __init__(self, node, msg):
        super().__init__(msg)
        self.node = node
