"""The twelve classes: each function draws one object of its class with a pen and a random generator.

Every function varies proportions, parts and colors, and keeps what makes the class recognisable.
"""
import colorsys

import numpy as np

from pen import arc, box, rounded, shade


def color(rng, hue=None, saturation=(0.25, 0.95), value=(0.3, 0.97)):
    """BGR; hue is None for any or a (low, high) range in turns."""
    h = rng.uniform(*(hue or (0, 1))) % 1.0
    r, g, b = colorsys.hsv_to_rgb(h, rng.uniform(*saturation), rng.uniform(*value))
    return (b * 255, g * 255, r * 255)


def gray(rng, low, high):
    v = rng.uniform(low, high)
    return (v + rng.uniform(-8, 8), v, v + rng.uniform(-8, 8))


def wood(rng):
    return color(rng, (0.05, 0.11), (0.35, 0.75), (0.3, 0.85))


def metal_or_color(rng):
    return gray(rng, 40, 210) if rng.random() < 0.5 else color(rng)


def cup(pen, rng):
    top, bottom, h = rng.uniform(0.30, 0.38), rng.uniform(0.2, 0.3), rng.uniform(0.30, 0.44)
    rim, c = rng.uniform(0.05, 0.11), color(rng, saturation=(0.0, 0.9), value=(0.45, 1.0))
    grip = rng.uniform(0.4, 0.62) * h
    if rng.random() < 0.25:  # a saucer
        pen.ellipse(0, h * 0.95, top * 1.4, rim * 1.3, shade(c, 0.85))
        pen.ellipse(0, h * 0.93, top * 0.9, rim * 0.8, shade(c, 0.7))
    pen.line(arc(top * 0.85, -0.02, 0.2, grip, -100, 100, 16), rng.uniform(0.05, 0.09), shade(c, 0.8))
    side = np.concatenate([[[-top, -h]], arc(0, h * 0.92, bottom, rim * 0.8, 180, 0, 14), [[top, -h]]])
    pen.fill(side, c)
    t = rng.uniform(0.15, 0.5)
    pen.fill([[-top, -h], [-top * (1 - t), -h], [-bottom * (1 - t), h], [-bottom, h * 0.95]], shade(c, 1.15))
    pen.fill([[top * 0.6, -h], [top, -h], [bottom, h * 0.95], [bottom * 0.6, h * 0.98]], shade(c, 0.8))
    decor = rng.random()
    if decor < 0.35:
        d, y = color(rng), rng.uniform(-0.4, 0.3) * h
        w0, w1 = np.interp([y, y + 0.3 * h], [-h, h], [top, bottom])
        pen.fill([[-w0, y], [w0, y], [w1, y + 0.3 * h], [-w1, y + 0.3 * h]], d)
    elif decor < 0.55:
        pen.ellipse(rng.uniform(-0.08, 0.08), 0.0, 0.1, 0.1, color(rng))
    pen.ellipse(0, -h, top, rim, shade(c, 1.1))
    pen.ellipse(0, -h + 0.01, top * 0.9, rim * 0.8, shade(c, 0.55))
    if rng.random() < 0.6:
        pen.ellipse(0, -h + 0.02, top * 0.8, rim * 0.6, color(rng, (0.04, 0.12), (0.5, 0.9), (0.15, 0.5)))


def bottle(pen, rng):
    w, neck = rng.uniform(0.11, 0.18), rng.uniform(0.04, 0.065)
    shoulder, lip = rng.uniform(-0.22, 0.02), rng.uniform(-0.46, -0.42)
    c = color(rng, (0.2, 0.6) if rng.random() < 0.5 else None, (0.2, 0.9), (0.25, 0.9))
    slope = rng.uniform(0.06, 0.16)
    right = np.array([[neck, lip], [neck, shoulder - slope], [w * 0.8, shoulder - slope * 0.35], [w, shoulder],
                      [w, 0.46], [w * 0.85, 0.5]])
    pen.fill(np.concatenate([right, right[::-1] * [-1, 1]]), c)
    pen.fill([[-w * 0.8, shoulder + 0.02], [-w * 0.5, shoulder], [-w * 0.5, 0.46], [-w * 0.8, 0.46]], shade(c, 1.5))
    pen.fill([[w * 0.55, shoulder], [w, shoulder], [w, 0.46], [w * 0.55, 0.49]], shade(c, 0.7))
    if rng.random() < 0.75:  # a label
        y0 = shoulder + rng.uniform(0.05, 0.15)
        y1 = min(0.44, y0 + rng.uniform(0.15, 0.35))
        pen.fill(box(-w, y0, w, y1), color(rng, saturation=(0, 0.6), value=(0.6, 1)))
        for y in np.linspace(y0, y1, 5)[1:-1]:
            pen.line([[-w * 0.6, y], [w * 0.6, y]], 0.015, color(rng, value=(0.1, 0.6)))
    pen.fill(box(-neck * 1.25, lip - 0.05, neck * 1.25, lip + rng.uniform(0.02, 0.07)), metal_or_color(rng))


