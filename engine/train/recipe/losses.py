"""The loss: CTC of one head, RNNT of the other, and for training from scratch, cross-entropy per frame."""

import torch
import torch.nn.functional as F

from . import transducer
from .pool import RATE
from .script import CONFUSABLE

FRAME = RATE * 8 // 100  # samples of an encoder frame: 80 ms
RIVALS = 7  # words among which the transducer scores a single word, itself included


def batch_of(samples, tokenizer, device):
    """Samples -> sound [B, N], lengths [B], labels [B, U], label counts [B]."""
    lengths = torch.tensor([len(s.sound) for s in samples])
    sound = torch.zeros(len(samples), int(lengths.max()))
    tokens = [tokenizer.encode(s.text) if s.text else [] for s in samples]
    counts = torch.tensor([len(t) for t in tokens])
    labels = torch.zeros(len(samples), int(counts.max()), dtype=torch.int64)
    for i, (s, t) in enumerate(zip(samples, tokens)):
        sound[i, :len(s.sound)] = torch.from_numpy(s.sound)
        labels[i, :len(t)] = torch.tensor(t, dtype=torch.int64)
    return sound.to(device), lengths.to(device), labels.to(device), counts.to(device)


def hybrid(model, encoded, frames, labels, counts, ctc_share=0.4, host=None):
    """(loss a token, CTC a token, RNNT a token, log-probabilities of the CTC head).

    host: frames and counts in the processor's memory, so that a GPU needn't be waited for.
    """
    blank, tokens = model.size.vocabulary, counts.sum().clamp(min=1)
    host = host or (frames, counts)
    encoded = encoded[:, :int(host[0].max())]  # the mel frame after the end may add one
    logprobs = model.ctc_decoder(encoded)
    ctc = F.ctc_loss(logprobs.transpose(0, 1), labels, *host, blank=blank, reduction="sum", zero_infinity=True)
    logits = model.joint(encoded, model.decoder(labels))
    # A transducer needs at least one frame; all of these have it.
    rnnt = transducer.loss(logits, labels, frames, counts).sum()
    ctc, rnnt = ctc / tokens, rnnt / tokens
    return ctc_share * ctc + (1 - ctc_share) * rnnt, ctc.detach(), rnnt.detach(), logprobs


def rival_readings(said, closed, rng):
    """Returns the rivals of a word: itself first, then the most confusable, then others drawn at random."""
    first = [said, *(w for w in CONFUSABLE if w != said)]
    rest = [w for w in closed if w not in first]
    rng.shuffle(rest)
    return (first + rest)[:RIVALS]


def closed_vocabulary(model, encoded, frames, samples, tokenizer, closed, rng):
    """Maximum mutual information over a closed list: the negative log-posterior of the spoken word among its rivals.

    A grammar compares the scores in the same way. CTC's part is over the whole list, the transducer's over a few words
    (its joint costs more). Zero if the batch has no single word of the list.
    """
    some = [i for i, s in enumerate(samples) if s.text in closed]
    if not some:
        return encoded.sum() * 0
    x, n = encoded[some], frames[some]
    x = x[:, :int(n.max())]
    texts = [samples[i].text for i in some]
    ctc = -ctc_scores(model, x, n, [[t, *(w for w in closed if w != t)] for t in texts], tokenizer)
    rnnt = -rnnt_scores(model, x, n, [rival_readings(t, closed, rng) for t in texts], tokenizer)
    truth = torch.zeros(len(some), dtype=torch.int64, device=x.device)
    return F.cross_entropy(-ctc, truth) + F.cross_entropy(-rnnt, truth)


def tokens_of(readings, tokenizer, device):
    """Readings [B][K] of text -> labels [B*K, U], counts [B*K]."""
    flat = [tokenizer.encode(r) for some in readings for r in some]
    counts = torch.tensor([len(t) for t in flat])
    labels = torch.zeros(len(flat), int(counts.max()), dtype=torch.int64)
    for row, t in zip(labels, flat):
        row[:len(t)] = torch.tensor(t)
    return labels.to(device), counts.to(device)


def ctc_scores(model, encoded, frames, readings, tokenizer):
    """Log-likelihood of each reading: [B, K]; a reading without a path (too few frames) scores -1000."""
    k = len(readings[0])
    labels, counts = tokens_of(readings, tokenizer, encoded.device)
    logprobs = model.ctc_decoder(encoded).repeat_interleave(k, 0).transpose(0, 1)
    frames = frames.repeat_interleave(k)
    repeats = ((labels[:, 1:] == labels[:, :-1]) & (labels[:, 1:] > 0)).sum(1)
    loss = F.ctc_loss(logprobs, labels, frames, counts, blank=model.size.vocabulary, reduction="none", zero_infinity=True)
    return (-loss).masked_fill(frames < counts + repeats, -1000.0).view(-1, k)


def rnnt_scores(model, encoded, frames, readings, tokenizer):
    """Log-likelihood of each reading by the transducer: [B, K]."""
    k = len(readings[0])
    labels, counts = tokens_of(readings, tokenizer, encoded.device)
    predicted = model.joint.pred(model.decoder(labels))
    logits = model.joint.joint_net(model.joint.enc(encoded).repeat_interleave(k, 0)[:, :, None] + predicted[:, None])
    return -transducer.loss(logits, labels, frames.repeat_interleave(k), counts).view(-1, k)


def framewise(logprobs, frames, samples, tokenizer, blank):
    """Cross-entropy of the CTC head where word times are known: a word's labels spread evenly over its time.

    Plain CTC and RNNT make no progress for long with a small budget; this starts them. -100 marks a frame without a label.
    """
    target = torch.full(logprobs.shape[:2], -100)
    for i, s in enumerate(samples):
        words = s.text.split()
        if s.spans is None or len(s.spans) != len(words):
            continue
        n = int(frames[i])
        target[i, :n] = blank
        for word, (a, b) in zip(words, s.spans):
            tokens = tokenizer.encode(word)
            first, last = min(a // FRAME, n - 1), min(max(b // FRAME, a // FRAME + 1), n)
            for t in range(first, last):
                target[i, t] = tokens[(t - first) * len(tokens) // (last - first)]
    if (target == -100).all():
        return logprobs.sum() * 0
    return F.nll_loss(logprobs.flatten(0, 1), target.flatten().to(logprobs.device), ignore_index=-100)
