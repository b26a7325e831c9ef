"""C and C++ through clang."""
import os
import shutil
import subprocess
import tempfile


def find_clang(required=True):
    """The compilers that are installed, the best first."""
    names = ["clang-19", "clang-20", "clang-18", "clang"] + [f"clang-{n}" for n in range(17, 13, -1)]
    found = [path for path in map(shutil.which, names) if path]
    if required and not found:
        raise RuntimeError("cannot find clang")
    return found


def create_llvm(inputs, output=None, options=None, cc=None):
    """LLVM's text of C or C++ code (a text or file names)."""
    cc = cc or find_clang()[0]
    inputs = [inputs] if isinstance(inputs, str) else list(inputs)
    with tempfile.TemporaryDirectory(prefix="loopscope-") as folder:
        files = []
        for i, code in enumerate(inputs):
            if os.path.isfile(code) and len(code) < 4096:
                files.append(code)
            else:
                files.append(os.path.join(folder, f"input{i}.cc"))
                with open(files[-1], "w", encoding="utf-8") as file:
                    file.write(code)
        output = output or os.path.join(folder, "output.ll")
        done = subprocess.run([cc, "-S", "-emit-llvm", "-o", output] + list(options or []) + files, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError("Compilation error:\n" + done.stderr)
        with open(output, encoding="utf-8") as file:
            return file.read()
