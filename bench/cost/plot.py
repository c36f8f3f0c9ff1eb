"""Time against input size and against batch, both axes logarithmic, as one SVG that any page can hold."""
import math

_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 360, 250, 60, 40, 70
_COLORS = ("#0b7285", "#c92a2a", "#5f3dc4", "#2b8a3e")


class _Panel:
    """One pair of axes; series: {name: [(x, y), ...]}."""

    def __init__(self, index, title, x_label, series):
        self.left = _LEFT + index * (_WIDTH + _GAP)
        self.title, self.x_label, self.series = title, x_label, series
        xs = [x for points in series.values() for x, _ in points]
        ys = [y for points in series.values() for _, y in points]
        self.x_range = math.log(min(xs)), math.log(max(xs))
        self.y_range = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
        self.ticks = sorted(set(xs))

    def x(self, value):
        low, high = self.x_range
        return self.left + 8 + (_WIDTH - 16) * (math.log(value) - low) / (high - low)

    def y(self, value):
        low, high = self.y_range
        return _TOP + _HEIGHT * (high - math.log10(value)) / (high - low)

    def axes(self):
        bottom = _TOP + _HEIGHT
        yield f'<rect x="{self.left}" y="{_TOP}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#888"/>'
        yield _text(self.left + _WIDTH / 2, _TOP - 14, self.title, "middle", 14)
        yield _text(self.left + _WIDTH / 2, bottom + 38, self.x_label, "middle")
        for decade in range(self.y_range[0], self.y_range[1] + 1):
            y = self.y(10.0 ** decade)
            yield f'<path d="M{self.left} {y:.1f}h{_WIDTH}" stroke="#ddd"/>'
            yield _text(self.left - 6, y + 4, f"{10.0 ** decade:g} ms", "end")
        last = -math.inf
        for tick in self.ticks:
            if self.x(tick) - last < 28:  # no room for its number
                continue
            last = self.x(tick)
            yield f'<path d="M{last:.1f} {bottom}v5" stroke="#888"/>'
            yield _text(last, bottom + 18, f"{tick:g}", "middle")

    def lines(self):
        for (name, points), color in zip(self.series.items(), _COLORS):
            places = [(self.x(x), self.y(y)) for x, y in points]
            yield (f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" fill="none" '
                   f'stroke="{color}" stroke-width="2"/>')
            yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in places)
            x, y = places[-1]
            yield _text(x - 6, y - 8, name, "end", 12, color)


def _text(x, y, text, anchor, size=12, color="#333"):
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{color}">{text}</text>'


def svg(panels):
    """panels: [(title, x label, {name: points}), ...] from left to right."""
    width, height = _LEFT + len(panels) * (_WIDTH + _GAP) - _GAP + 20, _TOP + _HEIGHT + 50
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for index, panel in enumerate(panels):
        panel = _Panel(index, *panel)
        lines += [*panel.axes(), *panel.lines()]
    return "\n".join([*lines, "</svg>", ""])
