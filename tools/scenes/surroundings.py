"""What is not an object: backgrounds, distractor shapes, light, and the camera's blur and noise."""
import cv2
import numpy as np

from pen import arc, box
from shapes import color

SIDE = 704  # of the texture tiles; a scene is at most 640


def _tiles():
    """Fixed grain and cloud tiles, made once: a scene takes random crops of them."""
    rng = np.random.default_rng(20260101)
    clouds = []
    for _ in range(4):
        sum_ = np.zeros((SIDE, SIDE), np.float32)
        for octave in range(2, 8):
            coarse = rng.normal(size=(2 ** octave, 2 ** octave)).astype(np.float32)
            sum_ += cv2.resize(coarse, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC) / 2 ** (octave * 0.8)
        clouds.append((sum_ / np.abs(sum_).max() * 127).astype(np.int8))
    grain = rng.normal(0, 24, (SIDE, SIDE, 3)).round().clip(-127, 127).astype(np.int8)
    return clouds, grain


CLOUDS, GRAIN = _tiles()


def crop(rng, tile, w, h):
    y, x = rng.integers(0, SIDE - h + 1), rng.integers(0, SIDE - w + 1)
    return tile[y:y + h, x:x + w]


def cloud(rng, w, h, zoom=1.0):
    """f32 [h, w] in about [-1, 1]; zoom > 1 is smoother."""
    small = crop(rng, CLOUDS[rng.integers(len(CLOUDS))], max(8, int(w / zoom)), max(8, int(h / zoom)))
    return cv2.resize(small.astype(np.float32), (w, h)) / 127


def _flat(image, rng):
    image[:] = color(rng, saturation=(0, 0.6), value=(0.2, 0.95))


def _gradient(image, rng):
    a, b = (np.array(color(rng, saturation=(0, 0.6), value=(0.2, 1)), np.float32) for _ in range(2))
    corners = np.stack([a, b, (a + b) / 2, b * rng.uniform(0.6, 1)])[rng.permutation(4)].reshape(2, 2, 3)
    cv2.resize(corners, (image.shape[1], image.shape[0]), dst=corners, interpolation=cv2.INTER_LINEAR)
    image[:] = cv2.resize(corners, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR)


def _stripes(image, rng):
    h, w = image.shape[:2]
    _flat(image, rng)
    c, step, turn = color(rng, saturation=(0, 0.7)), rng.uniform(14, 70), rng.uniform(0, np.pi)
    d, n = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    reach, width = w + h, int(max(1, step * rng.uniform(0.1, 0.6)))
    for k in np.arange(-reach, reach, step):
        p = np.array([w, h]) / 2 + n * k
        cv2.line(image, tuple(map(int, p - d * reach)), tuple(map(int, p + d * reach)), c, width, cv2.LINE_AA)


def _tiled(image, rng):
    h, w = image.shape[:2]
    tw, th = rng.uniform(25, 100), rng.uniform(18, 80)
    a, joint = color(rng, saturation=(0, 0.7), value=(0.3, 0.95)), color(rng, saturation=(0, 0.3))
    image[:] = joint
    offset, vary, gap = rng.choice([0.0, 0.5]), rng.uniform(0, 0.3), rng.uniform(1, 4)
    for row in range(int(h / th) + 1):
        for column in range(-1, int(w / tw) + 1):
            x, y = (column + offset * (row % 2)) * tw, row * th
            c = np.clip(np.array(a) * (1 + rng.uniform(-vary, vary)), 0, 255)
            cv2.rectangle(image, (int(x + gap), int(y + gap)), (int(x + tw - 1), int(y + th - 1)), c.tolist(), -1)


def _planks(image, rng):
    h, w = image.shape[:2]
    c, th = np.array(color(rng, (0.04, 0.12), (0.2, 0.7), (0.3, 0.9))), rng.uniform(25, 90)
    for y in np.arange(0, h, th):
        image[int(y):int(y + th)] = np.clip(c * rng.uniform(0.8, 1.15), 0, 255)
        cv2.line(image, (0, int(y)), (w, int(y)), (c * 0.4).tolist(), 2)
    streaks = cv2.resize(cloud(rng, 24, h), (w, h))
    add(image, streaks * rng.uniform(10, 40))


