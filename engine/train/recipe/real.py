"""Recordings of people, and the parametric voice: decoded once into the pool.

FOLDER/asc/SPLIT/SPEAKER/CLASS.opus, ten takes of one second each; FOLDER/digits, FOLDER/ammi, FOLDER/ziad and
FOLDER/prompts with texts.tsv. The val speakers, and the held-out blocks of digits and sentences, are stored in
separate files that training never opens.
"""

import re

import numpy
import soundfile
from scipy.signal import resample_poly

from . import pool, script

RATE = pool.RATE
# Answers of called people are for the evaluation, and so are prompts with the same words.
EVALUATION_PROMPTS = "callee."
# Prompts of the appliance, except days, months and numbers.
SPOKEN_PROMPTS = ("appointment.", "common.", "restaurant.")
# Clips of digits/ are numbered by class; ten in a row are alike (speaker, room), so whole tens are held out.
BLOCK = 10
EVALUATION_BLOCKS = {2, 6}
# Sessions of ammi/ for the evaluation, by the beginning of their file names.
EVALUATION_SESSIONS = ("200625-031521", "200625-033522")


def decode(path):
    """float32 mono samples at 16 kHz of a WAV, FLAC or Ogg file."""
    sound, rate = soundfile.read(path, dtype="float32", always_2d=True)
    sound = sound.mean(1)
    return sound if rate == RATE else resample_poly(sound, RATE, rate).astype(numpy.float32)


def table(path):
    """Tab-separated lines."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]


def words(speech, split, folder, name, detector):
    """Single words of one split, each take with the bounds of the engine's VAD."""
    out = pool.Writer(folder, name)
    for speaker in sorted((speech / "asc" / split).iterdir()):
        for label, word in table(speech / "asc" / "words.tsv"):
            path = speaker / f"{label}.opus"
            if not path.exists():
                continue
            sound = decode(path)
            for k in range(len(sound) // RATE):
                take = sound[k * RATE:(k + 1) * RATE]
                found = detector.bounds(take)
                out.add(take, word, f"asc/{speaker.name}/{label}/{k + 1}", found, vad=found is not None)
    out.close()


def digits(speech, folder, training, evaluation, detector):
    """Single digits by anonymous people; a block of ten is treated as one speaker."""
    files = {name: pool.Writer(folder, name) for name in (training, evaluation)}
    for file, word in table(speech / "digits" / "texts.tsv"):
        value, number = map(int, re.fullmatch(r"(\d+)_[a-z]+_(\d+)\.opus", file).groups())
        sound = decode(speech / "digits" / file)
        found = detector.bounds(sound)
        held = number // BLOCK in EVALUATION_BLOCKS
        files[evaluation if held else training].add(
            sound, word, f"digits/{number // BLOCK:02}/{value}/{number}", found, vad=found is not None)
    for f in files.values():
        f.close()


def person(speech, folder, training, evaluation):
    """Whole sentences that a person reads."""
    files = {name: pool.Writer(folder, name) for name in (training, evaluation)}
    for file, text in table(speech / "ammi" / "texts.tsv"):
        text = script.plain(text)
        if script.legal(text):
            held = file.startswith(EVALUATION_SESSIONS)
            files[evaluation if held else training].add(decode(speech / "ammi" / file), text, "ammi")
    for f in files.values():
        f.close()


def parametric(speech, folder, name):
    out = pool.Writer(folder, name)
    for file, text in table(speech / "ziad" / "texts.tsv"):
        out.add(decode(speech / "ziad" / file), text, "ziad")
    out.close()


def prompts(speech, folder, training, evaluation):
    """Prompts for training; answers of called people for the evaluation."""
    spoken = table(speech / "prompts" / "texts.tsv")
    kept = {script.plain(text) for key, text in spoken if key.startswith(EVALUATION_PROMPTS)}
    files = {name: pool.Writer(folder, name) for name in (training, evaluation)}
    for key, text in spoken:
        judged = key.startswith(EVALUATION_PROMPTS)
        text = script.plain(text)
        if not judged and text in kept:
            continue
        for path in sorted((speech / "prompts").glob(f"{key}*.flac")):
            if path.stem == key or path.stem in (f"{key}.high", f"{key}.low"):
                files[evaluation if judged else training].add(decode(path), text, f"prompt/{path.stem}")
    for f in files.values():
        f.close()


def bundled(assets, folder, name, wanted):
    """Clips of the bundled voice whose key satisfies wanted; assets holds texts.tsv and voice.ulaw.

    voice.ulaw is G.711 mu-law at 8 kHz; texts.tsv has key, first sample, number of samples, vocalized and plain text.
    """
    voice = (assets / "voice.ulaw").read_bytes()
    out = pool.Writer(folder, name)
    for key, start, length, _, text in table(assets / "texts.tsv"):
        if wanted(key):
            start, length = int(start), int(length)
            sound = expand_mu_law(voice[start:start + length])
            out.add(resample_poly(sound, RATE, 8000).astype(numpy.float32), script.plain(text), f"prompt/{key}")
    out.close()


def is_block(key):
    """Single words from which sentences are joined."""
    return key.startswith("word.")


def is_lone_answer(key):
    """Single yes and no of the simulated people, in each voice."""
    return key.split(".")[:2] in (["callee", "yes"], ["callee", "no"])


def is_joined(speech):
    """Reports whether a key is a prompt that was joined of pieces of other prompts, which only the bundled voice has."""
    recorded = {key for key, _ in table(speech / "prompts" / "texts.tsv")}
    return lambda key: key.startswith(SPOKEN_PROMPTS) and key not in recorded


def expand_mu_law(coded):
    """float32 samples of G.711 mu-law bytes (ITU-T G.711, table 2a)."""
    inverted = ~numpy.frombuffer(coded, numpy.uint8)
    exponent, mantissa = (inverted >> 4) & 7, (inverted & 15).astype(numpy.int32)
    size = (((mantissa << 3) + 132) << exponent) - 132
    return (numpy.where(inverted & 128, -size, size) / 32768).astype(numpy.float32)
