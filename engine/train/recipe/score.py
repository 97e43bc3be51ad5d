"""Scores with confidence intervals. Spellings that writers interchange (alef, ya, ta marbuta) count as the same."""

import random

from .script import plain
from .search import distance

_folded = str.maketrans("أإآىة", "ااايه")


def fold(text):
    return plain(text).translate(_folded)


def wilson(right, total, z=1.96):
    """Returns the 95 % interval of a share, in percent."""
    if total == 0:
        return 0.0, 100.0
    p, n = right / total, total
    middle, half = p + z * z / (2 * n), z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    return 100 * (middle - half) / (1 + z * z / n), 100 * (middle + half) / (1 + z * z / n)


def accuracy(pairs):
    """Counts the pairs (said, recognized) that are equal."""
    right = sum(fold(s) == fold(h) for s, h in pairs)
    low, high = wilson(right, len(pairs))
    return {"percent": 100 * right / max(1, len(pairs)), "low": low, "high": high, "n": len(pairs)}


def by_speaker(groups, seed=1, rounds=1000):
    """Returns the 95 % interval of the accuracy by a bootstrap over speakers, since takes of one speaker are similar."""
    counts = [(sum(fold(s) == fold(h) for s, h in g), len(g)) for g in groups]
    rng = random.Random(seed)
    found = []
    for _ in range(rounds):
        some = rng.choices(counts, k=len(counts))
        found.append(100 * sum(r for r, _ in some) / sum(n for _, n in some))
    found.sort()
    return found[int(0.025 * rounds)], found[int(0.975 * rounds)]


def word_errors(pairs, seed=1, rounds=1000):
    """Word error rate in percent, with a bootstrap over sentences."""
    counts = [(distance(fold(s).split(), fold(h).split()), len(s.split())) for s, h in pairs]
    rate = lambda some: 100 * sum(e for e, _ in some) / max(1, sum(n for _, n in some))
    rng = random.Random(seed)
    found = sorted(rate(rng.choices(counts, k=len(counts))) for _ in range(rounds))
    return {"percent": rate(counts), "low": found[int(0.025 * rounds)], "high": found[int(0.975 * rounds)],
            "n": sum(n for _, n in counts)}
