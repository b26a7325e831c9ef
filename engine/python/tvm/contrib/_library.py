"""Functions of libraries that are not here: found by name, and told by name where they are missing."""


def needed(name):
    """The registered function of a name; raises where there is none."""
    from .. import get_global_func

    found = get_global_func(name, allow_missing=True)
    if found is None:
        raise ValueError(f"Cannot find global function {name}: the library that has it is not here")
    return found


def asked(name, *args):
    """What the function says; None where there is none."""
    from .. import get_global_func

    found = get_global_func(name, allow_missing=True)
    return None if found is None else found(*args)


def tool(names, what):
    """The first of some programs that is here; raises where none is."""
    import shutil

    for name in names:
        path = shutil.which(name)
        if path:
            return path
    raise RuntimeError(f"{what} needs one of the programs {', '.join(names)}, and none is here")


def run(command, what):
    """Runs a program; raises with what it said where it fails."""
    import subprocess

    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{what} error:\n{done.stdout.decode(errors='replace')}")
    return done.stdout
