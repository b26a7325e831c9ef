"""Libraries of machine code: export_library writes them, load_module opens them.

An object holds the code and, compiled from library.c beside this file, what it calls and its functions by the convention of TVM's loaders; one for another
kind of processor holds the code alone.  A shared library is linked of such objects by the C compiler of this machine.  A Relax executable stands in a library as bytes, which only our loader reads."""
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

from .module import Module

_VM = "__loopscope_vm"


def _native():
    import _loopscope_native as native

    return native


def compiler(cc=None):
    """The C compiler; None: there is none."""
    return cc or os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def _run(command):
    try:
        found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except OSError as problem:
        raise RuntimeError(f"the C compiler does not start: {problem}") from None
    if found.returncode != 0:
        raise RuntimeError("Compilation error:\n" + found.stdout.decode(errors="replace") + "\nCommand line: " + " ".join(command))


def _text(value):
    """A text as C writes it."""
    return '"' + "".join(chr(c) if 32 <= c < 127 and c not in (34, 92, 63) else f"\\{c:03o}" for c in value.encode()) + '"'


def _glue(names, blob, externs=()):
    """The C source that stands beside the code."""
    with open(os.path.join(os.path.dirname(__file__), "library.c"), encoding="utf-8") as file:
        lines = [file.read()]
    lines += [f"LS_FUNCTION ({i}, {_text(name)})" for i, name in enumerate(names)]
    if names:
        lines.append(f"OPEN const char __tvm_main__[] = {_text('main' if 'main' in names else names[0])};")
        lines.append(f"OPEN const char __loopscope_functions[] = {_text(chr(10).join(names))};")
    if externs:
        lines.append(f"OPEN const char __loopscope_externs[] = {_text(chr(10).join(externs))};")
    if blob is not None:
        path = _text(blob)[1:-1]
        lines.append(f'__asm__ (".section .rodata\\n.balign 16\\n.global {_VM}\\n{_VM}:\\n.incbin \\"{path}\\"\\n.L{_VM}_end:\\n.balign 8\\n'
                     f'.global {_VM}_size\\n{_VM}_size:\\n.quad .L{_VM}_end - {_VM}\\n.text\\n");')
    return "\n".join(lines) + "\n"


def _machine(head):
    """For which processor a file is, by its first 20 bytes; None: it is no ELF file."""
    return (head[4], head[5], head[18:20]) if head[:4] == b"\x7fELF" else None


def _is_foreign(code):
    """Is the code for another kind of processor than this one?"""
    with open(sys.executable, "rb") as file:
        own = _machine(file.read(20))
    return own is not None and _machine(code[:20]) != own


