"""Fills the pool: decoded recordings, synthetic speech, copies through codecs. Existing files are kept."""

import argparse
import functools
import multiprocessing
import pathlib
import random
import time

import numpy

from . import augment, codecs, grammar, pool, real, script, voices
from .vad import Detector

SHARD = 700  # utterances of a file of espeak-ng's
NOISES = 150  # clips of 15 s without speech


def espeak_shard(folder, name, seed, utterances, made=None):
    """One file of synthetic sentences: grammar, voice and way of speaking drawn at random."""
    rng, synth, texts = random.Random(seed), voices.Espeak(), made or grammar.Grammar()
    out = pool.Writer(folder, name)
    for _ in range(utterances):
        words = texts.sentence(rng)
        text = script.plain(" ".join(words))
        assert script.legal(text), text
        spoken = script.speak(words, rng, formal=rng.random() < 0.25)
        sound, spans = synth.say(spoken, **voices.random_voice(rng, synth.training))
        if len(sound):
            out.add(sound, text, "espeak", spans=spans)
    out.close()


def lone_words(folder, name, seed=12, each=24):
    """Single words by every voice that is not held out, half of them yes and no: more voices than the recordings have."""
    rng, synth, texts = random.Random(seed), voices.Espeak(), grammar.Grammar()
    yes_no = [w for w in texts.words["command"] if script.plain(w) in script.CONFUSABLE]
    out = pool.Writer(folder, name)
    for variant in synth.training:
        for i in range(each):
            word = yes_no[i % len(yes_no)] if i < each // 2 else rng.choice(texts.words["command"])
            voice = dict(voices.random_voice(rng, synth.training), variant=variant)
            sound, _ = synth.say(script.speak(word.split(), rng), **voice)
            if len(sound):
                out.add(sound, script.plain(word), "espeak/" + variant)
    out.close()


def judged_sentences(folder, seed=7):
    """For the evaluation: new sentences of the grammar and sentences outside it, by voices held out."""
    rng, synth, texts = random.Random(seed), voices.Espeak(), grammar.Grammar()
    sets = {"eval-grammar": [texts.sentence(rng) for _ in range(150)], "eval-unseen": grammar.unseen() * 3}
    for name, sentences in sets.items():
        out = pool.Writer(folder, name)
        for words in sentences:
            voice = voices.random_voice(rng, synth.held_out)
            sound, spans = synth.say(script.speak(words, rng), **voice)
            out.add(sound, script.plain(" ".join(words)), f"espeak/{voice['variant']}", spans=spans)
        out.close()


def noises(folder, name, seed=3):
    """Sounds without speech, for training on a GPU, which can't make them."""
    rng, out = numpy.random.default_rng(seed), pool.Writer(folder, name)
    for _ in range(NOISES):
        x = augment.non_speech(15 * pool.RATE, rng)
        out.add((x / max(augment.rms(x), 1e-6) * 0.05).astype(numpy.float32), "", "noise")
    out.close()


def telephoned(folder, source, target, takes=(1, 4, 7, 10)):
    """For validation: clips of a pool file over telephones, with white noise at 15 and at 10 dB; some takes of words."""
    src, out = pool.Pool(folder, source), pool.Writer(folder, target)
    some = [e for e in src.entries if e.speaker.startswith("digits") or int(e.speaker.rsplit("/", 1)[1]) in takes]
    for snr in (15, 10):
        for i, e in enumerate(some):
            heard = augment.over_telephone(src.samples(e), snr, numpy.random.default_rng(i), augment.white)
            out.add(heard, e.text, e.speaker, e.bounds, e.spans, e.vad)
    out.close()


def steps(a):
    """What makes each file of the pool, by name: those that need nothing, then copies of them."""
    folder, do = a.cache / "pool", functools.partial
    detect = lambda make, *rest: lambda: make(*rest, detector=Detector(a.vad))
    first = {
        "words": detect(real.words, a.speech, "train", folder, "words"),
        "eval-words": detect(real.words, a.speech, "val", folder, "eval-words"),
        "eval-unseen": do(judged_sentences, folder),
        "eval-prompts": do(real.prompts, a.speech, folder, "prompts", "eval-prompts"),
        "blocks": do(real.bundled, a.bundled, folder, "blocks", real.is_block),
        "prompts-joined": lambda: real.bundled(a.bundled, folder, "prompts-joined", real.is_joined(a.speech)),
        "answers": do(real.bundled, a.bundled, folder, "answers", real.is_lone_answer),
        "eval-digits": detect(real.digits, a.speech, folder, "digits", "eval-digits"),
        "eval-person": do(real.person, a.speech, folder, "person", "eval-person"),
        "ziad": do(real.parametric, a.speech, folder, "ziad"),
        "lone": do(lone_words, folder, "lone"),
        "noise": do(noises, folder, "noise"),
    }
    shards = [f"espeak-{i:03}" for i in range(a.first, a.first + a.shards)]
    first |= {name: do(espeak_shard, folder, name, 1000 + a.first + i, SHARD) for i, name in enumerate(shards)}
    shares = {"words": 0.6, "digits": 1.0, "person": 0.6} | {name: 0.5 for i, name in enumerate(shards) if (a.first + i) % 3 == 0}
    copies = {f"{name}-coded": do(codecs.copy, folder, name, f"{name}-coded", random.Random(name), share)
              for name, share in shares.items()}
    copies |= {f"{name}-line": do(telephoned, folder, name, f"{name}-line") for name in ("eval-words", "eval-digits")}
    return first, copies


def make(todo, name):
    began = time.monotonic()
    todo[name]()
    print(f"pool: {name} in {time.monotonic() - began:.0f} s", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--cache", type=pathlib.Path, required=True)
    p.add_argument("--speech", type=pathlib.Path, required=True)
    p.add_argument("--bundled", type=pathlib.Path, required=True, help="the bundled voice: assets/prompts")
    p.add_argument("--vad", type=pathlib.Path, required=True, help="the engine's Silero VAD, an ONNX file")
    p.add_argument("--shards", type=int, default=16, help="files of synthetic speech, about half an hour each")
    p.add_argument("--first", type=int, default=0, help="the first of them to make")
    p.add_argument("--workers", type=int, default=1, help="processes")
    p.add_argument("--only", nargs="+", default=[], help="only files whose names begin so")
    a = p.parse_args()
    folder = a.cache / "pool"
    for todo in steps(a):
        missing = [n for n in todo if n not in pool.names(folder) and n.startswith(tuple(a.only) or "")]
        workers = [multiprocessing.get_context("fork").Process(target=work, args=(todo, missing[i::a.workers]))
                   for i in range(min(a.workers, len(missing)))]
        for w in workers:
            w.start()
        for w in workers:
            w.join()
        if any(w.exitcode for w in workers):
            raise SystemExit("data: a file of the pool could not be made")
    total = sum(pool.Pool(folder, n).hours() for n in pool.names(folder))
    print(f"pool: {total:.1f} h in {len(pool.names(folder))} files", flush=True)


def work(todo, mine):
    """One process's share of the files."""
    for name in mine:
        make(todo, name)


if __name__ == "__main__":
    main()
