"""Pictures to be read or refused: good ones of every kind, and damage done to them. All bytes come from here or testdata."""
import struct
import zlib

import support

IMAGES = support.IMAGES
PRACTICE = support.ROOT / "testdata" / "practice" / "images"


def image(name):
    return (IMAGES / name).read_bytes()


def practice(count):
    return sorted(PRACTICE.iterdir())[:count]


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_header(width, height, depth=8, color=2, interlaced=0):
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced))


def png(width, height, raw, depth=8, color=2, extra=b""):
    return png_header(width, height, depth, color) + extra + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


def one_bit_png(width, height):
    """White; 1/24 of the RGB that it decodes to, and deflated a thousand times again."""
    return png(width, height, (b"\0" + b"\xff" * ((width + 7) // 8)) * height, depth=1, color=0)


def animated_png():
    """Two frames; whoever does not know APNG reads the first."""
    row = b"\0" + b"\xff\xff\xff" * 8
    control = lambda number: chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, 8, 8, 0, 0, 1, 10, 0, 0))
    frame = chunk(b"fdAT", struct.pack(">I", 2) + zlib.compress((b"\0" + bytes(24)) * 8))
    first = chunk(b"acTL", struct.pack(">II", 2, 0)) + control(0)
    return (png_header(8, 8) + first + chunk(b"IDAT", zlib.compress(row * 8)) + control(1) + frame + chunk(b"IEND", b""))


def gif(frames=2):
    picture = b"\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0"
    return b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff" + picture * frames + b";"


def jpeg_segments(data):
    """(marker, offset) of each segment before the first scan's data."""
    at, found = 2, []
    while at + 4 <= len(data) and data[at] == 0xFF:
        found.append((data[at + 1], at))
        if data[at + 1] == 0xDA:
            break
        at += 2 + int.from_bytes(data[at + 2:at + 4], "big")
    return found


def jpeg_of_size(data, width, height):
    """The same bytes, declaring another size."""
    at = next(at for marker, at in jpeg_segments(data) if marker in (0xC0, 0xC1, 0xC2))
    return data[:at + 5] + struct.pack(">HH", height, width) + data[at + 9:]


def png_chunks(data):
    """(kind, offset, length of the body)."""
    at, found = 8, []
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        found.append((data[at + 4:at + 8], at, size))
        at += 12 + size
    return found


def png_of_size(data, width, height):
    body = struct.pack(">II", width, height) + data[24:29]
    return data[:8] + chunk(b"IHDR", body) + data[33:]


def webp_of_size(data, width, height):
    """VP8L only: 14 bits each, less one."""
    at = data.index(b"VP8L") + 9
    bits = int.from_bytes(data[at:at + 4], "little") >> 28 << 28 | (height - 1) << 14 | (width - 1)
    return data[:at] + bits.to_bytes(4, "little") + data[at + 4:]


def bmp_of_size(data, width, height):
    return data[:18] + struct.pack("<ii", width, height) + data[26:]


def interesting_cuts(name, data):
    """Where a file is cut: around every boundary its format has, and in the middle of the data."""
    cuts = {0, 1, 2, 3, 4, 7, 8, 11, 12, 16, len(data) // 4, len(data) // 2, 3 * len(data) // 4, len(data) - 1}
    if name.endswith(".jpg"):
        cuts |= {at + step for _, at in jpeg_segments(data) for step in (0, 1, 3, 4)}
    elif name.endswith(".png"):
        cuts |= {at + step for _, at, size in png_chunks(data) for step in (0, 4, 8, 8 + size)}
    elif name.endswith(".webp"):
        cuts |= {20, 21, 25, 29, 30}
    return sorted(cut for cut in cuts if cut < len(data))


def damaged(data, random, times):
    """Some bytes replaced, after the mark that tells the format."""
    out = bytearray(data)
    for _ in range(times):
        out[random.randrange(3, len(out))] = random.randrange(256)
    return bytes(out)
