"""What is made small: CTC on one head, the transducer's loss on the other, and for a start from nothing, frames."""

import torch
import torch.nn.functional as F
import torchaudio

from .pool import RATE

FRAME = RATE * 8 // 100  # samples of an encoder frame: 80 ms


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


def hybrid(model, encoded, frames, labels, counts, ctc_share=0.4):
    """(loss a token, CTC a token, RNNT a token, log-probabilities of the CTC head)."""
    blank, tokens = model.size.vocabulary, counts.sum().clamp(min=1)
    encoded = encoded[:, :int(frames.max())]  # the mel's frame behind the end may have made one more
    logprobs = model.ctc_decoder(encoded)
    flat = torch.cat([row[:n] for row, n in zip(labels, counts.tolist())])
    ctc = F.ctc_loss(logprobs.transpose(0, 1), flat, frames, counts, blank=blank, reduction="sum", zero_infinity=True)
    logits = model.joint(encoded, model.decoder(labels))
    # A transducer has a path only through at least one frame; all of ours have it.
    rnnt = torchaudio.functional.rnnt_loss(logits, labels.int(), frames.int(), counts.int(), blank=blank, reduction="sum")
    ctc, rnnt = ctc / tokens, rnnt / tokens
    return ctc_share * ctc + (1 - ctc_share) * rnnt, ctc.detach(), rnnt.detach(), logprobs


def framewise(logprobs, frames, samples, tokenizer, blank):
    """Cross-entropy of the CTC head where word times are known: a word's labels spread evenly over its time.

    Plain CTC and RNNT stand still for long on so small a budget; this starts them. -100 is a frame without an opinion.
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
