"""Apple's tools: need xcrun."""
from ._library import run, tool


def xcrun(cmd):
    """What a tool of Xcode says."""
    return run([tool(["xcrun"], "Apple's toolchain"), *cmd], "xcrun").strip().decode()


def create_dylib(output, objects, arch, sdk="macosx", min_os_version=None):
    """Links objects to a library."""
    compiler = xcrun(["-sdk", sdk, "-find", "clang++"])
    inputs = [objects] if isinstance(objects, str) else list(objects)
    run([compiler, "-dynamiclib", "-arch", arch, "-isysroot", xcrun(["-sdk", sdk, "--show-sdk-path"]),
         *([f"-mmacosx-version-min={min_os_version}"] if min_os_version else []), "-o", output, *inputs], "Compilation")


create_dylib.output_format = "dylib"


def compile_metal(code, path_target=None, sdk="macosx", min_os_version=None):
    """A library of Metal's shaders of their text."""
    del min_os_version
    import os
    import tempfile

    xcrun(["-sdk", sdk, "-find", "metal"])
    with tempfile.TemporaryDirectory(prefix="loopscope-metal-") as folder:
        source, middle = os.path.join(folder, "k.metal"), os.path.join(folder, "k.air")
        with open(source, "w", encoding="utf-8") as file:
            file.write(code)
        target = path_target or os.path.join(folder, "k.metallib")
        xcrun(["-sdk", sdk, "metal", "-O3", "-c", source, "-o", middle])
        xcrun(["-sdk", sdk, "metallib", middle, "-o", target])
        with open(target, "rb") as file:
            return bytearray(file.read())


def compile_coreml(model, model_name="main", out_dir="."):
    """The folder of a model of coremltools, compiled."""
    import os

    package = os.path.join(out_dir, model_name + ".mlmodel")
    model.save(package)
    xcrun(["coremlcompiler", "compile", package, out_dir])
    return os.path.join(out_dir, model_name + ".mlmodelc")
