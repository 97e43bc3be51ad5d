"""The word verifier: a small network that classifies a single word among a closed list.

The speech model normalizes each mel band over the utterance, as NeMo does. Over half a second that removes the difference
of a vowel and a nasal: نعم and لا by unseen people become similar. This network gets the same bands normalized
together, with one mean for all: residual convolutions over time, attention pooling (Okabe et al.
2018, arXiv:1803.10963), a softmax over the words and "another word".
"""

import argparse
import json
import math
import pathlib
import time

import numpy
import torch
import torch.nn.functional as F

from . import augment, features, mixer, pool

CHANNELS, DILATIONS, HEADS = 80, (1, 2, 4, 2), 4
BATCH = 32  # utterances
SLACK = 3  # levels of 10 ms that are kept before and after the sound
YES_NO = ("نعم", "لا")
SEED = 7
# Added to the score of a yes at export: both this network and the speech model recognize more نعم of the validation
# speakers as لا than the reverse.
YES_BIAS = 0.7
# Added to a word's log-probability when speech model and verifier decide together, in nats: between yes and no nearly all
# of the speech model's errors are a نعم recognized as لا. Chosen on the validation speakers (engine/train/REPORT.md).
LOG_PRIORS = {"لا": -1.4}
# Shares of the utterances drawn: a yes, and as many a no; any one of the other words; none of the words.
ANSWER_SHARE, WORD_SHARE, OTHER_SHARE = 0.2, 0.0129, 0.1


