"""A plugin of pytest: tests that take `target` and `dev` run once for each target that runs here."""
import pytest

from .fixtures import device_enabled, enabled_targets

MARKERS = {"gpu": "mark a test as requiring a gpu", "tensorcore": "mark a test as requiring a tensorcore", "cuda": "mark a test as requiring cuda",
           "opencl": "mark a test as requiring opencl", "rocm": "mark a test as requiring rocm", "vulkan": "mark a test as requiring vulkan",
           "metal": "mark a test as requiring metal", "hexagon": "mark a test as requiring hexagon", "llvm": "mark a test as requiring llvm",
           "ethosn": "mark a test as requiring ethosn", "corstone300": "mark a test as requiring Corstone300 FVP"}


def pytest_configure(config):
    """The marks that tests of this kind have."""
    for name, text in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {text}")


def pytest_addoption(parser):
    """Nothing beyond pytest's own options."""
    parser.addoption("--gtest_args", action="store", default="", help="options of tests in C++")


def _targets(function):
    excluded = set(getattr(function, "tvm_excluded_targets", ()))
    failing = set(getattr(function, "tvm_known_failing_targets", ()))
    result = []
    for target, _ in enabled_targets():
        kind = target.split()[0]
        if target in excluded or kind in excluded:
            result.append(pytest.param(target, marks=[pytest.mark.skip(reason=f"excluded for {target}")]))
        elif target in failing or kind in failing:
            result.append(pytest.param(target, marks=[pytest.mark.xfail(reason=f"known to fail for {target}")]))
        else:
            result.append(target)
    return result


def pytest_generate_tests(metafunc):
    """Gives a target to the tests that take one and say nothing of it."""
    if "target" not in metafunc.fixturenames or "target" in getattr(metafunc, "_arg2fixturedefs", {}):
        return
    for mark in metafunc.definition.iter_markers("parametrize"):
        names = mark.args[0] if mark.args else mark.kwargs.get("argnames", ())
        names = [x.strip() for x in names.split(",")] if isinstance(names, str) else list(names)
        if "target" in names:
            return
    metafunc.parametrize("target", _targets(metafunc.function), scope="session")


@pytest.fixture
def dev(target):
    """The device of the target."""
    from ..runtime.ndarray import device

    text = str(target).split()[0] if not hasattr(target, "kind") else target.kind.name
    if not device_enabled(target):
        pytest.skip(f"{text} does not run here")
    return device("cpu" if text in ("llvm", "c") else text, 0)
