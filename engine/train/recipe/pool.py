"""The pool: clean speech on disk, in files of raw 16-bit samples at 16 kHz with an index beside each.

NAME.pcm holds utterances one after the other, NAME.json a list of entries. Augmentation happens later, each time that
an utterance is drawn, so that the pool stays small and no two passes are the same.
"""

import json
import os
from dataclasses import asdict, dataclass

import numpy

RATE = 16000  # Hz


@dataclass
class Entry:
    """One utterance. Positions are samples: start and length in the file, bounds and spans within the utterance."""
    start: int
    length: int
    text: str
    speaker: str
    bounds: tuple  # first and last sample of speech
    spans: list | None = None  # [start, end] of each word, where known
    vad: bool = False  # the bounds are a voice detector's, as the engine would cut


class Writer:
    """Writes one file of the pool; it gets its name when it is complete."""

    def __init__(self, folder, name):
        self.path, self.entries, self.at = folder / name, [], 0
        folder.mkdir(parents=True, exist_ok=True)
        self.file = open(f"{self.path}.pcm.part", "wb")

    def add(self, sound, text, speaker, bounds=None, spans=None, vad=False):
        if sound.dtype != numpy.int16:
            sound = numpy.clip(sound * 32768, -32768, 32767).astype(numpy.int16)
        self.entries.append(Entry(self.at, len(sound), text, speaker, tuple(map(int, bounds or loud(sound))), spans, vad))
        self.file.write(sound.tobytes())
        self.at += len(sound)

    def close(self):
        self.file.close()
        os.rename(f"{self.path}.pcm.part", f"{self.path}.pcm")
        part = f"{self.path}.json.part"
        with open(part, "w", encoding="utf-8") as out:
            json.dump([asdict(e) for e in self.entries], out, ensure_ascii=False)
        os.rename(part, f"{self.path}.json")


class Pool:
    """One file of the pool, read through a memory map."""

    def __init__(self, folder, name):
        self.name = name
        with open(folder / f"{name}.json", encoding="utf-8") as index:
            self.entries = [Entry(**e) for e in json.load(index)]
        self.sound = numpy.memmap(folder / f"{name}.pcm", numpy.int16, "r")

    def __len__(self):
        return len(self.entries)

    def hours(self):
        return sum(e.length for e in self.entries) / RATE / 3600

    def samples(self, entry):
        """float32 samples in [-1, 1]."""
        return self.sound[entry.start:entry.start + entry.length].astype(numpy.float32) / 32768


def names(folder, prefix=""):
    """Returns the complete files of the pool whose names have a prefix, in a fixed order."""
    return sorted(p.stem for p in folder.glob(f"{prefix}*.json")) if folder.exists() else []


def loud(sound, floor=0.02):
    """Returns the first and last sample that is louder than floor times the peak."""
    level = numpy.abs(sound.astype(numpy.float32))
    at = numpy.flatnonzero(level > floor * max(level.max(initial=0), 1e-9))
    return (int(at[0]), int(at[-1]) + 1) if len(at) else (0, len(sound))
