"""export_fx.py reads the line of a node off what torch recorded, in either order of the frames; needs no torch."""
import ast
import os
import re
import unittest

import tap

PATH = os.path.join(os.environ["LS_SOURCE_ROOT"], "data", "scripts", "export_fx.py")
MAIN = '  File "run.py", line 3, in <module>\n    export_fx(Net(), x, "net")\n'
LIBRARY = '  File "lib/torch/nn/modules/container.py", line 139, in forward\n    input = module(input)\n'
OWN = '  File "net.py", line 12, in forward\n    x = self.body(x)\n'


def source_of():
    """The function alone: the program around it imports torch."""
    with open(PATH, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "source_of"]
    space = {"re": re, "os": os}
    exec(compile(ast.Module(found, []), PATH, "exec"), space)
    return space["source_of"]


class Source(unittest.TestCase):
    def test_the_models_own_line(self):
        expected = {"file": "net.py", "line": 12, "text": "x = self.body(x)"}
        for trace in (MAIN + OWN, OWN + MAIN, MAIN + OWN + LIBRARY, LIBRARY + OWN + MAIN, OWN):
            self.assertEqual(source_of()(trace), expected)

    def test_nothing_recorded(self):
        self.assertIsNone(source_of()(None))
        self.assertIsNone(source_of()(""))
        self.assertIsNone(source_of()("no frame"))

    def test_no_forward(self):
        self.assertEqual(source_of()(MAIN)["line"], 3)


if __name__ == "__main__":
    tap.main()
