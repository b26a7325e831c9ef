"""loopscope-cli python-path: a fresh Python imports the module from the build tree, and from an installed tree that was moved."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import tap

BUILD = os.environ["LS_BUILD_ROOT"]
PROGRAM = '''
import sys
import tvm
from tvm import te
A = te.placeholder((4,), name="A")
B = te.compute((4,), lambda i: A[i] + 1.0, name="B")
lib = tvm.build(te.create_prim_func([A, B]), target="llvm")
import tvm.relax, tvm.meta_schedule, tvm.topi
print(tvm.__file__)
'''


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def imports_from(cli):
    """Where a Python that has only what python-path says finds tvm."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "LS_PYTHON_PATH")}
    path = run(cli, "python-path", env=env).strip()
    assert json.loads(run(cli, "python-path", "--json", env=env)) == {"path": path}
    return path, run(sys.executable, "-c", PROGRAM, env=dict(env, PYTHONPATH=path)).strip()


class Path(unittest.TestCase):
    def test_build_tree(self):
        path, found = imports_from(os.path.join(BUILD, "app", "cli", "loopscope-cli"))
        self.assertEqual(os.path.join(path, "tvm", "__init__.py"), found)

    @unittest.skipIf("libasan" in os.environ.get("LD_PRELOAD", ""), "a build with sanitizers cannot be installed")
    def test_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            try:
                run("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", folder, env=dict(os.environ, LD_LIBRARY_PATH=""), stderr=subprocess.DEVNULL)
            except (OSError, subprocess.CalledProcessError) as problem:
                self.skipTest(f"meson install does not run here: {problem}")
            cli = run("find", folder, "-path", "*/bin/loopscope-cli", "-type", "f").split()[0]
            path, found = imports_from(cli)
            self.assertTrue(path.startswith(folder) and found.startswith(path), (path, found))
            self.assertTrue(any(name.endswith(".pyc") for name in os.listdir(os.path.join(path, "tvm", "__pycache__"))))

    def test_refuses_words(self):
        cli = os.path.join(BUILD, "app", "cli", "loopscope-cli")
        self.assertEqual(subprocess.run([cli, "python-path", "what"], stderr=subprocess.DEVNULL, check=False).returncode, 2)


tap.main()