def chair(pen, rng):
    c, t = wood(rng) if rng.random() < 0.6 else metal_or_color(rng), rng.uniform(0.035, 0.06)
    seat = wood(rng) if rng.random() < 0.4 else color(rng)
    w, dx, dy = rng.uniform(0.2, 0.27), rng.uniform(0.05, 0.14), rng.uniform(0.06, 0.11)
    y, floor, top = rng.uniform(0.0, 0.1), 0.48, rng.uniform(-0.5, -0.4)
    front = [(-w - dx / 2, y + dy), (w - dx / 2, y + dy)]
    back = [(-w + dx / 2, y - dy * 0.3), (w + dx / 2, y - dy * 0.3)]
    for x, yy in back:
        pen.line([(x, yy), (x, floor - 0.1)], t, shade(c, 0.65))
    lean = rng.uniform(0.0, 0.06)
    posts = [((x, yy), (x + lean, top)) for x, yy in back]
    style = rng.random()
    (lx, _), (rx, _) = posts[0][1], posts[1][1]
    if style < 0.35:  # upholstered
        pen.fill([posts[0][1], posts[1][1], (back[1][0], y - 0.12), (back[0][0], y - 0.12)], shade(seat, 0.9))
    elif style < 0.7:  # rungs across
        for f in np.linspace(0.12, 0.75, rng.integers(2, 5)):
            yy = top + f * (y - top)
            pen.line([(lx - lean * f, yy), (rx - lean * f, yy)], t * 1.3, shade(c, 0.9))
    else:  # slats down
        for f in np.linspace(0.2, 0.8, rng.integers(2, 5)):
            pen.line([(lx + f * (rx - lx), top + 0.03), (back[0][0] + f * 2 * w, y)], t * 0.8, shade(c, 0.9))
    for bottom, head in posts:
        pen.line([bottom, head], t * 1.1, c)
    pen.line([posts[0][1], posts[1][1]], t * rng.uniform(1.1, 1.9), c)
    pen.fill([front[0], front[1], back[1], back[0]], seat)
    pen.fill([front[0], front[1], (front[1][0], y + dy + 0.04), (front[0][0], y + dy + 0.04)], shade(seat, 0.7))
    for x, yy in front:
        pen.line([(x + t / 2, yy + 0.03), (x + t / 2, floor)], t, c)
    if rng.random() < 0.4:
        pen.line([(front[0][0], 0.3), (front[1][0], 0.3)], t * 0.6, shade(c, 0.85))


def lamp(pen, rng):
    stem, base = metal_or_color(rng), metal_or_color(rng)
    lit = rng.random() < 0.5
    c = color(rng, (0.09, 0.16), (0.15, 0.6), (0.9, 1)) if lit else color(rng, saturation=(0.05, 0.8))
    top, low, y = rng.uniform(0.08, 0.2), rng.uniform(0.24, 0.36), rng.uniform(-0.12, 0.02)
    pen.ellipse(0, 0.46, rng.uniform(0.14, 0.24), 0.04, shade(base, 0.8))
    style = rng.random()
    if style < 0.4:
        pen.line([(0, y), (0, 0.45)], rng.uniform(0.025, 0.05), stem)
    elif style < 0.8:  # a vase
        r, m = rng.uniform(0.09, 0.17), rng.uniform(0.2, 0.32)
        pen.line([(0, y), (0, 0.45)], 0.05, stem)
        pen.ellipse(0, m, r, (0.46 - m) * 1.0, base)
        pen.ellipse(-r * 0.4, m - 0.03, r * 0.2, (0.46 - m) * 0.5, shade(base, 1.4))
    else:  # beads
        for yy in np.linspace(y + 0.06, 0.42, 5):
            pen.ellipse(0, yy, rng.uniform(0.035, 0.06), 0.05, stem)
    if rng.random() < 0.75:
        pen.fill([(-top, -0.48), (top, -0.48), (low, y), (-low, y)], c)
        pen.fill([(top * 0.45, -0.48), (top, -0.48), (low, y), (low * 0.45, y)], shade(c, 0.85))
        pen.ellipse(0, y, low, 0.03, shade(c, 1.15 if lit else 0.6))
        pen.line([(-top, -0.48), (top, -0.48)], 0.02, shade(c, 0.7))
    else:  # a dome
        pen.fill(arc(0, y, low, -y + 0.45, 180, 360), c)
        pen.fill(arc(0, y, low * 0.5, -y + 0.43, 200, 300), shade(c, 1.15))
        pen.ellipse(0, y, low, 0.035, shade(c, 1.15 if lit else 0.6))


