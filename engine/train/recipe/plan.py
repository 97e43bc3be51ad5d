"""Plans of batches for a GPU: which stretches of the pool make an utterance, and how it is to be changed.

A GPU mixes sound faster than any number of cores, so that the mixer's draws stay on the processor (Planner draws as Mixer
does, without touching a sample) and render.py lays, joins and changes the sound. A plan is a few arrays, cheap to pass
between processes. B utterances, P pieces, T encoder frames of 80 ms, U labels.
"""

import dataclasses
import functools

import numpy

from . import features, mixer
from .losses import FRAME
from .pool import RATE

STEP = 1280  # samples: lengths of batches are a multiple of it, a round number of frames
# Factors of STEP without primes above 5, whose transforms are fast.
ROUND = sorted(2 ** a * 3 ** b * 5 ** c for a in range(9) for b in range(6) for c in range(4))
MOST = 512  # utterances in a batch
TELEPHONE = {True: 0.55, False: 0.4}  # odds of a telephone, for real people and others, whatever the strength
NO_NOISE, COLOURED, RECORDED = range(3)


@dataclasses.dataclass
class Piece:
    """A stretch of the pool's sound in an utterance: start in all sound, length and place in samples before any change of speed."""
    start: int
    length: int
    at: int
    gain: float = 1.0


@dataclasses.dataclass
class Draft:
    """An utterance that is not yet sound; as mixer.Sample otherwise."""
    pieces: list
    length: int
    text: str
    spans: list | None
    factor: float = 1.0  # of the length, by speed
    before: int = 0  # samples of silence
    real: bool = False  # a person's
    noisy: bool = True  # gets noise and room


@dataclasses.dataclass
class Plan:
    """A batch. pieces and noise: arrays start, length, to (in the batch's samples, row after row), rate, gain."""
    size: int  # samples of a row
    lengths: numpy.ndarray  # [B] samples
    pieces: dict
    noise: dict
    labels: numpy.ndarray  # [B, U]
    counts: numpy.ndarray  # [B]
    targets: numpy.ndarray | None  # [B, T] label of each frame where known, else -100
    single: list  # (row, text) of single words of the closed list
    changes: dict  # arrays [B, ...], see draw_changes


def rounded(samples):
    """The next length whose transform is fast."""
    return STEP * next(k for k in ROUND if k * STEP >= samples)


def arrays(pieces):
    """Columns of (start, length, to, rate, gain)."""
    columns = list(zip(*pieces)) or [()] * 5
    kinds = (numpy.int64, numpy.int64, numpy.int64, numpy.float32, numpy.float32)
    return {name: numpy.array(c, k) for name, c, k in zip(("start", "length", "to", "rate", "gain"), columns, kinds)}


def draw_changes(rng, real, noisy, strength):
    """How each utterance is changed: [B] unless said; zero where nothing is done.

    warp (index of features.WARPS), tilt [B, 8] (dB over the band), decay (s), delay (samples) and level of a room's tail,
    kind of noise, snr (dB), slope of coloured noise, clip (in rms), low and high edge of the telephone's band (Hz), its
    level, its law (0 A, 1 mu), share of lost packets, floor (amplitude).
    """
    n, some = len(real), lambda p: rng.random(len(real)) < p
    warp = numpy.where(some(0.85 * strength), rng.integers(0, len(features.WARPS), n), features.STRAIGHT)
    room = some(0.4 * strength) & noisy
    telephone = rng.random(n) < numpy.where(real, TELEPHONE[True], TELEPHONE[False])
    noise = noisy & (rng.random(n) < numpy.where(real, 0.7, 0.55) * strength)
    return {
        "warp": warp, "tilt": rng.uniform(-8, 8, (n, 8)) * some(0.5 * strength)[:, None],
        "decay": rng.uniform(0.1, 0.6, n), "delay": rng.integers(16, 160, n), "tail": rng.uniform(0.05, 0.6, n) * room,
        "kind": numpy.where(noise, numpy.where(rng.random(n) < 0.45, COLOURED, RECORDED), NO_NOISE),
        "snr": numpy.where(real, rng.uniform(0, 25, n), rng.uniform(3, 30, n)), "slope": rng.uniform(0, 1, n),
        "clip": rng.uniform(1.5, 4, n) * some(0.06 * strength), "low": rng.uniform(150, 400, n) * telephone,
        "high": rng.uniform(3100, 3800, n), "level": rng.uniform(0.05, 0.9, n), "law": rng.integers(0, 2, n),
        "lost": rng.uniform(0.01, 0.06, n) * some(0.08 * strength), "floor": 10 ** rng.uniform(-6, -3.5, n)}


