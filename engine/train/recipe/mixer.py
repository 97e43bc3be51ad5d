"""The training data: an endless stream of utterances, drawn from the pool by a fixed mix, joined and augmented.

A stream is determined by its seed and the pool's files. Sources: single words and digits of people, phrases and
strings of digits joined of them, a person's sentences, the parametric voice, espeak-ng, prompts, and sounds that are no
speech, whose text is empty.
"""

import dataclasses

import numpy

from . import augment
from .pool import RATE, Pool, names

# Shares of the utterances drawn, by source. Words are short, so their share of the audio is small.
MIX = {"word": 28, "digit": 22, "lone": 6, "block": 3, "phrase": 13, "person": 3, "ziad": 6, "espeak": 18, "prompt": 6,
       "nothing": 3}
# Yes and no are drawn equally often, and far more often than other words, since decisions depend on them.
WEIGHT = {"نعم": 14.0, "لا": 12.0, "صفر": 2.0, "أعلى": 1.5, "ابدأ": 1.5, "فتح": 1.5, "رقم": 1.5}
DIGITS = ("صفر", "واحد", "اثنان", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة")
# Prompts of the built-in scenarios, by their file names.
SAID = ("prompt/appointment.", "prompt/common.", "prompt/restaurant.")
LONGEST = 14 * RATE  # samples


@dataclasses.dataclass
class Sample:
    sound: numpy.ndarray  # float32 [N], 16 kHz
    text: str
    spans: list | None  # [start, end] of each word in samples, where known


class Mixer:
    def __init__(self, folder, seed):
        self.folder, self.rng = folder, numpy.random.default_rng(seed)
        self.loaded, self.pools = {}, {}
        self.strength = 1.0  # of the augmentation: the odds of each change are multiplied by it
        self.refresh()

    def refresh(self):
        """Adds new files of the pool."""
        new = [n for n in self.usable() if n not in self.loaded]
        if not new:
            return
        self.loaded |= {name: Pool(self.folder, name) for name in new}
        kinds = {"word": "words", "digit": "digits", "lone": "lone", "person": "person", "ziad": "ziad", "espeak": "espeak",
                 "prompt": "prompts", "block": "blocks"}
        for kind, prefix in kinds.items():
            pools = [p for n, p in sorted(self.loaded.items()) if n.startswith(prefix)]
            self.pools[kind] = [(p, e) for p in pools for e in p.entries]
        words = self.pools["word"]
        weights = numpy.array([WEIGHT.get(e.text, 1.0) for _, e in words])
        self.word_odds = numpy.cumsum(weights / weights.sum()) if len(words) else None
        self.words = sorted({e.text for _, e in words + self.pools["digit"]})
        self.by_speaker = {}
        for p, e in words + self.pools["digit"]:
            self.by_speaker.setdefault((p.name, e.speaker.split("/")[1]), []).append((p, e))
        self.speakers = sorted(self.by_speaker)
        self.digits_by_speaker = {s: d for s, all in self.by_speaker.items() if (d := [x for x in all if x[1].text in DIGITS])}
        self.kinds = [k for k in MIX if k == "nothing" or self.pools.get("word" if k == "phrase" else k)]
        share = numpy.array([MIX[k] for k in self.kinds], float)
        self.odds = share / share.sum()

    def usable(self):
        """Names of the pool files that training may hear."""
        return [n for n in names(self.folder) if not n.startswith("eval-")]

    def draw(self):
        """One augmented utterance."""
        while True:
            kind = self.rng.choice(self.kinds, p=self.odds)
            sample = getattr(self, kind)()
            if len(sample.sound) <= LONGEST:
                return sample

    # Sources

    def cut(self, pool, entry, tight):
        """Returns the utterance with some audio around its speech; tight: as the engine's VAD cuts it."""
        x = pool.samples(entry)
        a, b = entry.bounds
        if entry.vad and tight:
            slack = self.rng.integers(-480, 960, 2)
        elif entry.vad:
            slack = self.rng.integers(0, RATE // 2, 2)
        else:
            slack = self.rng.integers(0, RATE // 10, 2)
        a, b = max(0, a - int(slack[0])), min(len(x), b + int(slack[1]))
        spans = [[max(0, s - a), max(0, e - a)] for s, e in entry.spans] if entry.spans else None
        if spans is None and " " not in entry.text:
            spans = [[0, b - a]]
        return Sample(x[a:b], entry.text, spans)

    def one(self, kind):
        some = self.pools[kind]
        return some[self.rng.integers(len(some))]

    def word(self):
        at = int(numpy.searchsorted(self.word_odds, self.rng.random()))
        return self.alone(*self.pools["word"][min(at, len(self.pools["word"]) - 1)])

    def digit(self):
        return self.alone(*self.one("digit"))

    def lone(self):
        return self.alone(*self.one("lone"))

    def block(self):
        return self.alone(*self.one("block"))

    def alone(self, pool, entry):
        """A single word: mostly as the VAD cuts it, sometimes with its beginning or end clipped."""
        s = self.cut(pool, entry, tight=self.rng.random() < 0.7)
        if self.rng.random() < 0.2 * self.strength and len(s.sound) > 0.35 * RATE:
            first, last = (int(v * RATE) for v in self.rng.uniform(0, 0.05, 2))
            s = Sample(s.sound[first:len(s.sound) - last], s.text, None)
        return self.finish(s, bare=0.6, real=True)

    def phrase(self):
        """Words of one speaker, with pauses: two to six of any kind, or a string of three to eight digits."""
        string = self.rng.random() < 0.5
        by_speaker = self.digits_by_speaker if string else self.by_speaker
        speakers = sorted(by_speaker)
        some = by_speaker[speakers[self.rng.integers(len(speakers))]]
        parts, texts, spans, at = [], [], [], 0
        for i in range(int(self.rng.integers(3, 9) if string else self.rng.integers(2, 7))):
            s = self.cut(*some[self.rng.integers(len(some))], tight=True)
            gap = int(self.rng.exponential(0.12) * RATE) if i else 0
            parts += [numpy.zeros(gap, numpy.float32), s.sound * 10 ** self.rng.uniform(-0.2, 0.2)]
            spans.append([at + gap, at + gap + len(s.sound)])
            at += gap + len(s.sound)
            texts.append(s.text)
        return self.finish(Sample(numpy.concatenate(parts), " ".join(texts), spans), real=True)

    def person(self):
        return self.finish(self.cut(*self.one("person"), tight=True), real=True)

    def ziad(self):
        return self.finish(self.cut(*self.one("ziad"), tight=True))

    def espeak(self):
        return self.finish(self.cut(*self.one("espeak"), tight=True))

    def prompt(self):
        """Prompts of the appliance, as often as days, months and numbers."""
        said = [(p, e) for p, e in self.pools["prompt"] if e.speaker.startswith(SAID)]
        some = said if said and self.rng.random() < 0.5 else self.pools["prompt"]
        return self.finish(self.cut(*some[self.rng.integers(len(some))], tight=True))

    def nothing(self):
        n = int(self.rng.uniform(0.2, 4) * RATE)
        x = augment.non_speech(n, self.rng) if self.rng.random() < 0.9 else numpy.zeros(n, numpy.float32)
        return self.finish(Sample(x.astype(numpy.float32), "", []), noisy=False)

    # Augmentation

    def babble(self, n):
        """Three to six people who speak at once."""
        out = numpy.zeros(n, numpy.float32)
        for _ in range(int(self.rng.integers(3, 7))):
            p, e = self.one(self.rng.choice([k for k in ("espeak", "ziad", "word", "person") if self.pools[k]]))
            x = p.samples(e)
            at = int(self.rng.integers(0, max(1, n)))
            x = numpy.resize(x, n) if len(x) < n else x[:n]
            out += numpy.roll(x, at) / max(augment.rms(x), 1e-4)
        return out

    def finish(self, s, noisy=True, bare=0.5, real=False):
        """Speed, silence around it, room, noise, line; bare: the odds that no silence is added; real: a person's."""
        rng, x = self.rng, s.sound
        chance = lambda p: rng.random() < p * self.strength
        factor, before = 1.0, 0
        if chance(0.7):
            x, factor = augment.speed(x, rng)
        if rng.random() >= bare:
            before, after = (int(v) for v in rng.exponential(0.15, 2) * RATE)
            x = augment.pad(x, min(before, RATE), min(after, RATE), rng)
            before = min(before, RATE)
        x = x / max(augment.rms(x), 1e-5) * 0.05
        if chance(0.25):
            x = augment.tilt(x, rng)
        if noisy and chance(0.4 if real else 0.3):
            x = augment.room(x, rng)
        if noisy and chance(0.65 if real else 0.5):
            snr = rng.uniform(0, 25) if real else rng.uniform(3, 30)
            kind = rng.random()
            noise = self.babble(len(x)) if kind < 0.25 else augment.coloured(len(x), rng) if kind < 0.6 else augment.non_speech(len(x), rng)
            x = augment.add(x, noise, snr + (4 if kind < 0.25 else 0))
        if chance(0.05):
            x = augment.clip(x, rng)
        if chance(0.5 if real else 0.35):
            x = augment.telephone(x, rng)
        if chance(0.06):
            x = augment.lose_packets(x, rng)
        x = x + rng.standard_normal(len(x), numpy.float32) * 10 ** rng.uniform(-6, -3.5)
        spans = [[before + int(a * factor), before + int(b * factor)] for a, b in s.spans] if s.spans else s.spans
        return Sample(x.astype(numpy.float32), s.text, spans)


def batches(mixer, seconds, window=48):
    """Batches of about the given seconds, padding included: a window of samples is sorted by length and divided."""
    while True:
        drawn = sorted((mixer.draw() for _ in range(window)), key=lambda s: len(s.sound))
        groups, group = [], []
        for s in drawn:
            if group and (len(group) + 1) * len(s.sound) > seconds * RATE:
                groups.append(group)
                group = []
            group.append(s)
        groups.append(group)
        mixer.rng.shuffle(groups)
        # The transducer's loss takes no batch without a single label.
        yield from (g for g in groups if any(s.text for s in g))