def book(pen, rng):
    c, paper = color(rng, value=(0.25, 0.9)), gray(rng, 200, 250)
    if rng.random() < 0.4:  # open
        w, h, d = rng.uniform(0.4, 0.5), rng.uniform(0.26, 0.36), rng.uniform(0.03, 0.09)
        pen.fill([(-w - 0.02, -h), (0, -h + d), (w + 0.02, -h), (w + 0.02, h), (0, h + d + 0.02), (-w - 0.02, h)], c)
        for s in (-1, 1):
            pen.fill([(0, -h + d), (s * w * 0.5, -h - d * 0.3), (s * w, -h), (s * w, h - 0.03),
                      (s * w * 0.5, h - d * 0.3 - 0.03), (0, h + d - 0.03)], shade(paper, 1.0 if s < 0 else 0.9))
            picture = rng.random() < 0.3
            if picture:
                pen.fill(box(s * w * 0.5 - 0.14, -h * 0.6, s * w * 0.5 + 0.14, h * 0.1), color(rng))
            for y in np.linspace(h * 0.25 if picture else -h * 0.7, h * 0.7, 4 if picture else 9):
                pen.line([(s * 0.07, y + d * 0.5), (s * w * rng.uniform(0.6, 0.88), y)], 0.012, gray(rng, 60, 120))
        pen.line([(0, -h + d), (0, h + d)], 0.02, shade(paper, 0.55))
        return
    w, h, t = rng.uniform(0.28, 0.36), rng.uniform(0.4, 0.48), rng.uniform(0.05, 0.13)
    pen.fill([(-w, h), (w, h), (w + t, h - t * 0.8 + 0.01), (w + t, -h - t * 0.3), (w, -h)], shade(c, 0.6))  # back
    pen.fill([(w, -h + 0.02), (w + t * 0.85, -h - t * 0.1), (w + t * 0.85, h - t), (w, h - 0.02)], paper)
    for f in (0.3, 0.6):
        pen.line([(w + t * 0.85 * f, -h + 0.02), (w + t * 0.85 * f, h - t * f)], 0.006, shade(paper, 0.75))
    pen.fill(box(-w, -h, w, h), c)
    pen.fill(box(-w, -h, -w * rng.uniform(0.78, 0.9), h), shade(c, 0.65))
    ink = color(rng, saturation=(0, 0.7), value=(0.7, 1)) if rng.random() < 0.7 else shade(c, 0.4)
    y = rng.uniform(-0.7, -0.3) * h
    for i in range(rng.integers(1, 4)):
        half = rng.uniform(0.3, 0.65) * w
        pen.line([(0.05 - half, y + i * 0.1), (0.05 + half, y + i * 0.1)], rng.uniform(0.03, 0.06), ink)
    if rng.random() < 0.5:
        pen.fill(box(-w * 0.4, h * 0.1, w * 0.6, h * 0.7), color(rng))