class Planner(mixer.Mixer):
    """Draws as the mixer does, but plans instead of sound. base: where each pool file starts in all sound."""

    def __init__(self, folder, seed, tokenizer, base, speeds=(0.76, 1.3)):
        self.base, self.speeds, self.aligned, self.blank = base, speeds, False, None
        super().__init__(folder, seed)
        self.encode = functools.lru_cache(200_000)(lambda text: tokenizer.encode(text) if text else [])
        noise = self.loaded["noise"]
        self.noises = [(noise, e) for e in noise.entries]

    def draw(self):
        while True:
            draft = getattr(self, self.rng.choice(self.kinds, p=self.odds))()
            if RATE // 12 <= draft.length <= mixer.LONGEST:
                return draft

    def usable(self):
        return list(self.base)

    def refresh(self):
        super().refresh()
        self.said = None
        self.speech = [k for k in ("espeak", "ziad", "word", "person") if self.pools[k]]

    def cut(self, pool, entry, tight):
        a, b = entry.bounds
        high = (-480, 960) if entry.vad and tight else (0, RATE // 2) if entry.vad else (0, RATE // 10)
        before, after = self.rng.integers(*high, 2)
        a, b = max(0, a - int(before)), min(entry.length, b + int(after))
        spans = [[max(0, s - a), max(0, e - a)] for s, e in entry.spans] if entry.spans else None
        if spans is None and " " not in entry.text:
            spans = [[0, b - a]]
        return Draft([Piece(self.base[pool.name] + entry.start + a, b - a, 0)], b - a, entry.text, spans)

    def alone(self, pool, entry):
        d = self.cut(pool, entry, tight=self.rng.random() < 0.7)
        if self.rng.random() < 0.2 * self.strength and d.length > 0.35 * RATE:
            first, last = (int(v * RATE) for v in self.rng.uniform(0, 0.05, 2))
            d = Draft([Piece(d.pieces[0].start + first, d.length - first - last, 0)], d.length - first - last, d.text, None)
        return self.finish(d, bare=0.6, real=True)

    def phrase(self):
        """Words of one speaker, mostly close together, some after a pause as people make between groups of digits."""
        string = self.rng.random() < 0.5
        by_speaker = self.digits_by_speaker if string else self.by_speaker
        speakers = sorted(by_speaker)
        some = by_speaker[speakers[self.rng.integers(len(speakers))]]
        whole, spans = Draft([], 0, "", []), []
        for i in range(int(self.rng.integers(3, 9) if string else self.rng.integers(2, 7))):
            d = self.cut(*some[self.rng.integers(len(some))], tight=True)
            pause = self.rng.uniform(0.2, 0.9) if self.rng.random() < 0.2 else self.rng.exponential(0.12)
            whole.length += int(pause * RATE) if i else 0
            whole.pieces.append(Piece(d.pieces[0].start, d.length, whole.length, 10 ** self.rng.uniform(-0.2, 0.2)))
            spans.append([whole.length, whole.length + d.length])
            whole.length += d.length
            whole.text += (" " if i else "") + d.text
        whole.spans = spans
        return self.finish(whole, real=True)

    def prompt(self):
        self.said = self.said or [(p, e) for p, e in self.pools["prompt"] if e.speaker.startswith(mixer.SAID)]
        some = self.said if self.said and self.rng.random() < 0.5 else self.pools["prompt"]
        return self.finish(self.cut(*some[self.rng.integers(len(some))], tight=True))

    def nothing(self):
        pool, entry = self.noises[self.rng.integers(len(self.noises))]
        n = int(self.rng.uniform(0.2, 4) * RATE)
        start = self.base[pool.name] + entry.start + int(self.rng.integers(0, entry.length - n))
        return self.finish(Draft([Piece(start, n, 0)] if self.rng.random() < 0.9 else [], n, "", []), noisy=False)

    def finish(self, d, noisy=True, bare=0.5, real=False):
        """Speed and silence around; everything else is drawn for the whole batch."""
        after = 0
        if self.rng.random() < 0.8 * self.strength:
            d.factor = float(numpy.exp(self.rng.uniform(*numpy.log(self.speeds))))
        if self.rng.random() >= bare:
            d.before, after = (min(RATE, int(v * RATE)) for v in self.rng.exponential(0.15, 2))
        d.length, d.real, d.noisy = d.before + int(d.length * d.factor) + after, real, noisy
        d.spans = [[d.before + int(a * d.factor), d.before + int(b * d.factor)] for a, b in d.spans] if d.spans else d.spans
        return d

    def noise_of(self, row, size, length):
        """Pieces of recorded noise for one row: non-speech sounds, or three to six people who speak at once."""
        if self.rng.random() < 0.6:
            pool, entry = self.noises[self.rng.integers(len(self.noises))]
            start = int(self.rng.integers(0, max(1, entry.length - length)))
            return [(self.base[pool.name] + entry.start + start, min(length, entry.length), row * size, 1.0, 1.0)]
        found = []
        for _ in range(int(self.rng.integers(3, 7))):
            pool, entry = self.one(self.speech[self.rng.integers(len(self.speech))])
            at = int(self.rng.integers(-entry.length // 2, length))
            skip, at = max(0, -at), max(0, at)
            n = min(entry.length - skip, length - at)
            if n > 0:
                found.append((self.base[pool.name] + entry.start + skip, n, row * size + at, 1.0, 10 ** self.rng.uniform(-0.4, 0.4)))
        return found

    def frame_targets(self, drafts, frames):
        """The labels of words spread evenly over their time: [B, T], -100 where the times are not known."""
        out = numpy.full((len(drafts), frames), -100, numpy.int64)
        for row, d in zip(out, drafts):
            words, n = d.text.split(), d.length // features.HOP // 8 + 1
            if d.spans is None or len(d.spans) != len(words):
                continue
            row[:n] = self.blank
            for word, (a, b) in zip(words, d.spans):
                tokens, first = numpy.array(self.encode(word)), min(a // FRAME, n - 1)
                last = min(max(b // FRAME, a // FRAME + 1), n)
                row[first:last] = tokens[numpy.arange(last - first) * len(tokens) // max(1, last - first)]
        return out

    def plan(self, drafts, blank):
        """One batch of drafts."""
        self.blank, size = blank, rounded(max(d.length for d in drafts))
        real, noisy = (numpy.array([getattr(d, name) for d in drafts]) for name in ("real", "noisy"))
        changes = draw_changes(self.rng, real, noisy, self.strength)
        pieces, noise = [], []
        for row, d in enumerate(drafts):
            pieces += [(p.start, int(p.length * d.factor), row * size + d.before + int(p.at * d.factor), 1 / d.factor, p.gain)
                       for p in d.pieces]
            if changes["kind"][row] == RECORDED:
                noise += self.noise_of(row, size, d.length)
        tokens = [self.encode(d.text) for d in drafts]
        labels = numpy.zeros((len(drafts), max(1, max(map(len, tokens)))), numpy.int64)
        for row, some in zip(labels, tokens):
            row[:len(some)] = some
        closed = set(self.words)
        return Plan(size, numpy.array([d.length for d in drafts]), arrays(pieces), arrays(noise), labels,
                    numpy.array([len(t) for t in tokens]),
                    self.frame_targets(drafts, size // STEP + 1) if self.aligned else None,
                    [(i, d.text) for i, d in enumerate(drafts) if d.text in closed], changes)

    def batches(self, seconds, blank, window=1200):
        """Plans of about the given seconds, padding included: a window of utterances is sorted by length and divided."""
        while True:
            drawn = sorted((self.draw() for _ in range(window)), key=lambda d: d.length)
            groups, group = [], []
            for d in drawn:
                if group and (len(group) == MOST or (len(group) + 1) * rounded(d.length) > seconds * RATE):
                    groups.append(group)
                    group = []
                group.append(d)
            groups.append(group)
            self.rng.shuffle(groups)
            yield from (self.plan(g, blank) for g in groups if any(d.text for d in g))
