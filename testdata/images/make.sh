#!/bin/sh
# Makes the fixtures of src/image's tests with other people's encoders: ImageMagick 6.9 and Pillow 13 (with numpy) on
# Debian 12, and libturbojpeg for the one file that neither can write. They are kept in the repository; run this only
# to add one (`PYTHON=python3 ./make.sh`). Files differ in bytes between encoder versions, not in what the tests ask.
#
# The picture is 16 x 12: pixel (x, y) = (16 x, 20 y, 7 x y mod 256) for lossless formats ("base"), and a smooth one,
# (15 x, 20 y, 120), for lossy ones ("smooth"). src/image/fixtures.h has the same formulas.
set -eu
cd "$(dirname "$0")"
PYTHON=${PYTHON:-python3}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

"$PYTHON" - "$tmp" <<'PY'
import sys
for name, blue in (("base", lambda x, y: 7 * x * y % 256), ("smooth", lambda x, y: 120)):
    red = 16 if name == "base" else 15
    with open(f"{sys.argv[1]}/{name}.ppm", "wb") as f:
        f.write(b"P6 16 12 255\n" + bytes(v for y in range(12) for x in range(16) for v in (red * x, 20 * y, blue(x, y))))
PY
base=$tmp/base.ppm smooth=$tmp/smooth.ppm

# PNM
cp "$base" p6.ppm
convert "$base" -compress none p3.ppm
convert "$base" -depth 16 p6_16.ppm
"$PYTHON" -c "from PIL import Image; Image.open('$base').convert('L').save('p5.pgm')"  # BT.601 luma
convert p5.pgm -compress none p2.pgm
convert p5.pgm -depth 16 p5_16.pgm

# BMP
convert "$base" -type TrueColor BMP3:24.bmp
convert "$base" -type TrueColor BMP2:os2_24.bmp
convert "$base" -alpha set -type TrueColorAlpha BMP:32_v5.bmp
convert "$base" -define bmp:subtype=RGB565 BMP:565.bmp
convert "$base" -define bmp:subtype=RGB555 BMP:555.bmp
"$PYTHON" -c "from PIL import Image; Image.open('p5.pgm').save('8.bmp')"
convert 8.bmp -compress RLE BMP3:rle8.bmp
convert p5.pgm +dither -colors 8 -type Palette -compress none BMP3:4.bmp
convert "$base" -threshold 50% -type Bilevel BMP3:1.bmp

# PNG: every color type, bit depth and transparency
convert "$base" PNG24:rgb8.png
convert "$base" -interlace PNG PNG24:rgb8_adam7.png
convert "$base" PNG48:rgb16.png
"$PYTHON" -c "from PIL import Image; Image.open('p5.pgm').save('gray8.png')"
convert p5.pgm -depth 16 -define png:color-type=0 -define png:bit-depth=16 gray16.png
convert "$base" -threshold 50% -define png:color-type=0 -define png:bit-depth=1 gray1.png
convert p5.pgm +dither -posterize 4 -define png:color-type=0 -define png:bit-depth=2 gray2.png
convert p5.pgm +dither -posterize 16 -define png:color-type=0 -define png:bit-depth=4 gray4.png

"$PYTHON" - "$tmp" <<'PY'
import ctypes, io, sys
import numpy as np
from PIL import Image, ImageOps

tmp = sys.argv[1]
base, smooth = Image.open(f"{tmp}/base.ppm").convert("RGB"), Image.open(f"{tmp}/smooth.ppm").convert("RGB")
x, y = np.meshgrid(np.arange(16), np.arange(12))
alpha = Image.fromarray((17 * x).astype(np.uint8))  # transparent on the left, opaque on the right

# PNG: palettes of 1, 2, 4, 8 bits (index = x + 16 y mod 2^bits, color i = (3 i, 255 - i, i) mod 256), transparency, eXIf
for bits in (1, 2, 4, 8):
    p = Image.fromarray(((x + 16 * y) % 2**bits).astype(np.uint8), "P")
    p.putpalette([v for i in range(2**bits) for v in (3 * i % 256, 255 - i, i)])
    p.save(f"palette{bits}.png", bits=bits)
p = Image.fromarray(x.astype(np.uint8), "P")
p.putpalette([v for i in range(16) for v in (3 * i % 256, 255 - i, i)])
p.save("palette_trns.png", transparency=bytes(17 * i for i in range(16)))
base.save("rgb8_trns.png", transparency=(16, 20, 7))  # the pixel (1, 1)
rgba = base.copy(); rgba.putalpha(alpha); rgba.save("rgba8.png")
la = base.convert("L"); la.putalpha(alpha); la.save("ga8.png")

# Orientation: the stored picture is turned so that the upright one is always the base
stored = {1: None, 2: Image.FLIP_LEFT_RIGHT, 3: Image.ROTATE_180, 4: Image.FLIP_TOP_BOTTOM, 5: Image.TRANSPOSE,
          6: Image.ROTATE_90, 7: Image.TRANSVERSE, 8: Image.ROTATE_270}
def turned(image, o):
    exif = Image.Exif(); exif[0x0112] = o; exif[0x010F] = "Tessera"
    return (image if o == 1 else image.transpose(stored[o])), exif
for o in range(1, 9):
    im, exif = turned(smooth, o)
    im.save(f"orientation{o}.jpg", exif=exif, quality=95, subsampling=0)
    assert ImageOps.exif_transpose(Image.open(f"orientation{o}.jpg")).size == (16, 12)
    back = ImageOps.exif_transpose(Image.open(f"orientation{o}.jpg"))
    assert np.abs(np.asarray(back, int) - np.asarray(smooth, int)).max() < 12, o
im, exif = turned(base, 6); im.save("orientation6.png", exif=exif)
im, exif = turned(base, 8); im.save("orientation8.webp", exif=exif, lossless=True)

# JPEG
smooth.save("baseline.jpg", quality=95, subsampling=0)
smooth.save("420.jpg", quality=95, subsampling=2)
smooth.save("progressive.jpg", quality=95, subsampling=0, progressive=True)
smooth.convert("L").save("gray.jpg", quality=95)
smooth.convert("CMYK").save("cmyk_adobe.jpg", quality=95)
inks = np.asarray(smooth.convert("CMYK"))
adobe = open("cmyk_adobe.jpg", "rb").read()
plain = io.BytesIO(); Image.fromarray(255 - inks, "CMYK").save(plain, "JPEG", quality=95)  # Pillow inverts: undo it
data = plain.getvalue(); at = data.index(b"\xff\xee"); size = int.from_bytes(data[at + 2:at + 4], "big")
open("cmyk_plain.jpg", "wb").write(data[:at] + data[at + 2 + size:])  # without Adobe's marker: 255 is full ink
tj = ctypes.CDLL("libturbojpeg.so.0"); tj.tjInitCompress.restype = ctypes.c_void_p
out, length = ctypes.c_void_p(), ctypes.c_ulong()
pixels = np.ascontiguousarray(255 - inks).tobytes()
assert tj.tjCompress2(ctypes.c_void_p(tj.tjInitCompress()), pixels, 16, 64, 12, 11, ctypes.byref(out),
                      ctypes.byref(length), 0, 95, 0) == 0  # TJPF_CMYK = 11, TJSAMP_444 = 0: stored as YCCK
open("ycck_adobe.jpg", "wb").write(ctypes.string_at(out, length.value))

# WebP
base.save("lossless.webp", lossless=True)
smooth.save("lossy.webp", quality=95)
rgba.save("alpha.webp", lossless=True, exact=True)
base.save("animated.webp", save_all=True, append_images=[smooth], lossless=True, duration=100)
PY
