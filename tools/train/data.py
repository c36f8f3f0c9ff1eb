"""Batches from a cache of drawn scenes, augmented: mirror, zoom, shift, mosaic, light and color."""
import cv2
import numpy as np
import torch

FILL = 114  # outside the picture, as letterboxing pads
MIN_LEFT = 0.35  # a box cut by the canvas stays when this share of it does


class Scenes:
    def __init__(self, cache, seed):
        self.images = np.load(cache / "images.npy", mmap_mode="r")
        boxes = np.load(cache / "boxes.npz")
        self.boxes, self.start = boxes["boxes"], boxes["start"]
        self.size = self.images.shape[1]  # of the batches; see batch()
        self.rng = np.random.default_rng(seed)
        self.order = np.zeros(0, np.int64)

    def _next(self):
        """An image of the cache's size, boxes for the batch's."""
        if not len(self.order):
            self.order = self.rng.permutation(len(self.images))
        i, self.order = self.order[-1], self.order[:-1]
        boxes = self.boxes[self.start[i]:self.start[i + 1]].copy()
        boxes[:, 1:] *= self.size
        return self.images[i], boxes

    def _warp(self, image, boxes, zoom, shift):
        """Resize, zoom (x, y) about the centre and shift in pixels, in one step; boxes cxcywh follow and are cut."""
        s, middle = self.size, self.size / 2
        offset = middle - zoom * middle + shift  # in edge coordinates; pixel centres are half further
        scale = zoom * s / image.shape[0]
        centre = offset + scale * 0.5 - 0.5
        matrix = np.array([[scale[0], 0, centre[0]], [0, scale[1], centre[1]]])
        image = cv2.warpAffine(image, matrix, (s, s), borderValue=(FILL,) * 3)
        low, high = boxes[:, 1:3] - boxes[:, 3:5] / 2, boxes[:, 1:3] + boxes[:, 3:5] / 2
        low, high = low * zoom + offset, high * zoom + offset
        area = (high - low).prod(1)
        low, high = low.clip(0, s), high.clip(0, s)
        side = high - low
        keep = (side.prod(1) >= MIN_LEFT * area) & (side.min(1) >= 4)
        boxes = np.concatenate([boxes[:, :1], (low + high) / 2, side], 1)[keep]
        return image, boxes

    def _single(self):
        image, boxes = self._next()
        if self.rng.random() < 0.5:
            image = image[:, ::-1]
            boxes[:, 1] = self.size - boxes[:, 1]
        if self.rng.random() < 0.6:
            zoom = np.exp(self.rng.uniform(-0.45, 0.4)) * np.exp(self.rng.uniform(-0.15, 0.15, 2))
            shift = self.rng.uniform(-0.5, 0.5, 2) * np.maximum(np.abs(1 - zoom), 0.15) * self.size
            return self._warp(np.ascontiguousarray(image), boxes, zoom, shift)
        return cv2.resize(np.ascontiguousarray(image), (self.size, self.size)), boxes

    def _mosaic(self):
        half, image, boxes = self.size // 2, np.empty((self.size, self.size, 3), np.uint8), []
        for y in (0, half):
            for x in (0, half):
                part, b = self._single()
                image[y:y + half, x:x + half] = cv2.resize(np.ascontiguousarray(part), (half, half))
                b[:, 1:] /= 2
                boxes.append(b + [0, x, y, 0, 0])
        boxes = np.concatenate(boxes)
        return image, boxes[boxes[:, 3:5].min(1) >= 4]

    def _color(self, image):
        rng = self.rng
        gain = rng.uniform(0.75, 1.3) * rng.uniform(0.94, 1.06, 3)
        table = np.arange(256)[:, None] * gain + rng.uniform(-12, 12)
        image = cv2.LUT(np.ascontiguousarray(image), table.clip(0, 255).astype(np.uint8).reshape(1, 256, 3))
        if rng.random() < 0.1:
            gray = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
            image = cv2.addWeighted(image, 0.2, cv2.merge([gray] * 3), 0.8, 0)
        return image

    def batch(self, count, mosaic=0.15, size=None):
        """(f32 [count, 3, s, s] in [0, 1], channels last; targets f32 [m, 6], pixels); s is size or the cache's."""
        self.size = size = size or self.images.shape[1]
        images, targets = np.empty((count, size, size, 3), np.uint8), []
        for k in range(count):
            image, boxes = self._mosaic() if self.rng.random() < mosaic else self._single()
            images[k] = self._color(image)
            targets.append(np.concatenate([np.full((len(boxes), 1), k), boxes], 1))
        x = torch.from_numpy(images).permute(0, 3, 1, 2).float().div_(255)
        return x, torch.from_numpy(np.concatenate(targets).astype(np.float32))