def ball(pen, rng):
    r, style = 0.5, rng.random()
    a, b = color(rng, value=(0.6, 1)), color(rng, saturation=(0, 0.9), value=(0.5, 1))
    if style < 0.3:  # beach ball: lunes between two poles
        pen.ellipse(0, 0, r, r, a)
        n, colors = 6, [a, gray(rng, 225, 255), b]
        edges = np.cos(np.linspace(0, np.pi, n + 1))
        for i in range(n):
            left, right = arc(0, 0, edges[i] * r, r, -90, 90, 16), arc(0, 0, edges[i + 1] * r, r, 90, -90, 16)
            pen.fill(np.concatenate([left, right]), colors[i % 3])
        pen.ellipse(0, -r * 0.93, 0.07, 0.03, gray(rng, 230, 255))
    elif style < 0.55:  # football: dark pentagons on white
        pen.ellipse(0, 0, r, r, gray(rng, 215, 252))
        dark, turn = gray(rng, 15, 70) if rng.random() < 0.7 else shade(a, 0.6), rng.uniform(0, 72)
        five = arc(0, 0, 0.17, 0.17, turn, turn + 288, 5)
        pen.fill(five, dark)
        for k in range(5):
            t = turn + 72 * k
            pen.line([five[k], arc(0, 0, 0.33, 0.33, t, t, 1)[0]], 0.018, dark)
            outer = np.concatenate([arc(0, 0, 0.33, 0.33, t, t, 1), arc(0, 0, 0.42, 0.42, t - 17, t - 17, 1),
                                    arc(0, 0, r, r, t - 13, t + 13, 5), arc(0, 0, 0.42, 0.42, t + 17, t + 17, 1)])
            pen.fill(outer, dark)
    elif style < 0.8:  # basketball
        c = color(rng, (0.04, 0.09), (0.7, 0.95), (0.6, 0.95)) if rng.random() < 0.7 else a
        pen.ellipse(0, 0, r, r, c)
        dark = shade(c, 0.25)
        pen.line([(-r, 0), (r, 0)], 0.025, dark)
        pen.line([(0, -r), (0, r)], 0.025, dark)
        for s in (-1, 1):
            pen.line(arc(s * 0.62, 0, 0.42, 0.45, 90 + 42 * s, 90 + 138 * s, 14), 0.025, dark)
    else:  # tennis ball
        c = color(rng, (0.15, 0.22), (0.5, 0.9), (0.75, 1)) if rng.random() < 0.7 else a
        pen.ellipse(0, 0, r, r, c)
        for s in (-1, 1):
            pen.line(arc(s * 0.62, 0, 0.42, 0.48, 90 + 42 * s, 90 + 138 * s, 14), 0.04, gray(rng, 225, 255))
    pen.ellipse(-0.2, -0.24, 0.08, 0.055, (240, 245, 245))  # a highlight


def umbrella(pen, rng):
    a = color(rng)
    b = a if rng.random() < 0.4 else color(rng, saturation=(0, 0.95))
    h, y, n = rng.uniform(0.36, 0.48), rng.uniform(-0.08, 0.04), int(rng.integers(4, 8))
    shaft, hook = gray(rng, 20, 120) if rng.random() < 0.6 else wood(rng), rng.uniform(0.06, 0.1)
    pen.line([(0, y - h - 0.06), (0, 0.42)], 0.028, shaft)
    pen.line(arc(hook, 0.42, hook, hook, 180, 0, 12), 0.035, shade(shaft, 0.8))
    edges = np.linspace(-1, 1, n + 1) * 0.5
    edges = np.sin(edges * np.pi * 0.92) / np.sin(0.5 * np.pi * 0.92) * 0.5
    dip = rng.uniform(0.03, 0.07)
    for i in range(n):
        x0, x1 = edges[i], edges[i + 1]
        left = arc(0, y, -x0, h, -90, 0, 10) * [-1, 1] if x0 < 0 else arc(0, y, x0, h, -90, 0, 10)
        right = arc(0, y, -x1, h, 0, -90, 10) * [-1, 1] if x1 < 0 else arc(0, y, x1, h, 0, -90, 10)
        scallop = arc((x0 + x1) / 2, y, (x1 - x0) / 2, dip, 180, 360, 8)
        c = shade((a, b)[i % 2], 1.15 - 0.4 * i / n)
        pen.fill(np.concatenate([left, scallop, right]), c)
        pen.line(left, 0.01, shade(c, 0.6))


