"""A pen that draws shapes given in object coordinates onto a scene, and remembers what it covered.

Object coordinates: x right, y down, the object about 1 long and centred on (0, 0). The pen maps them to pixels by a
homography (rotation, size, stretch, shear, mirror, a little perspective) and draws with antialiasing.
"""
import cv2
import numpy as np

SHIFT = 4  # fractional bits of the coordinates that OpenCV takes
ARC = np.linspace(0, 2 * np.pi, 37)


def arc(cx, cy, rx, ry, start=0.0, stop=360.0, n=28):
    """Points of an elliptic arc, degrees, clockwise on the screen from the x axis."""
    t = np.radians(np.linspace(start, stop, n))
    return np.stack([cx + rx * np.cos(t), cy + ry * np.sin(t)], 1)


def box(x0, y0, x1, y1):
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float)


def rounded(x0, y0, x1, y1, r):
    corners = [(x1 - r, y1 - r, 0), (x0 + r, y1 - r, 90), (x0 + r, y0 + r, 180), (x1 - r, y0 + r, 270)]
    return np.concatenate([arc(cx, cy, r, r, a, a + 90, 6) for cx, cy, a in corners])


def shade(color, factor):
    return tuple(min(255.0, max(0.0, c * factor)) for c in color)


def homography(rng, center, size, angle, mirror, stretch=(0.9, 1.1), shear=0.08, perspective=0.12):
    """Object coordinates to pixels. angle in degrees; the rest are ranges to draw from."""
    a = np.radians(angle)
    rotate = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    bend = np.array([[rng.uniform(*stretch), rng.uniform(-shear, shear)], [0, 1]])
    linear = size * rotate @ bend @ np.diag([-1.0 if mirror else 1.0, 1.0])
    h = np.eye(3)
    h[:2, :2], h[:2, 2] = linear, center
    tilt = np.eye(3)
    tilt[2, :2] = rng.uniform(-perspective, perspective, 2)
    return h @ tilt


class Pen:
    def __init__(self, image, mask, matrix):
        """image u8 [h, w, 3] is drawn on; mask u8 [h, w] gets 255 where something was drawn."""
        self.image, self.mask, self.matrix = image, mask, matrix
        self.size = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))  # pixels per unit

    def pixels(self, points):
        p = np.asarray(points, float) @ self.matrix[:, :2].T + self.matrix[:, 2]
        return np.round(p[:, :2] / p[:, 2:] * (1 << SHIFT)).astype(np.int32)

    def fill(self, points, color):
        p = self.pixels(points)
        cv2.fillPoly(self.image, [p], color, cv2.LINE_AA, SHIFT)
        cv2.fillPoly(self.mask, [p], 255, cv2.LINE_8, SHIFT)

    def ellipse(self, cx, cy, rx, ry, color):
        self.fill(np.stack([cx + rx * np.cos(ARC), cy + ry * np.sin(ARC)], 1), color)

    def line(self, points, width, color, closed=False):
        """A stroke of the given width in object units, at least one pixel."""
        p = self.pixels(points)
        thickness = max(1, int(round(width * self.size)))
        cv2.polylines(self.image, [p], closed, color, thickness, cv2.LINE_AA, SHIFT)
        cv2.polylines(self.mask, [p], closed, 255, thickness, cv2.LINE_8, SHIFT)
