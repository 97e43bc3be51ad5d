"""Arabic writing: the vocalized form that a synthesizer needs and the plain form that the model writes.

speak() respells for espeak-ng 1.51, which makes three errors: it drops the vowel behind a shadda, triples sun
letters behind the article, and says case endings and ta marbuta where people do not.
"""

import random
import re

FATHA, DAMMA, KASRA, SHADDA, SUKUN = "\u064e", "\u064f", "\u0650", "\u0651", "\u0652"
MARKS = "\u064b-\u0652\u0670"
SUN = "تثدذرزسشصضطظلن"
# Letters of the model's vocabulary; a target outside of it would be silently unknown.
LETTERS = set("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي")

# Rivals of every single word in training, since decisions depend on them.
CONFUSABLE = ("نعم", "لا")

_marks = re.compile(f"[{MARKS}\u0640]")
_article = re.compile(f"^((?:[وف]{FATHA}|[بك][{FATHA}{KASRA}])?)ال{SUKUN}?(.)({SHADDA}?)")
_double = re.compile(f"(.){SHADDA}")
_early_vowel = re.compile(f"([\u064b-\u0650]){SHADDA}")


def plain(text):
    """Returns the words as they are transcribed."""
    return _marks.sub("", text)


def legal(text):
    """Reports whether the model's vocabulary can write a text."""
    return all(c in LETTERS or c == " " for c in text)


def _with_article(word, first, rng):
    """Spells the article as it sounds; None where the word has none."""
    m = _article.match(word)
    if not m or m.group(2) in MARKS:
        return None
    before, letter, _ = m.groups()
    rest = word[m.end():]
    onset = "" if before else ("أ" + FATHA if first or rng.random() < 0.8 else "إ" + KASRA)
    if letter in SUN:
        return f"{before}{onset}{letter}{SUKUN}{letter}{rest}"
    return f"{before}{onset}ل{SUKUN}{letter}{rest}"


def _ending(word, after, formal, rng):
    """The end of a word: as before a pause, or with a case vowel if the reader is formal and the utterance continues."""
    cased = formal and after
    if word.endswith("ة") and after.startswith("ال") and not cased and rng.random() < 0.6:
        return word[:-1] + "ت"  # most likely a construct: محطة البنزين
    if word.endswith("ة"):
        return word[:-1] + "ت" + rng.choice((FATHA, DAMMA, KASRA)) if cased else word[:-1]
    bare = word[-1] in LETTERS and word[-1] not in "اىيوه" or word.endswith(SHADDA)
    return word + rng.choice((FATHA, DAMMA, KASRA)) if cased and bare and len(word) > 5 else word


def speak(words, rng=None, formal=False):
    """Vocalized words, respelled for espeak-ng; formal readers say case endings inside the sentence."""
    rng = rng or random.Random(0)
    out = []
    for i, word in enumerate(words):
        word = _early_vowel.sub(rf"{SHADDA}\1", word)
        word = _with_article(word, i == 0, rng) or word
        word = _ending(word, words[i + 1] if i + 1 < len(words) else "", formal, rng)
        out.append(_double.sub(rf"\1{SUKUN}\1", word))
    return out