def write_object(path, mod=None, target="llvm", blob=None, cc=None, externs=()):
    """One object file of the functions of an IRModule, or of the bytes of an executable; externs: functions that others of its library have."""
    cc = compiler(cc)
    if cc is None:
        raise RuntimeError("an object is put together by a C compiler, and this machine has none: install gcc, or say cc=")
    with tempfile.TemporaryDirectory(prefix="loopscope-object-") as folder:
        parts, names = [], []
        if mod is not None:
            code, names = _native().object(mod, target)
            bad = [name for name in names if any(c in name for c in "\"\\\n\0")]
            if bad:
                raise ValueError(f"{bad[0]!r} can be no symbol of a library")
            foreign = blob is None and _is_foreign(code)
            parts.append(os.fspath(path) if foreign else os.path.join(folder, "code.o"))
            with open(parts[0], "wb") as file:
                file.write(code)
            if foreign:
                return
        if blob is not None:
            with open(os.path.join(folder, "blob"), "wb") as file:
                file.write(blob)
        source = os.path.join(folder, "glue.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(_glue(names, os.path.join(folder, "blob") if blob is not None else None, externs))
        parts.append(os.path.join(folder, "glue.o"))
        _run([cc, "-x", "c", "-O2", "-fPIC", "-w", "-c", source, "-o", parts[-1]])
        _run([cc, "-r", "-nostdlib", "-o", os.fspath(path)] + parts)


def link(output, objects, cc=None, options=()):
    """A shared library of objects."""
    cc = compiler(cc)
    if cc is None:
        raise RuntimeError("a library is linked by a C compiler, and this machine has none: install gcc, or say cc=")
    _run([cc, "-shared", "-fPIC", "-o", os.fspath(output)] + [os.fspath(name) for name in objects] + list(options or ()) + ["-lm"])


def _join(output, objects, cc=None, options=()):
    if len(objects) == 1 and not options:
        shutil.copyfile(objects[0], output)
        return
    _run([compiler(cc), "-r", "-nostdlib", "-o", os.fspath(output)] + objects + list(options or ()))


def write(file_name, write_objects, fcompile=None, addons=None, workspace_dir=None, cc=None, options=None, **kwargs):
    """A library by the ending of its name: .o an object, .tar an archive of objects, else a shared library.  write_objects (folder) gives the
    objects; fcompile (file_name, objects, ...) puts them together instead."""
    file_name = os.fspath(file_name)
    with tempfile.TemporaryDirectory(prefix="loopscope-library-") as fresh:
        folder = os.fspath(workspace_dir) if workspace_dir is not None else fresh
        os.makedirs(folder, exist_ok=True)
        objects = write_objects(folder, cc) + [os.fspath(name) for name in addons or ()]
        if isinstance(fcompile, str):
            fcompile, cc = None, fcompile
        if fcompile is not None:
            fcompile(file_name, objects, **({"options": options} if options else {}), **({"cc": cc} if cc else {}), **kwargs)
        elif file_name.endswith(".tar"):
            from ..contrib.tar import tar

            tar(file_name, objects)
        elif file_name.endswith((".o", ".obj")):
            _join(file_name, objects, cc, options)
        else:
            link(file_name, objects, cc, options)


class Library(Module):
    """A shared library that was opened."""

    def __init__(self, path):
        super().__init__(kind="library")
        self._library = _native().library_open(os.fspath(path))
        self._found = {}

    def _names(self):
        text = self._library.text("__loopscope_functions")
        return text.split("\n") if text else []

    def implements_function(self, name, query_imports=False):
        """Is there such a function?"""
        return self._function(name) is not None

    def _function(self, name):
        if name == self.entry_name:
            name = self._library.text(name)
        if name is None:
            return None
        if name not in self._found:
            self._found[name] = self._library.get(name)
        return self._found[name]

    def get_function(self, name, query_imports=False):
        """The function of a name."""
        func = self._function(name)
        if func is None:
            raise AttributeError(f"Module has no function '{name}'")
        return func

    @property
    def entry_func(self):
        """The function that calling the library calls."""
        return self.get_function(self.entry_name)

    def get_source(self, fmt=""):
        """A library has none."""
        raise RuntimeError("a library has no source")

    def save(self, file_name, fmt=""):
        """A library is not written again."""
        raise RuntimeError("a library is not written again: copy its file")


def kind_of(path):
    """What a file is: "shared", "object", "tar", or None."""
    with open(path, "rb") as file:
        head = file.read(20)
    if head[:4] == b"\x7fELF":
        return {1: "object", 3: "shared"}.get(int.from_bytes(head[16:18], "little"), "shared")
    return "tar" if os.fspath(path).endswith(".tar") and tarfile.is_tarfile(path) else None


def open_library(path):
    """A library, or the executable of the virtual machine in it; an object and an archive of objects are linked first.  None: it is another file."""
    kind = kind_of(path)
    if kind is None:
        return None
    with tempfile.TemporaryDirectory(prefix="loopscope-open-") as folder:
        whole = os.path.abspath(path)
        if kind != "shared":
            objects = [whole]
            if kind == "tar":
                from ..contrib.tar import untar

                untar(whole, folder)
                objects = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".o"))
                if not objects:
                    return None
            whole = os.path.join(folder, "linked.so")
            try:
                link(whole, objects)
            except RuntimeError as problem:
                raise ValueError(f"{path}: {problem}") from None
        library = Library(whole)             # it stays mapped when its file goes
    blob = library._library.bytes(_VM)
    if blob is None:
        return library
    from ..relax.vm_build import VMExecutable, machine

    externs = library._library.text("__loopscope_externs")
    if externs:
        from ..relax.transform.attach_external_modules import make_callable

        make_callable([(library, externs.split("\n"))])
    return VMExecutable(machine().vm_load(blob))
