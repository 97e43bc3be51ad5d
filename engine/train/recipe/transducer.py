"""The transducer's loss (RNNT; Graves 2012, arXiv:1211.3711) in plain PyTorch, for a batch of unequal lengths.

A lattice node (t, u) has read t frames and written u labels. Forward and backward log-likelihoods are one recursion over
frames, run once for both by turning every lattice around: along the labels it is a cumulative sum of logarithms, so that a
frame costs two kernels whatever the batch. Shapes: B utterances, T frames, U labels, V labels in the vocabulary; the last
label, V, is blank.
"""

import torch

NEVER = -1e9  # log-probability of what can't be; minus infinity would make NaN of differences


def sweep(blank_in, label_in):
    """Log-likelihood of reaching each node [B, T, U+1] from the log-probabilities of its two incoming edges.

    Edges: a blank from (t-1, u) and a label from (t, u-1); the first column has no label edge, and the blank edge of the
    first node is its own initial log-likelihood.
    """
    along = label_in.cumsum(2)  # of writing all labels up to u in one frame
    step = blank_in - along
    step[:, 1:] += along[:, :-1]
    row = torch.full_like(step[:, 0], NEVER)
    row[:, 0] = 0
    rows = []
    for t in range(step.shape[1]):
        row = torch.logcumsumexp(row + step[:, t], 1)
        rows.append(row)
    return torch.stack(rows, 1) + along


def turned(x, frames, counts):
    """Every lattice [B, T, U+1] turned around: node (T-1-t, U-u) of its own T and U; beyond them the last is repeated."""
    b, t, u = x.shape
    at = torch.arange(b, device=x.device)[:, None, None]
    rows = (frames[:, None] - 1 - torch.arange(t, device=x.device)).clamp(min=0)[:, :, None]
    columns = (counts[:, None] - torch.arange(u, device=x.device)).clamp(min=0)[:, None]
    return x[at, rows, columns]


def log_likelihoods(blank, label, frames, counts):
    """(forward, backward) log-likelihoods of all nodes [B, T, U+1]."""
    first = torch.zeros_like(blank)
    from_blank, from_label = first.clone(), first
    from_blank[:, 1:] = blank[:, :-1]
    from_label[:, :, 1:] = label[:, :, :-1]
    back_label = turned(label, frames, counts)
    back_label[:, :, 0] = 0
    both = sweep(torch.cat([from_blank, turned(blank, frames, counts)]), torch.cat([from_label, back_label]))
    forward, backward = both.chunk(2)
    return forward, turned(backward, frames, counts)


class Likelihood(torch.autograd.Function):
    """Negative log-likelihood [B] from log-probabilities of blank and next label [B, T, U+1] (the last label is unused)."""

    @staticmethod
    def forward(ctx, blank, label, frames, counts):
        forward, backward = log_likelihoods(blank, label, frames, counts)
        total = backward[:, 0, 0]
        inside = (torch.arange(blank.shape[1], device=blank.device)[None] < frames[:, None])[:, :, None]
        column = torch.arange(blank.shape[2], device=blank.device)[None, None]
        after_blank = torch.full_like(backward, NEVER)
        after_blank[:, :-1] = backward[:, 1:]
        last = (torch.arange(blank.shape[1], device=blank.device)[None] == frames[:, None] - 1)[:, :, None]
        end = column == counts[:, None, None]
        after_blank = torch.where(last, torch.where(end, 0.0, NEVER), after_blank)
        after_label = torch.full_like(backward, NEVER)
        after_label[:, :, :-1] = backward[:, :, 1:]
        share = lambda edge, after, valid: torch.where(valid, (forward + edge + after - total[:, None, None]).exp(), 0.0)
        ctx.save_for_backward(share(blank, after_blank, inside & (column <= counts[:, None, None])),
                              share(label, after_label, inside & (column < counts[:, None, None])))
        return -total

    @staticmethod
    def backward(ctx, grad):
        by_blank, by_label = ctx.saved_tensors
        return -grad[:, None, None] * by_blank, -grad[:, None, None] * by_label, None, None


def edges(logits, labels):
    """Log-probabilities of blank and of the next label [B, T, U+1] from logits [B, T, U+1, V+1]; labels [B, U]."""
    logits = logits.float()
    total = logits.logsumexp(3)
    following = torch.nn.functional.pad(labels, (0, 1))[:, None, :, None].expand(-1, logits.shape[1], -1, -1)
    return logits[..., -1] - total, logits.gather(3, following)[..., 0] - total


def loss(logits, labels, frames, counts):
    """Negative log-likelihood [B] of labels [B, U], counts [B] of them, under logits [B, T, U+1, V+1], frames [B] of them."""
    blank, label = edges(logits, labels)
    return Likelihood.apply(blank, label, frames, counts)
