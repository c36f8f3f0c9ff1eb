"""Files whose content is odd: cut, damaged, mislabelled, declaring what they cannot hold, and the rare but right."""
import zlib

import pictures
from account import Account
from harness import ANY, BAD, GOOD

SOURCES = ("baseline.jpg", "progressive.jpg", "cmyk_adobe.jpg", "ycck_adobe.jpg", "rgb8.png", "rgb8_adam7.png", "rgb16.png",
           "palette8.png", "lossless.webp", "lossy.webp", "alpha.webp", "animated.webp", "24.bmp", "8.bmp", "rle8.bmp", "p6.ppm",
           "p3.ppm")


def account(stress, files):
    """`files`: (name, bytes, fate); stems get numbers that make them differ, and image ids of COCO. A photo opens and
    closes the folder, so a bad first or last one has good company."""
    folder = stress.fresh("photos")
    white = pictures.png(9, 9, (b"\0" + b"\xff" * 27) * 9)
    files = [("whole.jpg", pictures.practice(1)[0].read_bytes(), GOOD), *files, ("white.png", white, GOOD)]
    fates = {}
    for number, (name, data, fate) in enumerate(files):
        kind, _, extension = name.rpartition(".")
        path = folder / f"{kind}-{number:04}.{extension}"
        path.write_bytes(data)
        fates[path] = fate
    return Account(stress, fates)


def truncated(stress, runs):
    files = []
    for name in SOURCES:
        whole = pictures.image(name)
        for cut in pictures.interesting_cuts(name, whole):
            # What an ending may lack (end markers, padding, later frames) differs by format; in front of it nothing.
            files.append((name, whole[:cut], BAD if cut <= len(whole) // 4 else ANY))
    for photo in pictures.practice(2):
        whole = photo.read_bytes()
        files += [(f"{photo.stem}.jpg", whole[:len(whole) * part // 100], BAD) for part in (10, 50, 90)]
    account(stress, files).cross(runs)


def damaged(stress, runs):
    files = []
    for name in SOURCES:
        whole = pictures.image(name)
        files += [(name, pictures.damaged(whole, stress.random, times), ANY) for times in (1, 2, 5, 20)]
    for photo in pictures.practice(6):
        files.append((f"{photo.stem}.jpg", pictures.damaged(photo.read_bytes(), stress.random, 5), ANY))
    account(stress, files).cross(runs)


def mislabelled(stress, runs):
    png, jpeg, webp = (pictures.image(n) for n in ("rgb8.png", "baseline.jpg", "lossy.webp"))
    noise = bytes(stress.random.randrange(256) for _ in range(3000))
    account(stress, [
        ("png.jpg", png, GOOD), ("jpeg.png", jpeg, GOOD), ("webp.bmp", webp, GOOD), ("bmp.webp", pictures.image("24.bmp"), GOOD),
        ("upper.JPG", jpeg, GOOD), ("double.png.jpg", png, GOOD), ("none.dat", jpeg, GOOD),
        ("text.jpg", b"This is no photo.\n" * 50, BAD), ("script.png", b"#!/bin/sh\necho hello\n", BAD), ("json.jpg", b"{}", BAD),
        ("empty.jpg", b"", BAD), ("empty.png", b"", BAD), ("zeros.jpg", bytes(100000), BAD), ("noise.jpg", noise, BAD),
        ("noise.png", b"\x89PNG\r\n\x1a\n" + noise, BAD), ("noise.webp", b"RIFF\xb8\x0b\0\0WEBP" + noise, BAD),
        ("marks.jpg", b"\xff\xd8\xff" + b"\xff" * 5000, BAD), ("gif.png", pictures.gif(), BAD), ("gif.jpg", pictures.gif(1), BAD),
        ("pdf.jpg", b"%PDF-1.4\n", BAD), ("zip.png", b"PK\x03\x04" + noise, BAD), ("tiff.jpg", b"II*\0\x08\0\0\0\0\0", BAD),
        ("tail.jpg", jpeg + noise, GOOD), ("tail.png", png + noise, GOOD), ("two.jpg", jpeg + jpeg, GOOD),
    ]).cross(runs)


def bombs(stress, runs):
    jpeg, png = pictures.image("baseline.jpg"), pictures.image("rgb8.png")
    files = [(f"{w}x{h}.jpg", pictures.jpeg_of_size(jpeg, w, h), BAD) for w, h in
             ((65535, 65535), (65500, 65500), (65535, 1), (1, 65535), (16000, 16000), (0, 0), (5000, 0), (0, 7))]
    files += [(f"{w}x{h}.png", pictures.png_of_size(png, w, h), BAD) for w, h in
              ((65535, 65535), (2**31 - 1, 2**31 - 1), (2**31 - 1, 1), (1, 2**32 - 1), (16000, 16000), (0, 5), (5, 0))]
    files += [("w.bmp", pictures.bmp_of_size(pictures.image("24.bmp"), w, h), BAD) for w, h in
              ((65535, 65535), (2**31 - 1, 2**31 - 1), (-5, 5), (5, -2**31), (20000, 10000), (0, 0))]
    files += [("w.webp", pictures.webp_of_size(pictures.image("lossless.webp"), w, h), BAD) for w, h in ((16384, 16384), (9000, 9000))]
    files += [("n.ppm", b"P6\n%s %s\n255\n" % (w, h) + b"x" * 300, BAD) for w, h in
              ((b"65535", b"65535"), (b"99999999999999999999", b"1"), (b"-1", b"5"), (b"15000", b"15000"))]
    # Small files of large pictures that are right; and text of which PNG may hold any amount.
    text = pictures.chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(80 << 20), 9))
    files += [("deflated.png", pictures.one_bit_png(6000, 6000), GOOD), ("ruler.png", pictures.one_bit_png(60000, 30), GOOD),
              ("text.png", pictures.png(2, 2, (b"\0" + b"\xff" * 6) * 2, extra=text), ANY)]
    account(stress, files).cross(runs)


def rare(stress, runs):
    """Right, if unusual: all of testdata's kinds, one pixel, one row, one column, animations."""
    kinds = sorted(p.name for p in pictures.IMAGES.iterdir() if p.suffix in (".bmp", ".jpg", ".pgm", ".png", ".ppm", ".webp"))
    files = [(name, pictures.image(name), GOOD) for name in kinds]
    files += [(f"{w}x{h}.png", pictures.one_bit_png(w, h), GOOD) for w, h in ((1, 1), (1, 999), (999, 1), (1, 20000), (20000, 1), (2, 3))]
    files += [("animated.png", pictures.animated_png(), GOOD), ("one.ppm", b"P6 1 1 255 \xff\xff\xff", GOOD)]
    account(stress, files).cross(runs)
