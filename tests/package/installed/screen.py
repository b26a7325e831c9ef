"""A display of one's own, and what is on it.

The frame buffer is read from Xvfb's own file, so that no other tool is needed.
"""
import os
import struct
import subprocess
import sys
import zlib

WIDTH, HEIGHT = 1280, 800
FEW = 60                        # colours of an empty window


def display(folder):
    """(process, name) of a display whose number Xvfb chooses."""
    ours, theirs = os.pipe()
    # It ends with us, however we end.
    server = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", "Xvfb", "-displayfd", str(theirs), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", folder, "-nolisten", "tcp"],
                              pass_fds=[theirs], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        number = pipe.readline().strip()
    if not number:
        sys.exit("Xvfb does not start")
    return server, ":" + number


def rows(path):
    """The rows of an XWD file of 32 bits a pixel, as RGB."""
    with open(path, "rb") as file:
        data = file.read()
    head = struct.unpack(">25I", data[:100])
    size, width, height, order, line, colours = head[0], head[4], head[5], head[7], head[12], head[19]
    at = size + colours * 12
    for y in range(height):
        row = data[at + y * line:at + y * line + width * 4]
        blue, green, red = (row[0::4], row[1::4], row[2::4]) if order == 0 else (row[3::4], row[2::4], row[1::4])
        rgb = bytearray(width * 3)
        rgb[0::3], rgb[1::3], rgb[2::3] = red, green, blue
        yield bytes(rgb)


def colours(image):
    return len({row[at:at + 3] for row in image for at in range(0, len(row), 3)})


def write_png(path, image):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", len(image[0]) // 3, len(image), 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in image))) + chunk(b"IEND", b""))