def _blobs(image, rng):
    h, w = image.shape[:2]
    _flat(image, rng)
    for _ in range(rng.integers(8, 40)):
        at, axes = rng.uniform(0, 1, 2) * [w, h], rng.uniform(8, 90, 2)
        cv2.ellipse(image, tuple(map(int, at)), tuple(map(int, axes)), rng.uniform(0, 180), 0, 360,
                    color(rng, saturation=(0, 0.8)), -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        k = int(rng.integers(4, 20)) * 2 + 1
        image[:] = cv2.blur(cv2.blur(image, (k, k)), (k, k))


def _horizon(image, rng):
    h, w = image.shape[:2]
    y = int(h * rng.uniform(0.3, 0.75))
    for part in (image[:y], image[y:]):
        (_gradient if rng.random() < 0.5 else FILLS[rng.integers(len(FILLS) - 1)])(part, rng)


FILLS = [_flat, _gradient, _stripes, _tiled, _planks, _blobs, _horizon]


def add(image, plane):
    """image += f32 or s16 [h, w], on every channel."""
    plane = plane.astype(np.int16)
    cv2.add(image, cv2.merge([plane] * 3), dst=image, dtype=cv2.CV_8U)


def background(image, rng):
    FILLS[rng.integers(len(FILLS))](image, rng)
    if rng.random() < 0.8:
        h, w = image.shape[:2]
        add(image, cloud(rng, w, h, rng.uniform(1, 4)) * rng.uniform(10, 70))


def distractor(pen, rng):
    """A shape of no class: polygon, star, bar, ring, plate, cross, scribble, letter or leaf."""
    c, kind = color(rng, saturation=(0, 0.95)), rng.integers(9)
    if kind == 0:
        n = int(rng.integers(3, 8))
        pen.fill(arc(0, 0, 0.5, 0.5, 0, 360 - 360 / n, n) * rng.uniform(0.6, 1, (n, 1)), c)
    elif kind == 1:
        n = int(rng.integers(4, 9))
        pen.fill(arc(0, 0, 0.5, 0.5, 0, 360 - 180 / n, 2 * n) * np.tile([1, rng.uniform(0.3, 0.6)], n)[:, None], c)
    elif kind == 2:
        pen.fill(box(-0.5, -0.1, 0.5, rng.uniform(-0.05, 0.1)), c)
    elif kind == 3:
        pen.line(arc(0, 0, 0.45, rng.uniform(0.2, 0.45)), rng.uniform(0.04, 0.15), c, closed=True)
    elif kind == 4:
        a, b = rng.uniform(0.2, 0.5, 2)
        pen.fill(box(-a, -b, a, b), c)
        pen.fill(box(-a * 0.8, -b * 0.8, a * 0.8, b * 0.8), color(rng))
    elif kind == 5:
        t = rng.uniform(0.06, 0.15)
        pen.fill(box(-0.45, -t, 0.45, t), c)
        pen.fill(box(-t, -0.45, t, 0.45), c)
    elif kind == 6:
        pen.line(np.cumsum(rng.normal(0, 0.2, (7, 2)), 0).clip(-0.5, 0.5), rng.uniform(0.02, 0.08), c)
    elif kind == 7:
        at = pen.pixels([[-0.4, 0.3]])[0] // 16
        for canvas, ink in ((pen.image, c), (pen.mask, 255)):
            cv2.putText(canvas, chr(rng.integers(65, 91)) if ink is c else "", tuple(map(int, at)),
                        cv2.FONT_HERSHEY_DUPLEX, max(0.3, pen.size / 28), ink, max(1, int(pen.size / 14)), cv2.LINE_AA)
    else:
        half = arc(0, 0.3, 0.5, 0.55, 200, 340, 12)
        pen.fill(np.concatenate([half, half[::-1] * [1, -1] + [0, 0.0]]), c)


def camera(image, rng):
    """Light across the scene, color cast, blur, grain. Works in place on u8 [h, w, 3]."""
    h, w = image.shape[:2]
    gain = rng.uniform(0.65, 1.3) * (1 + rng.uniform(-0.3, 0.3, (2, 2, 1))) * (1 + rng.uniform(-0.1, 0.1, 3))
    gain = cv2.resize((gain * 128).clip(20, 255).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
    cv2.multiply(image, gain.astype(np.uint8), dst=image, scale=1 / 128)
    kind, strength = rng.random(), rng.random() ** 2
    if kind < 0.3:
        cv2.GaussianBlur(image, (0, 0), 0.4 + 1.6 * strength * max(h, w) / 640, dst=image)
    elif kind < 0.42:
        length = 3 + int(8 * strength * max(h, w) / 640)
        kernel, turn = np.zeros((length, length), np.float32), rng.uniform(0, np.pi)
        d = np.array([np.cos(turn), np.sin(turn)]) * length / 2
        cv2.line(kernel, tuple(np.round(length / 2 - d).astype(int).tolist()),
                 tuple(np.round(length / 2 + d).astype(int).tolist()), 1.0, 1)
        image[:] = cv2.filter2D(image, -1, kernel / max(kernel.sum(), 1))
    if rng.random() < 0.7:
        strength = 0.6 * rng.random() ** 2
        grain = cv2.multiply(crop(rng, GRAIN, w, h), np.ones(1), scale=strength, dtype=cv2.CV_16S)
        cv2.add(image, grain, dst=image, dtype=cv2.CV_8U)
