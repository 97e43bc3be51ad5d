"""The audio of the benchmark: a clip of 10 s and a file of 10 minutes, 16 kHz mono.

If ../shared/speech exists, both are made of its recordings: single words of real speakers, their
silences trimmed, joined into phrases of one speaker, and sentences of a parametric voice, with pauses between. Otherwise
they are made of the recordings committed for tests. The same seed gives the same audio.
"""

import hashlib
import pathlib

import numpy
import soundfile

RATE = 16000
SEED = 7
CLIP_SECONDS, FILE_SECONDS = 10, 600


def trimmed(samples, margin=0.04):
    """Returns samples without the silence at both ends: windows of 10 ms below a twentieth of the loudest."""
    hop = RATE // 100
    power = numpy.square(samples[:len(samples) // hop * hop].reshape(-1, hop)).mean(axis=1)
    loud = numpy.flatnonzero(power > power.max() / 400)
    if len(loud) == 0:
        return samples
    pad = int(margin * RATE)
    return samples[max(loud[0] * hop - pad, 0):(loud[-1] + 1) * hop + pad]


def read(path):
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    if rate != RATE:
        raise ValueError(f"{path}: {rate} Hz, expected {RATE}")
    return samples.mean(axis=1)


def quiet(rng, seconds):
    """A pause with the faint noise of a microphone, so that no program gets digital silence."""
    return (rng.standard_normal(int(seconds * RATE)) * 3e-4).astype(numpy.float32)


def words_of(speaker, rng, count):
    """count words of one real speaker in a row: take k of a file is the second from k-1 to k."""
    files = sorted(speaker.glob("*.opus"))
    parts = []
    for index in rng.integers(len(files), size=count):
        samples = read(files[index])
        take = rng.integers(max(len(samples) // RATE, 1))
        parts += [trimmed(samples[take * RATE:(take + 1) * RATE]), quiet(rng, rng.uniform(0.04, 0.12))]
    return numpy.concatenate(parts)


def from_recordings(speech, rng):
    """Yields phrases endlessly: four times real speakers' words, then a sentence of the parametric voice."""
    speakers = sorted(p for p in (speech / "asc").glob("*/*") if p.is_dir())
    sentences = sorted((speech / "ziad").glob("*.opus"))
    while True:
        for _ in range(4):
            yield words_of(speakers[rng.integers(len(speakers))], rng, rng.integers(3, 9))
        yield trimmed(read(sentences[rng.integers(len(sentences))]))


def from_tests(files, rng):
    while True:
        yield trimmed(read(files[rng.integers(len(files))]))


def usable(path):
    """Test recordings that hold speech: 16 kHz and between one and 30 seconds."""
    try:
        info = soundfile.info(path)
    except soundfile.LibsndfileError:
        return False
    return info.samplerate == RATE and 1 <= info.duration <= 30


def phrases(root, rng):
    speech = root.parent / "shared" / "speech"
    if (speech / "asc").is_dir():
        return "../shared/speech (24 real speakers' words and a parametric voice)", from_recordings(speech, rng)
    files = [p for p in sorted(root.glob("engine/**/testdata/**/*.wav")) if usable(p)]
    if not files:
        raise SystemExit("bench: no recordings: neither ../shared/speech nor recordings in engine/**/testdata exist")
    return f"{len(files)} recordings committed for tests", from_tests(files, rng)


def joined(source, rng, seconds, shortest, longest):
    parts, have = [], 0
    while have < seconds * RATE:
        part = numpy.concatenate([next(source), quiet(rng, rng.uniform(shortest, longest))])
        parts.append(part)
        have += len(part)
    samples = numpy.concatenate(parts)[:seconds * RATE]
    return samples / max(1.0, numpy.abs(samples).max() / 0.9)


def prepare(root, cache):
    """Makes clip.wav and file.wav if they are missing; returns their paths and the name of their source."""
    folder = cache / "audio"
    note, key = folder / "made-from", hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest()
    paths = folder / "clip.wav", folder / "file.wav"
    rng = numpy.random.default_rng(SEED)
    name, source = phrases(root, rng)
    if note.exists() and note.read_text() == f"{name}\n{key}":
        return *paths, name
    folder.mkdir(parents=True, exist_ok=True)
    for path, samples in zip(paths, (joined(source, rng, CLIP_SECONDS, 0.1, 0.3),
                                     joined(source, rng, FILE_SECONDS, 0.4, 1.6))):
        soundfile.write(path, samples, RATE, subtype="PCM_16")
    note.write_text(f"{name}\n{key}")
    return *paths, name


def samples_of(path):
    return read(pathlib.Path(path))