def car(pen, rng):
    c = color(rng) if rng.random() < 0.75 else gray(rng, 30, 235)
    glass, tire = color(rng, (0.52, 0.62), (0.1, 0.5), (0.25, 0.85)), gray(rng, 15, 55)
    roof, hood, floor = rng.uniform(-0.24, -0.17), rng.uniform(-0.05, 0.0), rng.uniform(0.13, 0.17)
    style = rng.random()
    if style < 0.4:  # sedan: front is right
        cabin = [(-0.34, hood), (-0.2, roof), (0.08, roof), (0.24, hood)]
        nose, tail = hood + 0.035, hood + 0.02
    elif style < 0.75:  # hatchback
        cabin = [(-0.46, hood + 0.02), (-0.4, roof), (0.05, roof), (0.22, hood)]
        nose, tail = hood + 0.04, hood
    else:  # van
        roof -= 0.06
        cabin = [(-0.48, hood), (-0.46, roof), (0.2, roof), (0.36, hood)]
        nose, tail = hood + 0.03, hood
    body = [(-0.5, tail + 0.02), (-0.47, tail), (0.3, hood), (0.46, nose), (0.5, nose + 0.06), (0.5, floor), (-0.5, floor)]
    pen.fill(cabin, shade(c, 0.95))
    pen.fill(body, c)
    pen.fill(box(-0.5, floor - 0.035, 0.5, floor), shade(c, 0.55))
    inner = np.array(cabin) * [0.9, 0.85] + [0.0, hood * 0.12 - 0.012]
    pen.fill(inner, glass)
    for f in ([0.5] if rng.random() < 0.6 else [0.33, 0.66]):
        x = inner[1][0] + f * (inner[2][0] - inner[1][0])
        pen.fill(box(x - 0.012, roof, x + 0.012, hood), shade(c, 0.9))
        pen.line([(x, hood), (x, floor - 0.03)], 0.008, shade(c, 0.6))
        pen.line([(x + 0.02, hood + 0.05), (x + 0.07, hood + 0.05)], 0.014, shade(c, 0.5))
    pen.fill(box(0.455, nose + 0.02, 0.5, nose + 0.065), color(rng, (0.12, 0.17), (0.1, 0.5), (0.9, 1)))
    pen.fill(box(-0.5, tail + 0.03, -0.465, tail + 0.075), color(rng, (0, 0.02), (0.8, 1), (0.6, 0.95)))
    r, rim = rng.uniform(0.085, 0.11), gray(rng, 130, 230)
    for x in (-0.29 + rng.uniform(-0.03, 0.02), 0.29 + rng.uniform(-0.02, 0.03)):
        pen.ellipse(x, floor, r * 1.15, r * 1.1, shade(c, 0.35))
        pen.ellipse(x, floor + 0.01, r, r, tire)
        pen.ellipse(x, floor + 0.01, r * 0.58, r * 0.58, rim)
        pen.ellipse(x, floor + 0.01, r * 0.2, r * 0.2, shade(rim, 0.5))


def bicycle(pen, rng):
    c, tire = color(rng, saturation=(0.4, 1)), gray(rng, 15, 70)
    r, t = rng.uniform(0.2, 0.235), rng.uniform(0.02, 0.034)
    rear, front, y = -0.27, 0.27, 0.09
    for x in (rear, front):
        turn = rng.uniform(0, 90)
        for a in range(4 if rng.random() < 0.5 else 6):
            p = arc(x, y, r, r, turn + a * 45, turn + a * 45 + 180, 2)
            pen.line(p, 0.004, gray(rng, 140, 200))
        pen.line(arc(x, y, r, r, 0, 360, 32), t * 1.15, tire, closed=True)
        pen.ellipse(x, y, 0.025, 0.025, gray(rng, 80, 160))
    crank, seat, head = (-0.04, 0.1), (-0.12, -0.15), (0.17, -0.16)
    if rng.random() < 0.25:  # step-through frame
        pen.line([seat, crank, (0.13, -0.02), head], t, c)
    else:
        pen.line([crank, seat, head], t, c, closed=True)
    pen.line([(rear, y), seat], t * 0.8, c)
    pen.line([(rear, y), crank], t * 0.8, c)
    pen.line([head, (front, y)], t, shade(c, 0.85))
    pen.line([seat, (-0.14, -0.22)], t * 0.8, gray(rng, 90, 190))
    pen.line([(-0.21, -0.23), (-0.08, -0.225)], t * 1.8, gray(rng, 15, 90))
    pen.line([head, (0.155, -0.24)], t * 0.8, gray(rng, 90, 190))
    bar = [(0.155, -0.24), (0.25, -0.25), (0.25, -0.18), (0.2, -0.16)] if rng.random() < 0.5 else [(0.1, -0.27), (0.155, -0.24), (0.22, -0.26)]
    pen.line(bar, t * 0.9, gray(rng, 20, 120))
    pen.ellipse(*crank, 0.05, 0.05, gray(rng, 80, 170))
    pen.line([(crank[0] - 0.05, crank[1] + 0.07), (crank[0] + 0.05, crank[1] - 0.07)], t * 0.7, gray(rng, 20, 90))


