"""Downloads: the engine fetches nothing; files that are there already are taken."""
import os


def download(url, path, overwrite=False, size_compare=False, retries=3):
    """Raises unless the file is there."""
    if os.path.isfile(path) and not overwrite:
        return
    raise RuntimeError(f"{path} is not there, and nothing is fetched from {url}")


def download_testdata(url, relpath, module=None, overwrite=False):
    """The path of a file under TEST_DATA_ROOT_PATH that is there."""
    root = os.environ.get("TEST_DATA_ROOT_PATH", os.path.expanduser("~/.tvm_test_data"))
    path = os.path.join(root, *([module] if isinstance(module, str) else module or []), relpath)
    download(url, path, overwrite)
    return path
