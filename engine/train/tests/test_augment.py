"""Augmentation: numpy and scipy, skipped where they are not there."""

import unittest

try:
    import numpy

    from recipe import augment
except ImportError as missing:
    raise unittest.SkipTest(str(missing))


class Lengths(unittest.TestCase):
    def setUp(self):
        self.rng = numpy.random.default_rng(1)
        self.x = (self.rng.standard_normal(12345) * 0.1).astype(numpy.float32)

    def test_the_length_stays(self):
        for change in (augment.room, augment.telephone, augment.tilt, augment.clip, augment.lose_packets):
            y = change(self.x, self.rng)
            self.assertEqual(len(y), len(self.x), change.__name__)
            self.assertTrue(numpy.isfinite(y).all(), change.__name__)

    def test_speed_says_by_how_much(self):
        for _ in range(20):
            y, factor = augment.speed(self.x, self.rng)
            self.assertAlmostEqual(len(y) / len(self.x), factor, delta=0.01)

    def test_trim_keeps_the_sound_and_its_slack(self):
        x = numpy.pad(self.x[:8000], 16000)
        self.assertEqual(len(augment.trim(x, (3, 3))), 8000 + 6 * augment.LEVEL)
        self.assertEqual(len(augment.trim(x[:500], (3, 3))), 500)

    def test_what_is_no_speech_has_a_level(self):
        for make in augment.NON_SPEECH:
            self.assertEqual(len(make(8000, self.rng)), 8000, make.__name__)
        self.assertGreater(augment.rms(augment.non_speech(8000, self.rng)), 1e-4)

    def test_noise_is_as_far_below_as_asked(self):
        noise = augment.coloured(len(self.x), self.rng)
        added = augment.add(self.x, noise, 10) - self.x
        self.assertAlmostEqual(20 * numpy.log10(augment.rms(self.x) / augment.rms(added)), 10, delta=0.1)

    def test_companding_is_close(self):
        y = numpy.clip(self.x, -0.9, 0.9)
        for law in (augment.mu_law, augment.a_law):
            self.assertLess(augment.rms(law(y, self.rng) - y), 0.05 * augment.rms(y), law.__name__)


if __name__ == "__main__":
    unittest.main()
