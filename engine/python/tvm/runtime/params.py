"""Dictionaries of arrays as bytes and as files."""
from .ndarray import load_param_dict, save_param_dict


def save_param_dict_to_file(params, path):
    """The arrays into a file."""
    data = save_param_dict(params)
    with open(path, "wb") as file:
        file.write(bytes(data))


def load_param_dict_from_file(path):
    """The arrays of a file."""
    with open(path, "rb") as file:
        return load_param_dict(file.read())
