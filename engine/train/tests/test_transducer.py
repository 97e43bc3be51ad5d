"""The transducer's loss against the sum over all paths; skipped where PyTorch is not there."""

import itertools
import unittest

try:
    import torch

    from recipe import transducer
except ImportError as missing:
    raise unittest.SkipTest(str(missing))


def by_paths(logits, labels):
    """Negative log-likelihood of one utterance: every order of T blanks and U labels that ends with a blank."""
    logprobs = logits.log_softmax(2)
    frames, count, totals = logits.shape[0], len(labels), []
    for written in itertools.combinations(range(frames + count - 1), count):
        t = u = 0
        total = logprobs.new_zeros(())
        for step in range(frames + count):
            if step in written:
                total = total + logprobs[t, u, labels[u]]
                u += 1
            else:
                total = total + logprobs[t, u, -1]
                t += 1
        totals.append(total)
    return -torch.stack(totals).logsumexp(0)


class Transducer(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(3)
        self.logits = 3 * torch.randn(4, 5, 4, 7, dtype=torch.float32)
        self.labels = torch.randint(0, 6, (4, 3))
        self.frames, self.counts = torch.tensor([5, 3, 1, 4]), torch.tensor([3, 2, 1, 0])

    def want(self, logits):
        return torch.stack([by_paths(row[:t, :u + 1], some[:u].tolist())
                            for row, some, t, u in zip(logits, self.labels, self.frames.tolist(), self.counts.tolist())])

    def test_the_loss_is_the_sum_over_all_paths(self):
        got = transducer.loss(self.logits, self.labels, self.frames, self.counts)
        torch.testing.assert_close(got, self.want(self.logits), rtol=1e-4, atol=1e-4)

    def test_the_gradient_is_that_of_the_sum(self):
        weights = torch.tensor([1.0, 0.5, -2.0, 3.0])
        one, other = (self.logits.clone().requires_grad_() for _ in range(2))
        (transducer.loss(one, self.labels, self.frames, self.counts) * weights).sum().backward()
        (self.want(other) * weights).sum().backward()
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-3, atol=1e-4)

    def test_padding_changes_nothing(self):
        padded = torch.full((4, 9, 6, 7), 1e4)
        padded[:, :5, :4] = self.logits
        got = transducer.loss(padded, torch.nn.functional.pad(self.labels, (0, 2), value=5), self.frames, self.counts)
        torch.testing.assert_close(got, self.want(self.logits), rtol=1e-4, atol=1e-4)


if __name__ == "__main__":
    unittest.main()
