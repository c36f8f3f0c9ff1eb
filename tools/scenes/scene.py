"""Composes one scene from a seed: background, objects back to front, occluders, camera; and the exact boxes."""
import cv2
import numpy as np

import surroundings
from pen import Pen, homography
from shapes import CLASSES, NAMES, color

# An object is annotated when at least MIN_VISIBLE of its own pixels show (those outside the picture or under later
# objects do not) and the box of what shows is at least MIN_SIDE of the picture's sides.
MIN_VISIBLE, MIN_SIDE = 0.3, 0.03
MARGIN = 1.6  # an object's pixels lie within this many sizes of its centre
FORMATS = [(1, 1), (4, 3), (3, 4), (3, 2), (2, 3), (16, 9), (9, 16)]


def picture_size(rng):
    a, b = FORMATS[rng.choice(len(FORMATS), p=[0.2, 0.25, 0.13, 0.17, 0.1, 0.1, 0.05])]
    longer = rng.uniform(400, 640)
    return max(320, int(longer * a / max(a, b))), max(320, int(longer * b / max(a, b)))


def contact_shadow(image, rng, x, y, size):
    """A soft dark ellipse under an object."""
    h, w = image.shape[:2]
    x0, y0, x1, y1 = (int(v) for v in (x - size * 0.7, y + size * 0.25, x + size * 0.7, y + size * 0.65))
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(w, x1), min(h, y1)
    if x1 - x0 < 4 or y1 - y0 < 4:
        return
    u, v = np.linspace(-1, 1, x1 - x0)[None], np.linspace(-1, 1, y1 - y0)[:, None]
    gain = 1 - rng.uniform(0.2, 0.6) * np.clip(1 - u * u - v * v, 0, 1)
    image[y0:y1, x0:x1] = image[y0:y1, x0:x1] * gain[..., None]


def light(image, mask, rng, rect):
    """Shading across one object, and sometimes a surface texture."""
    x, y, w, h = rect
    turn, k = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.4)
    u, v = np.linspace(-1, 1, w, dtype=np.float32)[None], np.linspace(-1, 1, h, dtype=np.float32)[:, None]
    gain = 1 + k * (np.cos(turn) * u + np.sin(turn) * v)
    if rng.random() < 0.35 and min(w, h) >= 8:
        gain = gain + rng.uniform(0.1, 0.4) * surroundings.cloud(rng, w, h, rng.uniform(0.3, 1.5) if max(w, h) < 200 else 1.2)
    gain[mask[y:y + h, x:x + w] == 0] = 1
    part = image[y:y + h, x:x + w]
    gain8 = np.clip(gain * 128, 0, 255).astype(np.uint8)
    cv2.multiply(part, cv2.merge([gain8] * 3), dst=part, scale=1 / 128)


def place(rng, taken, w, h, size):
    """A centre: the emptiest of a few tries, or any place."""
    tries = rng.uniform(0.06, 0.94, (6 if rng.random() < 0.75 else 1, 2)) * [w, h]
    if not taken:
        return tries[0]
    t = np.array(taken)
    gaps = np.linalg.norm(tries[:, None] - t[None, :, :2], axis=2) - 0.45 * (t[None, :, 2] + size)
    return tries[gaps.min(1).argmax()]


