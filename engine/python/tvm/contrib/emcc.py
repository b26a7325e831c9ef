"""Emscripten: needs its compiler, emcc."""
from ._library import run, tool


def create_tvmjs_wasm(output, objects, options=None, cc="emcc", libs=None):
    """Links objects to a module of WebAssembly."""
    compiler = tool([cc], "WebAssembly")
    inputs = [objects] if isinstance(objects, str) else list(objects)
    run([compiler, "-O3", "-o", output, *inputs, *(options or []), *(libs or [])], "Compilation")


create_tvmjs_wasm.object_format = "bc"
