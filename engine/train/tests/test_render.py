"""Batches for a GPU, planned and rendered on the processor; skipped where PyTorch or numpy are not there."""

import pathlib
import tempfile
import unittest

try:
    import numpy
    import torch

    from recipe import features, model, plan, pool, render, search
except ImportError as missing:
    raise unittest.SkipTest(str(missing))


class Letters:
    """A tokenizer: one label a letter."""

    def encode(self, text):
        return [ord(c) % 31 for c in text.replace(" ", "")]


class Batches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path, rng = pathlib.Path(cls.folder.name), numpy.random.default_rng(1)
        sound = lambda seconds: (rng.standard_normal(int(seconds * 16000)) * 0.1).astype(numpy.float32)
        for name, texts, seconds in (("words", ["نعم", "لا", "رقم"], 1), ("digits", ["واحد", "ستة"], 1), ("noise", [""] * 2, 15),
                                     ("espeak-000", ["رقم الهاتف", "لا شكرا"], 2), ("eval-words", ["نعم"], 1)):
            out = pool.Writer(cls.path, name)
            for i, text in enumerate(texts):
                out.add(sound(seconds), text, f"{name}/{i % 2}/{i}", (1600, 14000))
            out.close()
        cls.names = render.everything(cls.path)
        cls.sound, cls.base = render.load(cls.path, cls.names, "cpu")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def planner(self):
        return plan.Planner(self.path, 5, Letters(), self.base)

    def test_what_is_held_out_is_not_drawn(self):
        self.assertNotIn("eval-words", self.planner().loaded)
        self.assertEqual(self.base | {n: render.starts_of(self.path, self.names)[n] for n in self.names}, self.base)

    def test_a_batch_is_finite_and_silent_behind_its_ends(self):
        renderer, planner = render.Renderer(self.sound, torch.device("cpu")), self.planner()
        planner.aligned = True
        for made, _ in zip(planner.batches(20, 256, window=40), range(8)):
            x, lengths, warps = renderer.render(made)
            self.assertTrue(torch.isfinite(x).all())
            self.assertEqual(x.shape, (len(made.lengths), made.size))
            for row, n in zip(x, lengths):
                self.assertFalse(row[n:].any())
            self.assertLess(int(warps.max()), len(features.WARPS))
            self.assertGreaterEqual(made.targets.shape[1], -(-(made.size // features.HOP) // 8))

    def test_pieces_keep_their_sound_and_their_speed(self):
        renderer = render.Renderer(self.sound, torch.device("cpu"))
        start = self.base["words"] + 2000
        lay = lambda length, rate: renderer.lay(plan.arrays([(start, length, 100, rate, 1.0)]), 2, 6400)[0]
        want = self.sound[start:start + 4000].float() / 32768
        torch.testing.assert_close(lay(4000, 1.0)[100:4100], want, rtol=1e-3, atol=1e-3)
        tone = (torch.sin(torch.arange(16000) * 0.2) * 20000).short()
        slow = render.Renderer(tone, torch.device("cpu")).lay(plan.arrays([(100, 5000, 0, 0.8, 1.0)]), 1, 6400)[0, :5000]
        torch.testing.assert_close(slow, torch.sin((100 + 0.8 * torch.arange(5000)) * 0.2) * 20000 / 32768, rtol=0.05, atol=0.02)

    def test_companding_is_close(self):
        x = torch.linspace(-0.9, 0.9, 400)[None].repeat(2, 1)
        torch.testing.assert_close(render.compand(x, torch.tensor([[0.0], [1.0]])), x, rtol=0.06, atol=0.002)

    def test_masks_leave_most(self):
        x = features.spec_augment_batch(torch.ones(50, 80, 200), torch.full((50,), 200))
        self.assertGreater(float(x.mean()), 0.6)
        self.assertLess(float(x.mean()), 0.95)

    def test_greedy_search_of_a_batch_is_that_of_each(self):
        torch.manual_seed(2)
        net = model.Hybrid(model.Size(layers=1, width=16, heads=2, hidden=8, channels=4, vocabulary=9)).eval()
        with torch.no_grad():
            net.joint.joint_net[2].weight.mul_(20)
            encoded, lengths = 3 * torch.randn(5, 12, 16), torch.tensor([12, 3, 7, 1, 9])
            self.assertEqual(search.rnnt_greedy_batch(net, encoded, lengths), search.rnnt_greedy(net, encoded, lengths, most=4))


if __name__ == "__main__":
    unittest.main()
