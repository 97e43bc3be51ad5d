"""The evaluation of a model folder: figures with their intervals, measured through Munadi.

The test sets are the same for every model: the val speakers' words, sentences by held-out voices, clean
and over a noisy telephone, what called people say in the parametric voice, and sounds that are no speech.
"""

import argparse
import json
import pathlib
import time

import numpy

from . import augment, pool, score
from .appliance import Appliance, size

HEADS = ("production", "rnnt", "ctc")


def over_telephone(snr, noise=augment.white):
    """Returns a change of samples by seed: G.711 with noise at the given SNR in dB."""
    return lambda x, seed: augment.over_telephone(x, snr, numpy.random.default_rng(seed), noise)


noisy_telephone = over_telephone(10, augment.coloured)


def no_speech(minutes, seed=5):
    """Clips of 15 s: noise, hum, tones, music, knocks, breath and silence in turn."""
    clips = []
    for i in range(int(minutes * 4)):
        rng = numpy.random.default_rng(seed + i)
        kind = (*augment.NON_SPEECH, None)[i % 7]
        x = kind(15 * 16000, rng) if kind else numpy.zeros(15 * 16000, numpy.float32)
        clips.append((x / max(augment.rms(x), 1e-6) * 0.05).astype(numpy.float32))
    return clips


def words(appliance, folder, takes, change=None):
    """Single words of the val speakers, take by take."""
    src = pool.Pool(folder, "eval-words")
    some = [e for e in src.entries if int(e.speaker.rsplit("/", 1)[1]) in takes]
    return single(appliance, src, some, change)


def digits(appliance, folder, change=None):
    """Single digits of the blocks held out, by anonymous people."""
    src = pool.Pool(folder, "eval-digits")
    return single(appliance, src, src.entries, change)


def single(appliance, src, some, change):
    sounds = [src.samples(e) for e in some]
    heard = appliance.hear_all([s if change is None else change(s, i) for i, s in enumerate(sounds)])
    found = {}
    for head in HEADS:
        pairs = [(e.text, h[head]) for e, h in zip(some, heard)]
        groups, each = {}, {}
        for e, pair in zip(some, pairs):
            groups.setdefault(e.speaker.split("/")[1], []).append(pair)
            each.setdefault(e.text, []).append(pair)
        found[head] = score.accuracy(pairs)
        found[head]["speakers"] = score.by_speaker(list(groups.values()))
        found[head]["words"] = {w: score.accuracy(p) for w, p in sorted(each.items())}
        found[head]["missed"] = {w: sorted({h for s, h in p if score.fold(s) != score.fold(h)}) for w, p in each.items()}
    return found


def sentences(appliance, folder, name, change=None):
    """Word error rates of one file of the pool."""
    src = pool.Pool(folder, name)
    sounds = [src.samples(e) for e in src.entries]
    # A little silence around, as a recording has it.
    sounds = [numpy.pad(s if change is None else change(s, i), 4000) for i, s in enumerate(sounds)]
    heard = appliance.hear_all(sounds)
    found = {head: score.word_errors([(e.text, h[head]) for e, h in zip(src.entries, heard)]) for head in HEADS}
    found["real_time_factor"] = sum(h["ms"] for h in heard) / 1000 / sum(h["duration"] for h in heard)
    return found


def golden(appliance, folder):
    """The sentences that came with the reference model: voices outside its training."""
    from .real import decode

    files = json.loads((folder / "golden" / "golden.json").read_text(encoding="utf-8"))["files"]
    heard = appliance.hear_all([decode(folder / "wav" / f["wav"]) for f in files])
    return {head: score.word_errors([(f["text"], h[head]) for f, h in zip(files, heard)]) for head in HEADS}


def invented(appliance, minutes):
    """Words a minute that were recognized in audio without speech."""
    clips = no_speech(minutes)
    heard = appliance.hear_all(clips)
    total = sum(len(c) for c in clips) / 16000 / 60
    return {head: sum(len(h[head].split()) for h in heard) / total for head in HEADS} | {"minutes": total}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--cache", type=pathlib.Path, required=True)
    p.add_argument("--munadi", type=pathlib.Path, required=True)
    p.add_argument("--model", type=pathlib.Path, required=True)
    p.add_argument("--name", required=True)
    p.add_argument("--takes", type=int, default=10, help="how many of the ten takes of each word and speaker")
    p.add_argument("--reference", type=pathlib.Path, help="folder with golden/ and wav/ of the reference model")
    a = p.parse_args()
    folder, began = a.cache / "pool", time.monotonic()
    out = {"model": a.name, "bytes": size(a.model), "takes": a.takes}
    with Appliance(a.munadi, a.model) as appliance:
        jobs = {
            "words": lambda: words(appliance, folder, range(1, a.takes + 1)),
            "words_telephone_15": lambda: words(appliance, folder, range(1, a.takes + 1, 3), over_telephone(15)),
            "words_telephone_10": lambda: words(appliance, folder, range(1, a.takes + 1, 3), over_telephone(10)),
            "digits": lambda: digits(appliance, folder),
            "digits_telephone_15": lambda: digits(appliance, folder, over_telephone(15)),
            "person": lambda: sentences(appliance, folder, "eval-person"),
            "grammar": lambda: sentences(appliance, folder, "eval-grammar"),
            "grammar_telephone": lambda: sentences(appliance, folder, "eval-grammar", noisy_telephone),
            "unseen": lambda: sentences(appliance, folder, "eval-unseen"),
            "unseen_telephone": lambda: sentences(appliance, folder, "eval-unseen", noisy_telephone),
            "callee": lambda: sentences(appliance, folder, "eval-prompts"),
            "callee_telephone": lambda: sentences(appliance, folder, "eval-prompts", noisy_telephone),
            "invented": lambda: invented(appliance, 7),
        }
        if a.reference:
            jobs["golden"] = lambda: golden(appliance, a.reference)
        for name, job in jobs.items():
            out[name] = job()
            brief = {h: round(v["percent"], 1) if isinstance(v, dict) else v for h, v in out[name].items()}
            print(f"{time.monotonic() - began:6.0f} s  {a.name}  {name}: {brief}", flush=True)
    path = a.cache / f"results-{a.name}.json"
    path.write_text(json.dumps(out, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