def draw_object(image, owner, number, rng, name, center, size):
    """Draws one object and marks owner[y, x] = number where it covers. Returns its pixel count, also outside."""
    draw, tilt, lying = CLASSES[name]
    angle = rng.uniform(-tilt, tilt) if rng.random() < 0.6 else rng.uniform(-tilt, tilt) * 0.25
    if rng.random() < lying:
        angle += rng.choice([90, -90])
    matrix = homography(rng, center, size, angle, rng.random() < 0.5)
    reach = int(MARGIN * size * 0.5) + 2
    x0, y0 = int(center[0]) - reach, int(center[1]) - reach
    h, w = owner.shape
    # a roomy mask around the object, so that what lies outside the picture is counted too
    shifted = matrix.copy()
    move = np.eye(3)
    move[:2, 2] = -x0, -y0
    shifted = move @ matrix
    patch = np.zeros((2 * reach, 2 * reach, 3), np.uint8)
    mask = np.zeros((2 * reach, 2 * reach), np.uint8)
    cx0, cy0, cx1, cy1 = max(0, x0), max(0, y0), min(w, x0 + 2 * reach), min(h, y0 + 2 * reach)
    inner = (slice(cy0 - y0, cy1 - y0), slice(cx0 - x0, cx1 - x0))
    patch[inner] = image[cy0:cy1, cx0:cx1]  # so that the antialiased rim blends with what is behind
    draw(Pen(patch, mask, shifted), rng)
    rect = cv2.boundingRect(mask)
    if rect[2] and rect[3]:
        light(patch, mask, rng, rect)
    image[cy0:cy1, cx0:cx1] = patch[inner]
    owner[cy0:cy1, cx0:cx1][mask[inner] > 0] = number
    return cv2.countNonZero(mask)


def draw_distractor(image, owner, rng, size, flat=False):
    h, w = owner.shape
    mask = np.zeros((h, w), np.uint8)
    matrix = homography(rng, rng.uniform(0, 1, 2) * [w, h], size, rng.uniform(0, 360), False)
    pen = Pen(image, mask, matrix)
    if flat:  # a bar across: a post, a cable, a branch
        pen.fill(np.array([[-2, -0.05], [2, -0.05], [2, 0.05], [-2, 0.05]]), color(rng, saturation=(0, 0.6)))
    else:
        surroundings.distractor(pen, rng)
    owner[mask > 0] = 0


def scene(seed):
    """(image u8 [h, w, 3] BGR, [(class index, x, y, w, h, visible pixels)] in drawing order)."""
    rng = np.random.default_rng([5711, seed])
    w, h = picture_size(rng)
    image, owner = np.zeros((h, w, 3), np.uint8), np.zeros((h, w), np.uint8)
    surroundings.background(image, rng)
    side = min(w, h)
    for _ in range(rng.integers(0, 9)):
        draw_distractor(image, owner, rng, side * rng.uniform(0.05, 0.4))
    count = int(rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 10, 12], p=[.07, .11, .14, .16, .15, .12, .1, .07, .05, .03]))
    largest = 0.85 if count <= 3 else 0.6 if count <= 6 else 0.42
    sizes = np.exp(rng.uniform(np.log(0.11), np.log(largest), count)) * side
    sizes = sizes[np.argsort(-sizes * rng.uniform(0.6, 1.6, count))]
    shadows, taken, full = rng.random() < 0.6, [], []
    kinds = rng.integers(0, len(NAMES), count)
    if count > 2 and rng.random() < 0.15:  # a group of one kind
        kinds[rng.random(count) < 0.7] = kinds[0]
    for number, (kind, size) in enumerate(zip(kinds, sizes), 1):
        x, y = place(rng, taken, w, h, size)
        taken.append((x, y, size))
        if shadows:
            contact_shadow(image, rng, x, y, size)
        full.append(draw_object(image, owner, number, rng, NAMES[kind], (x, y), size))
    for _ in range(rng.integers(0, 3)):
        draw_distractor(image, owner, rng, side * rng.uniform(0.06, 0.18))
    if rng.random() < 0.15:
        draw_distractor(image, owner, rng, side * rng.uniform(0.3, 0.8), flat=True)
    surroundings.camera(image, rng)
    boxes = []
    for number, (kind, pixels) in enumerate(zip(kinds, full), 1):
        visible = (owner == number).astype(np.uint8)
        area = cv2.countNonZero(visible)
        x, y, bw, bh = cv2.boundingRect(visible)
        if area >= MIN_VISIBLE * max(1, pixels) and bw >= MIN_SIDE * w and bh >= MIN_SIDE * h:
            boxes.append((int(kind), x, y, bw, bh, area))
    return image, boxes
