"""display, Code, HTML, Image: shown below the cell."""
import base64


class Code:
    """Program text."""

    def __init__(self, data=None, language=None, **_):
        self.data = str(data)
        self.language = language or ""

    def __repr__(self):
        return self.data


class HTML:
    """HTML is shown as its text."""

    def __init__(self, data=None, **_):
        self.data = str(data)

    def __repr__(self):
        return self.data


Markdown = Pretty = HTML


class Image:
    """A PNG, of bytes or of a file."""

    def __init__(self, data=None, filename=None, **_):
        if filename is not None:
            with open(filename, "rb") as file:
                data = file.read()
        self.data = data

    def _repr_png_(self):
        return self.data if isinstance(self.data, bytes) else base64.b64decode(self.data)


class SVG:
    """An SVG text."""

    def __init__(self, data=None, **_):
        self.data = str(data)

    def _repr_svg_(self):
        return self.data


def display(*values, **_):
    """Shows the values below the cell."""
    from loopscope_kernel import shows

    shows.display(*values)


def clear_output(wait=False):
    """Does nothing: output stays."""