def tree(pen, rng):
    bark = wood(rng)
    leaf = color(rng, (0.2, 0.42), (0.4, 0.9), (0.25, 0.8)) if rng.random() < 0.75 else color(rng, (0.02, 0.17), (0.6, 0.95), (0.4, 0.9))
    w = rng.uniform(0.035, 0.065)
    pen.fill([(-w * 0.7, -0.1), (w * 0.7, -0.1), (w, 0.47), (w * 1.7, 0.5), (-w * 1.7, 0.5), (-w, 0.47)], bark)
    if rng.random() < 0.4:  # conifer
        n, half = int(rng.integers(3, 5)), rng.uniform(0.2, 0.3)
        for i in range(n):
            y1 = 0.3 - i * 0.66 / n
            y0, x = y1 - rng.uniform(0.3, 0.36), half * (1 - i / (n + 0.8))
            if i == n - 1:
                y0 = -0.5
            f = 0.85 + 0.1 * i
            pen.fill([(0, y0), (x, y1), (x * 0.5, y1 + 0.02), (0, y1 - 0.01), (-x * 0.5, y1 + 0.02), (-x, y1)], shade(leaf, f))
            pen.fill([(0, y0), (x, y1), (x * 0.35, y1)], shade(leaf, f * 0.8))
        return
    pen.line([(0, 0.15), (0.13, -0.08)], w, bark)
    pen.line([(0, 0.1), (-0.12, -0.08)], w, bark)
    spread, height = rng.uniform(0.14, 0.24), rng.uniform(0.13, 0.2)
    for i in range(int(rng.integers(6, 11))):
        a = rng.uniform(0, 2 * np.pi)
        x, y, r = np.cos(a) * spread, -0.2 + np.sin(a) * height * 0.8, rng.uniform(0.11, 0.17)
        pen.ellipse(x, y, r, r * 0.9, shade(leaf, 0.75 + 0.25 * (y < -0.2) + rng.uniform(-0.08, 0.08)))
    pen.ellipse(0, -0.22, spread, height, leaf)
    for _ in range(int(rng.integers(5, 14))):
        x, y = rng.uniform(-1, 1, 2) * [spread, height]
        pen.ellipse(x, y - 0.23, 0.035, 0.03, shade(leaf, rng.choice([0.75, 1.2])))


def house(pen, rng):
    wall = color(rng, (0.0, 0.17) if rng.random() < 0.7 else None, (0.05, 0.6), (0.55, 1))
    roof = color(rng, (0.97, 1.08) if rng.random() < 0.6 else None, (0.3, 0.8), (0.25, 0.7))
    w, eave, floor, top = rng.uniform(0.34, 0.44), rng.uniform(-0.12, 0.0), rng.uniform(0.36, 0.46), rng.uniform(-0.5, -0.4)
    if rng.random() < 0.6:  # chimney
        x = rng.choice([-1, 1]) * rng.uniform(0.12, 0.22)
        pen.fill(box(x - 0.045, top + 0.02, x + 0.045, eave), shade(roof, 0.75))
    pen.fill(box(-w, eave - 0.02, w, floor), wall)
    if rng.random() < 0.35:
        for y in np.linspace(eave, floor, 9)[1:-1]:
            pen.line([(-w, y), (w, y)], 0.006, shade(wall, 0.8))
    over = w + rng.uniform(0.03, 0.08)
    if rng.random() < 0.65:
        pen.fill([(-over, eave), (0, top), (over, eave)], roof)
        pen.line([(-over, eave), (0, top), (over, eave)], 0.02, shade(roof, 0.7))
    else:
        pen.fill([(-over, eave), (-w * 0.6, top + 0.1), (w * 0.6, top + 0.1), (over, eave)], roof)
    pane, frame = color(rng, (0.5, 0.62), (0.1, 0.5), (0.3, 0.95)), gray(rng, 200, 255)
    if rng.random() < 0.2:
        pane = color(rng, (0.12, 0.16), (0.4, 0.8), (0.9, 1))
    door = rng.uniform(-0.7, 0.7) * w
    dh = rng.uniform(0.22, 0.28)
    pen.fill(box(door - 0.065, floor - dh, door + 0.065, floor), color(rng, value=(0.2, 0.7)))
    pen.ellipse(door + 0.04, floor - dh * 0.45, 0.012, 0.012, frame)
    for x in np.linspace(-0.62, 0.62, 3) * w:
        for y in ([eave + 0.12] if floor - eave < 0.44 else [eave + 0.1, eave + 0.3]):
            if abs(x - door) < 0.15 and y > floor - dh - 0.08:
                continue
            pen.fill(box(x - 0.065, y - 0.06, x + 0.065, y + 0.06), frame)
            pen.fill(box(x - 0.05, y - 0.048, x + 0.05, y + 0.048), pane)
            pen.line([(x, y - 0.05), (x, y + 0.05)], 0.01, frame)
            pen.line([(x - 0.05, y), (x + 0.05, y)], 0.01, frame)


