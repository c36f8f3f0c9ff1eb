"""Power laws: y = a * x^p through points, by least squares of the logarithms."""
import math


def power_law(xs, ys):
    """(p, a, worst): the exponent, the factor, and the largest deviation of a point, as a share of the law's value."""
    u, v = [math.log(x) for x in xs], [math.log(y) for y in ys]
    mean_u, mean_v = sum(u) / len(u), sum(v) / len(v)
    p = sum((a - mean_u) * (b - mean_v) for a, b in zip(u, v)) / sum((a - mean_u) ** 2 for a in u)
    a = math.exp(mean_v - p * mean_u)
    return p, a, max(abs(y / (a * x ** p) - 1) for x, y in zip(xs, ys))
