"""Words from roots: the textbook patterns of sound three-letter roots, vocalized.

A model that has heard a few hundred words learns a list; one that has heard thousands of forms learns sounds. No
dictionary is needed: roots.txt lists some eighty roots, and the patterns make about forty words of each.
"""

import pathlib

A, U, I, SH, O = "\u064e", "\u064f", "\u0650", "\u0651", "\u0652"
VOWEL = {"a": A, "u": U, "i": I}
PAST = ["", f"{O}ت{U}", f"{A}ت{O}", f"{O}ن{A}ا", f"{U}وا"]  # he, I, she, we, they
PRESENT = [("أ", ""), ("ي", ""), ("ت", ""), ("ن", ""), ("ي", f"{U}ون")]  # I, he, she or you, we, they


def read_roots(path):
    """Root lines as (letters, vowels, forms)."""
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        for entry in line.partition("#")[0].split("/"):
            if fields := entry.split():
                letters, rest = fields[0], "".join(fields[1:])
                vowels = rest[:2] if rest[:2].isalpha() and len(rest) > 1 and "x" not in rest[:2] else ""
                digits = rest[len(vowels):].lstrip("x").replace("10", "t")
                yield letters, vowels, ["10" if d == "t" else d for d in digits]


def verb(past, present, prefix):
    """Ten forms of one verb; prefix is the vowel of the present's first letter."""
    words = [past + end for end in PAST]
    for person, end in PRESENT:
        words.append(person + prefix + present + end)
    return words + [f"س{A}أ{prefix}{present}"]


def form_one(f, a, l, vowels):
    """Form I: verb, participles, active and passive."""
    p, q = VOWEL[vowels[0]], VOWEL[vowels[1]]
    words = verb(f"{f}{A}{a}{p}{l}", f"{f}{O}{a}{q}{l}", A)
    return words, [f"{f}{A}ا{a}{I}{l}", f"{f}{A}ا{a}{I}{l}{A}ة", f"م{A}{f}{O}{a}{U}و{l}"]


def derived(f, a, l, form):
    """A derived form: verb, then verbal noun and participle."""
    if form == "2":
        return (verb(f"{f}{A}{a}{SH}{A}{l}", f"{f}{A}{a}{SH}{I}{l}", U),
                [f"ت{A}{f}{O}{a}{I}ي{l}", f"م{U}{f}{A}{a}{SH}{I}{l}", f"م{U}{f}{A}{a}{SH}{A}{l}{A}ة"])
    if form == "3":
        return (verb(f"{f}{A}ا{a}{A}{l}", f"{f}{A}ا{a}{I}{l}", U),
                [f"م{U}{f}{A}ا{a}{A}{l}{A}ة", f"م{U}{f}{A}ا{a}{I}{l}"])
    if form == "4":
        return (verb(f"أ{A}{f}{O}{a}{A}{l}", f"{f}{O}{a}{I}{l}", U),
                [f"إ{I}{f}{O}{a}{A}ا{l}", f"م{U}{f}{O}{a}{I}{l}"])
    if form == "5":
        return (verb(f"ت{A}{f}{A}{a}{SH}{A}{l}", f"ت{A}{f}{A}{a}{SH}{A}{l}", A),
                [f"ت{A}{f}{A}{a}{SH}{U}{l}", f"م{U}ت{A}{f}{A}{a}{SH}{I}{l}"])
    if form == "8":
        return (verb(f"ا{I}{f}{O}ت{A}{a}{A}{l}", f"{f}{O}ت{A}{a}{I}{l}", A),
                [f"ا{I}{f}{O}ت{I}{a}{A}ا{l}", f"م{U}{f}{O}ت{A}{a}{I}{l}"])
    return (verb(f"ا{I}س{O}ت{A}{f}{O}{a}{A}{l}", f"س{O}ت{A}{f}{O}{a}{I}{l}", A),
            [f"ا{I}س{O}ت{I}{f}{O}{a}{A}ا{l}", f"م{U}س{O}ت{A}{f}{O}{a}{I}{l}"])


def words_of_roots(path):
    """All verbs and all nouns that the roots make."""
    verbs, nouns = [], []
    for (f, a, l), vowels, forms in read_roots(path):
        made = [form_one(f, a, l, vowels)] if vowels else []
        # Roots that begin with a letter that Form VIII assimilates (و ز ص ض ط د ذ ظ) have no regular one.
        made += [derived(f, a, l, x) for x in forms if not (x == "8" and f in "وزصضطدذظتء")]
        for v, n in made:
            verbs += v
            nouns += n
    return verbs, nouns


def with_article(noun):
    return noun if noun.startswith("ال") else "ال" + noun


def declined(noun):
    """A noun alone, with article, with "and" or "with the", and with possessives if it can have them."""
    words = [noun, with_article(noun), f"و{A}{with_article(noun)}", f"ب{I}{with_article(noun)}"]
    stem = noun[:-1] + "ت" if noun.endswith("ة") else noun
    if stem[-1] not in "اىءيو":
        words += [f"{stem}{I}ي", f"{stem}{A}ك", f"{stem}{U}ه", f"{stem}{U}ن{A}ا"]
    return words
