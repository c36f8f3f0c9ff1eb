"""Run as: python3 -m unittest fit_test (in this folder)."""
import unittest

from fit import power_law


class PowerLaw(unittest.TestCase):
    def test_finds_the_law_that_made_the_points(self):
        xs = [320, 416, 640, 1280]
        p, a, worst = power_law(xs, [0.25 * x ** 1.75 for x in xs])
        self.assertAlmostEqual(p, 1.75)
        self.assertAlmostEqual(a, 0.25)
        self.assertAlmostEqual(worst, 0)

    def test_says_how_far_off_the_worst_point_is(self):
        # The middle one of three equally distant points, three times as high, lies 3^(2/3) above the law.
        p, _, worst = power_law([1, 2, 4], [1, 6, 4])
        self.assertAlmostEqual(p, 1)
        self.assertAlmostEqual(worst, 3 ** (2 / 3) - 1)


if __name__ == "__main__":
    unittest.main()