def clock(pen, rng):
    rim, face = metal_or_color(rng), gray(rng, 205, 255) if rng.random() < 0.8 else color(rng, saturation=(0.1, 0.5), value=(0.7, 1))
    ink, r = gray(rng, 10, 80), 0.42
    style = rng.random()
    if style < 0.3:  # alarm clock
        r = 0.36
        for s in (-1, 1):
            pen.line([(s * 0.2, 0.28), (s * 0.3, 0.46)], 0.06, shade(rim, 0.7))
            pen.fill(arc(0, 0, 0.14, 0.1, 180, 360, 14) @ np.array([[0.82, s * 0.57], [-s * 0.57, 0.82]]) + [s * 0.24, -0.33], shade(rim, 0.9))
        pen.line([(0, -0.34), (0, -0.46)], 0.03, rim)
    elif style < 0.45:  # square
        pen.fill(rounded(-0.47, -0.47, 0.47, 0.47, 0.08), rim)
    if style >= 0.45:
        pen.ellipse(0, 0, 0.5, 0.5, rim)
    elif style < 0.3:
        pen.ellipse(0, 0, 0.41, 0.41, rim)
    pen.ellipse(0, 0, r, r, face)
    roman = rng.random() < 0.5
    for k in range(12):
        a = np.radians(30 * k)
        d = np.array([np.sin(a), -np.cos(a)])
        inner = 0.72 if k % 3 == 0 else 0.8
        if roman or k % 3 == 0:
            pen.line([d * r * inner, d * r * 0.92], 0.035 if k % 3 == 0 else 0.02, ink)
        else:
            pen.ellipse(*(d * r * 0.85), 0.02, 0.02, ink)
    hour, minute = rng.uniform(0, 2 * np.pi, 2)
    for a, length, width in ((hour, 0.5, 0.045), (minute, 0.78, 0.028)):
        d = np.array([np.sin(a), -np.cos(a)]) * r
        pen.line([-d * 0.12, d * length], width, ink)
    if rng.random() < 0.4:
        a = rng.uniform(0, 2 * np.pi)
        pen.line([(0, 0), (np.sin(a) * r * 0.8, -np.cos(a) * r * 0.8)], 0.012, color(rng, (0, 0.03), (0.8, 1), (0.6, 0.9)))
    pen.ellipse(0, 0, 0.03, 0.03, ink)


# name -> (draw, largest tilt in degrees, share lying down or upside down)
CLASSES = {
    "cup": (cup, 15, 0.0), "bottle": (bottle, 15, 0.15), "chair": (chair, 12, 0.0), "table lamp": (lamp, 10, 0.0),
    "book": (book, 45, 0.3), "ball": (ball, 180, 0.0), "umbrella": (umbrella, 45, 0.0), "car": (car, 10, 0.0),
    "bicycle": (bicycle, 12, 0.0), "tree": (tree, 8, 0.0), "house": (house, 6, 0.0), "clock": (clock, 25, 0.0),
}
NAMES = list(CLASSES)
