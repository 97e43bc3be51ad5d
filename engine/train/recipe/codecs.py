"""Telephone codecs by ffmpeg, or libsndfile where it is missing: a whole file of the pool in one pass, then cut apart again."""

import io
import shutil
import subprocess

import numpy
import soundfile
from scipy.signal import resample_poly

from . import pool

# Name: sampling rate, ffmpeg's encoder and container. If ffmpeg lacks one, it is not used.
CODECS = {
    "gsm": (8000, ["-c:a", "libgsm", "-f", "gsm"]),
    "amr": (8000, ["-c:a", "libopencore_amrnb", "-b:a", "7.95k", "-f", "amr"]),
    "opus8": (8000, ["-c:a", "libopus", "-b:a", "10k", "-application", "voip", "-f", "ogg"]),
    "opus16": (16000, ["-c:a", "libopus", "-b:a", "16k", "-application", "voip", "-f", "ogg"]),
    "g726": (8000, ["-c:a", "g726", "-b:a", "32k", "-f", "wav"]),
}
# The same of libsndfile's: sampling rate, format, subtype, options. It has no AMR.
SNDFILE = {
    "gsm": (8000, "WAV", "GSM610", {}),
    "opus8": (8000, "OGG", "OPUS", {"compression_level": 0.95}),
    "opus16": (16000, "OGG", "OPUS", {"compression_level": 0.95}),
    "g726": (8000, "AU", "G721_32", {}),
}


def by_sndfile(sound, name):
    """As through, by libsndfile."""
    rate, container, subtype, options = SNDFILE[name]
    file, narrow = io.BytesIO(), resample_poly(sound.astype(numpy.float32) / 32768, rate, 16000)
    soundfile.write(file, narrow.clip(-1, 1), rate, format=container, subtype=subtype, **options)
    file.seek(0)
    wide = resample_poly(soundfile.read(file, dtype="float32")[0], 16000, rate)
    return (wide * 32767).clip(-32768, 32767).astype(numpy.int16)


def ffmpeg(arguments, data):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1", *arguments]
    return subprocess.run(command, input=data, check=True, capture_output=True).stdout


def through(sound, name):
    """int16 samples at 16 kHz, coded and decoded again; the delay of the codec is taken out, the length stays."""
    if not shutil.which("ffmpeg"):
        return fitted(by_sndfile(sound, name), len(sound))
    rate, encoder = CODECS[name]
    raw = ["-f", "s16le", "-ac", "1", "-ar", "16000"]
    coded = ffmpeg([*raw, "-i", "-", "-ar", str(rate), *encoder, "-"], sound.tobytes())
    demuxer = {"gsm": ["-f", "gsm"], "amr": ["-f", "amr"]}.get(name, [])
    back = numpy.frombuffer(ffmpeg([*demuxer, "-i", "-", *raw, "-"], coded), numpy.int16)
    return fitted(back, len(sound))


def fitted(sound, length):
    """The sound with a length: cut, or with silence behind."""
    return sound[:length] if len(sound) >= length else numpy.pad(sound, (0, length - len(sound)))


def copy(folder, source, target, rng, share=1.0):
    """Copies a share of a pool file's utterances, block by block, through random codecs."""
    src, out = pool.Pool(folder, source), pool.Writer(folder, target)
    chosen = [e for e in src.entries if rng.random() < share]
    names = sorted(CODECS if shutil.which("ffmpeg") else SNDFILE)
    for at in range(0, len(chosen), 200):
        block = chosen[at:at + 200]
        joined = numpy.concatenate([src.sound[e.start:e.start + e.length] for e in block])
        name = rng.choice(names)
        try:
            joined = through(joined, name)
        except subprocess.CalledProcessError:
            continue
        first = 0
        for e in block:
            out.add(joined[first:first + e.length], e.text, e.speaker, e.bounds, e.spans, e.vad)
            first += e.length
    out.close()