class Block(torch.nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(channels)
        self.conv = torch.nn.Conv1d(channels, channels, 5, padding=2 * dilation, dilation=dilation)

    def forward(self, x, valid):
        return x + self.conv(F.dropout(F.relu(self.norm(x)), 0.2, self.training) * valid) * valid


class Verifier(torch.nn.Module):
    """mel [B, BANDS, T], valid [B, 1, T] of ones and zeros -> log-probabilities of the words and of another, [B, K+1]."""

    def __init__(self, words):
        super().__init__()
        self.first = torch.nn.Conv1d(features.BANDS, CHANNELS, 3, padding=1)
        self.blocks = torch.nn.ModuleList(Block(CHANNELS, d) for d in DILATIONS)
        self.attention = torch.nn.Conv1d(CHANNELS, HEADS, 1)
        self.out = torch.nn.Linear(HEADS * CHANNELS, words + 1)

    def forward(self, mel, valid):
        x = self.first(mel * valid) * valid
        for block in self.blocks:
            x = block(x, valid)
        weights = torch.softmax(self.attention(x) - 1e4 * (1 - valid), 2)
        pooled = torch.matmul(weights, x.transpose(1, 2)).flatten(1)
        return torch.log_softmax(self.out(F.dropout(pooled, 0.3, self.training)), 1)


class Draw:
    """Utterances with the index of their word, augmented as in the training of the speech model."""

    def __init__(self, folder, seed):
        self.mix, self.rng = mixer.Mixer(folder, seed), numpy.random.default_rng(seed)
        self.words = self.mix.words
        self.by_word = {w: {"real": [], "lone": []} for w in self.words}
        for kind, pools in (("real", self.mix.pools["word"] + self.mix.pools["digit"]), ("lone", self.mix.pools["lone"])):
            for p, e in pools:
                if e.text in self.by_word:
                    self.by_word[e.text][kind].append((p, e))
        self.answers = [(p, e) for p in (pool.Pool(folder, "answers"),) for e in p.entries]

    def sample(self):
        r = self.rng.random()
        if r < 0.1:
            return self.another()
        if r < 0.14:  # the simulated people's voice: one of three kinds of voices, and the rarest
            p, e = self.answers[self.rng.integers(len(self.answers))]
            return self.mix.finish(self.mix.cut(p, e, tight=True)).sound, self.words.index(e.text)
        word = YES_NO[self.rng.integers(2)] if r < 0.47 else self.words[self.rng.integers(len(self.words))]
        kinds = self.by_word[word]
        real = not kinds["lone"] or self.rng.random() < 0.7
        some = kinds["real" if real else "lone"]
        s = self.mix.cut(*some[self.rng.integers(len(some))], tight=self.rng.random() < 0.6)
        return self.mix.finish(s, real=real).sound, self.words.index(word)

    def another(self):
        """A word of a synthetic sentence, or a sound that is no speech."""
        if self.rng.random() < 0.2:
            return self.mix.nothing().sound, len(self.words)
        while True:
            p, e = self.mix.one("espeak")
            words = e.text.split()
            i = int(self.rng.integers(len(words)))
            if e.spans and len(e.spans) == len(words) and words[i] not in self.words:
                a, b = e.spans[i]
                if b - a > 0.15 * pool.RATE:
                    x = p.samples(e)[a:b]
                    return self.mix.finish(mixer.Sample(x, words[i], [[0, len(x)]])).sound, len(self.words)

    def batch(self):
        drawn = [self.sample() for _ in range(BATCH)]
        slack = self.rng.integers(0, 2 * SLACK + 1, (BATCH, 2))
        return [augment.trim(x, some) for (x, _), some in zip(drawn, slack)], torch.tensor([k for _, k in drawn])


def mel_of(feats, sounds, warps=None):
    """Sounds -> mel [B, BANDS, T], valid [B, 1, T]."""
    lengths = torch.tensor([max(len(x), 3 * features.HOP) for x in sounds])
    sound = torch.zeros(len(sounds), int(lengths.max()))
    for row, x in zip(sound, sounds):
        row[:len(x)] = torch.from_numpy(x)
    mel, frames = feats(sound, lengths, warps)
    valid = (torch.arange(mel.shape[2])[None] < frames[:, None]).float()[:, None]
    return mel, valid


@torch.no_grad()
def judge(model, feats, mix, words, entries, line=None):
    """Log-probabilities [N, K+1] of held-out takes and the index of each one's word."""
    model.eval()
    rng, rows = numpy.random.default_rng(5), []
    for p, e in entries:
        x = mix.cut(p, e, tight=True).sound
        x = numpy.pad(x, pool.RATE // 2)
        rows.append(model(*mel_of(feats, [augment.trim(line(x, rng) if line else x, (SLACK, SLACK))]))[0])
    return torch.stack(rows), torch.tensor([words.index(e.text) for _, e in entries])


def held_out(folder, words):
    """Takes of held-out people: yes and no, every eighth word, digits."""
    all_words = [(p, e) for p in (pool.Pool(folder, "eval-words"),) for e in p.entries]
    digits = [(p, e) for p in (pool.Pool(folder, "eval-digits"),) for e in p.entries if e.text in words]
    return {"yes and no": [x for x in all_words if x[1].text in YES_NO], "words": all_words[::8], "digits": digits}


def tell(model, feats, mix, words, judged):
    out = {}
    for name, entries in judged.items():
        for way, line in (("clean", None), ("G.711", lambda x, rng: augment.over_telephone(x, 15, rng))):
            scores, truth = judge(model, feats, mix, words, entries, line)
            among = [words.index(w) for w in YES_NO] if name == "yes and no" else range(len(words))
            best = torch.tensor(list(among))[scores[:, list(among)].argmax(1)]
            out[f"{name}, {way}"] = round(100 * float((best == truth).float().mean()), 1)
    print(json.dumps(out, ensure_ascii=False), flush=True)


def train(a, path):
    torch.manual_seed(SEED + a.seed)
    torch.set_num_threads(1)
    draw = Draw(a.cache / "pool", SEED + a.seed)
    words, feats = draw.words, features.Features()
    model = Verifier(len(words))
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=0.05)
    judged, began, generator = held_out(a.cache / "pool", words), time.monotonic(), torch.Generator().manual_seed(a.seed)
    for step in range(a.steps):
        for group in optimizer.param_groups:
            group["lr"] = 1.5e-3 * 0.5 * (1 + math.cos(math.pi * step / a.steps))
        sounds, truth = draw.batch()
        warps = torch.randint(0, len(features.WARPS), (len(sounds),), generator=generator)
        model.train()
        loss = F.cross_entropy(model(*mel_of(feats, sounds, warps)), truth, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 500 == 499:
            print(f"{time.monotonic() - began:5.0f} s  step {step + 1} of {a.steps}  loss {float(loss):.3f}", flush=True)
            tell(model, feats, draw.mix, words, judged)
    torch.save(dict(model=model.state_dict(), words=words), path)


class Deployed(torch.nn.Module):
    """The graph that Munadi runs: one utterance without padding, mel [1, BANDS, T] -> log_likelihoods [1, K+1].

    The classes are the words, and last any other. A posterior divided by the class's share in training is a likelihood
    up to a factor (Bourlard and Morgan 1994).
    """

    def __init__(self, model, words):
        super().__init__()
        self.model = model
        shares = [ANSWER_SHARE if w in YES_NO else WORD_SHARE for w in words] + [OTHER_SHARE]
        bias = [YES_BIAS if w == YES_NO[0] else 0 for w in words] + [0]
        self.offsets = torch.tensor([[b - math.log(s) for b, s in zip(bias, shares)]])

    def forward(self, mel):
        return self.model(mel, torch.ones_like(mel[:, :1])) + self.offsets


def export(cache, path):
    """Writes word-verifier.onnx, and word-verifier.json, its description in munadi.json."""
    kept = torch.load(path, map_location="cpu", weights_only=True)
    model = Verifier(len(kept["words"]))
    model.load_state_dict(kept["model"])
    example = torch.randn(1, features.BANDS, 60)
    deployed = Deployed(model, kept["words"]).eval()
    torch.onnx.export(deployed, (example,), str(cache / "word-verifier.onnx"), input_names=["mel"],
                      output_names=["log_likelihoods"], dynamic_axes={"mel": {2: "frames"}}, opset_version=17, dynamo=False)
    described = {"words": kept["words"], "log_priors": LOG_PRIORS}
    (cache / "word-verifier.json").write_text(json.dumps(described, ensure_ascii=False), encoding="utf-8")
    check(deployed, cache / "word-verifier.onnx")


@torch.no_grad()
def check(deployed, path):
    """Checks that the graph computes what the trained network computes, for several lengths."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    for frames in (9, 60, 211):
        mel = torch.randn(1, features.BANDS, frames)
        want = deployed(mel).numpy()
        got = session.run(["log_likelihoods"], {"mel": mel.numpy()})[0]
        if numpy.abs(want - got).max() > 1e-3:
            raise SystemExit(f"verifier: the graph and the trained network differ, for {frames} frames")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--cache", type=pathlib.Path, required=True)
    p.add_argument("--steps", type=int, default=3000)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    path = a.cache / f"verifier-{a.seed}.pt"
    if not path.exists():
        train(a, path)
    export(a.cache, path)


if __name__ == "__main__":
    main()
