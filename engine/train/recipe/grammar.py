"""Sentences: templates filled from word classes, vocalized, with the plain text that is to be transcribed.

Templates make what callers usually say (confirmations, orders, numbers, dates, times, names, addresses, greetings);
small talk and random words of the whole lexicon make the model learn sounds and not the templates.
Deterministic: the same seed makes the same sentences.
"""

import pathlib
import random
import re

from . import morphology, numbers, script

FOLDER = pathlib.Path(__file__).parent.parent / "lexicon"
# Relative frequency of each topic.
TOPICS = {"confirm": 14, "time": 12, "number": 16, "order": 16, "address": 10, "greeting": 5, "talk": 27}
_slot = re.compile(r"\{(\w+)\}")


def sections(path):
    """Lines below [headings], without comments."""
    found, name = {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if line.startswith("["):
            name = line.strip("[]")
            found[name] = []
        elif line and not line.startswith("#"):
            found[name].append(line)
    return found


class Grammar:
    """Makes sentences. words: class -> entries, an entry being one or more vocalized words."""

    def __init__(self, folder=FOLDER):
        self.words = {}
        for name, lines in sections(folder / "words.txt").items():
            entries = [e.strip() for line in lines for e in line.split("،") if e.strip()]
            if name.endswith("+"):
                entries = [w for e in entries for w in morphology.declined(e)]
            self.words[name.rstrip("+")] = entries
        verbs, nouns = morphology.words_of_roots(folder / "roots.txt")
        self.words["verb"] = verbs
        self.words["noun"] = self.words["noun"] + [w for n in nouns for w in morphology.declined(n)[:4]]
        self.topics = sections(folder / "templates.txt")
        everything = {w for entries in self.words.values() for e in entries for w in e.split()}
        everything |= {w for t in self.topics.values() for line in t for w in line.split() if "{" not in w}
        self.everything = sorted(w for w in everything if len(script.plain(w)) > 1)

    def sentence(self, rng, topic=None):
        """Vocalized words of one sentence."""
        topic = topic or rng.choices(list(TOPICS), TOPICS.values())[0]
        line = rng.choice(self.topics[topic])
        text = _slot.sub(lambda m: self.fill(m.group(1), rng), line)
        # A lone و belongs to the next word.
        return re.sub(r"(^| )و (?=\S)", "\\1و\u064e", text).split()

    def fill(self, slot, rng):
        one = lambda name: rng.choice(self.words[name])
        match slot:
            case "n":
                return numbers.any_number(rng)
            case "few":
                return numbers.number(rng.randrange(1, 11), rng)
            case "digits":
                return numbers.digits(rng)
            case "hour":
                return numbers.hour(rng)
            case "time":
                return rng.choice(("السَّاعَة ", "السَّاعَة ", "عَلَى ", "")) + numbers.hour(rng) + rng.choice(("", " " + one("part")))
            case "date":
                return numbers.date(rng, self.words["day"], self.words["month"])
            case "price":
                return f"{numbers.any_number(rng)} {one('currency')}"
            case "person":
                return one("name") + rng.choice(("", " " + one("family"), " " + one("name")))
            case "address":
                return self.address(rng, one)
            case "item":
                return self.item(rng, one)
            case "word":
                return rng.choice(self.everything)
        return one(slot)

    def address(self, rng, one):
        parts = [rng.choice((f"حَيّ {one('district')}", f"شَارِع {one('street')}", f"حَيّ {one('district')} شَارِع {one('street')}", one("city")))]
        if rng.random() < 0.5:
            parts.append(f"{rng.choice(('عِمَارَة', 'بِنَايَة', 'بَيْت', 'فِيلَا', 'شَقَّة', 'رَقْم'))} {numbers.any_number(rng)}")
        return " ".join(parts)

    def item(self, rng, one):
        dish = one(rng.choice(("dish", "dish", "dish", "sweet", "drink")))
        count = rng.choice(("", "", numbers.number(rng.randrange(1, 13), rng), numbers.number(rng.randrange(1, 13), rng)))
        vessel = rng.choice(("", "", "", "وَجْبَة", "صَحْن", "قِطْعَة", "عُلْبَة", "كِيلُو", "نِصْف كِيلُو", "طَبَق", "حَبَّة", "حَبَّتَيْن"))
        return " ".join(x for x in (count, vessel, dish, rng.choice(("", "", "", one("size")))) if x)


def unseen(folder=FOLDER):
    """Evaluation sentences that the grammar cannot make."""
    lines = (folder / "unseen.txt").read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


if __name__ == "__main__":
    made, rng = Grammar(), random.Random(1)
    print(len({script.plain(w) for w in made.everything}), "words")
    for _ in range(40):
        print(script.plain(" ".join(made.sentence(rng))))
