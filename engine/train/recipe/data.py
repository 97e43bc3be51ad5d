"""Fills the pool: decoded recordings, synthetic speech, copies through codecs. Existing files are kept."""

import argparse
import pathlib
import random

from . import codecs, grammar, pool, real, script, voices
from .vad import Detector

SHARD = 700  # utterances of a file of espeak-ng's


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


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--cache", type=pathlib.Path, required=True)
    p.add_argument("--speech", type=pathlib.Path, required=True)
    p.add_argument("--bundled", type=pathlib.Path, required=True, help="the bundled voice: assets/prompts")
    p.add_argument("--vad", type=pathlib.Path, required=True)
    p.add_argument("--shards", type=int, default=16, help="files of synthetic speech, about half an hour each")
    p.add_argument("--first", type=int, default=0, help="the first of them to make")
    a = p.parse_args()
    folder, detector = a.cache / "pool", Detector(a.vad)

    def step(name, make):
        if name not in pool.names(folder):
            print("pool:", name, flush=True)
            make()

    step("words", lambda: real.words(a.speech, "train", detector, folder, "words"))
    step("eval-words", lambda: real.words(a.speech, "val", detector, folder, "eval-words"))
    step("eval-unseen", lambda: judged_sentences(folder))
    step("eval-prompts", lambda: real.prompts(a.speech, folder, "prompts", "eval-prompts"))
    step("blocks", lambda: real.bundled(a.bundled, folder, "blocks", real.is_block))
    step("prompts-joined", lambda: real.bundled(a.bundled, folder, "prompts-joined", real.is_joined(a.speech)))
    step("answers", lambda: real.bundled(a.bundled, folder, "answers", real.is_lone_answer))
    step("eval-digits", lambda: real.digits(a.speech, detector, folder, "digits", "eval-digits"))
    step("eval-person", lambda: real.person(a.speech, folder, "person", "eval-person"))
    step("ziad", lambda: real.parametric(a.speech, folder, "ziad"))
    step("lone", lambda: lone_words(folder, "lone"))
    step("words-coded", lambda: codecs.copy(folder, "words", "words-coded", random.Random(2), 0.6))
    step("digits-coded", lambda: codecs.copy(folder, "digits", "digits-coded", random.Random(3)))
    step("person-coded", lambda: codecs.copy(folder, "person", "person-coded", random.Random(4), 0.6))
    for i in range(a.first, a.first + a.shards):
        name = f"espeak-{i:03}"
        step(name, lambda: espeak_shard(folder, name, 1000 + i, SHARD))
        if i % 3 == 0:
            step(f"{name}-coded", lambda: codecs.copy(folder, name, f"{name}-coded", random.Random(i), 0.5))
    total = sum(pool.Pool(folder, n).hours() for n in pool.names(folder))
    print(f"pool: {total:.1f} h in {len(pool.names(folder))} files", flush=True)


if __name__ == "__main__":
    main()
