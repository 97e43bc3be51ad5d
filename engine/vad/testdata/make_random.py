"""Makes random.json: silero-vad's own results for random probabilities and parameters.

Usage: make_random.py silero_vad/utils_vad.py > random.json   (silero-vad 6.2.3; torch is not needed)
"""

import ast
import json
import random
import struct
import sys
from typing import List  # noqa: F401  (the function's annotations use it)

source = open(sys.argv[1]).read()
wanted = "get_speech_timestamps_from_probs"
body = [n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name == wanted]
scope = {"List": List}
exec(compile(ast.Module(body=body, type_ignores=[]), sys.argv[1], "exec"), scope)

rng = random.Random(1)


def probabilities(n):
    """Runs of loud, quiet and doubtful windows, in hundredths."""
    out = []
    while len(out) < n:
        level = rng.choice([0.03, 0.2, 0.34, 0.5, 0.8, 0.98])
        spread = rng.choice([0, 0.02, 0.2])
        for _ in range(rng.randint(1, rng.choice([2, 5, 12, 40]))):
            out.append(min(100, max(0, round(100 * (level + rng.uniform(-spread, spread))))))
    return out[:n]


def pauses(n):
    """Speech with pauses of few different lengths, at which long segments are cut."""
    out = []
    while len(out) < n:
        out += [90] * rng.randint(3, 12) + [5] * rng.choice([3, 4, 4, 5])
    return out[:n]


cases = []
for i in range(200):
    probs = probabilities(rng.randint(0, 160)) if i < 140 else pauses(rng.randint(60, 160))
    params = {
        "threshold": rng.choice([0.1, 0.3, 0.4, 0.5, 0.9]),
        "min_speech_duration_ms": rng.choice([0, 31, 32, 64, 100, 250, 1000]),
        "max_speech_duration_s": rng.choice([1, 2, 3, 20, 0]),
        "min_silence_duration_ms": rng.choice([0, 32, 98, 100, 128, 200, 500]),
        "speech_pad_ms": rng.choice([0, 1, 16, 30, 100, 200, 400]),
    }
    if i >= 140:
        params.update(threshold=0.5, min_silence_duration_ms=500, max_speech_duration_s=rng.choice([1, 2, 3]))
    samples = max(0, 512 * len(probs) - rng.choice([0, 0, 1, 200, 511]))
    asked = dict(params, max_speech_duration_s=params["max_speech_duration_s"] or float("inf"))
    single = struct.unpack(f"{len(probs)}f", struct.pack(f"{len(probs)}f", *[p / 100 for p in probs]))
    found = scope[wanted](list(single), audio_length_samples=samples, **asked)
    spans = [[s["start"], s["end"]] for s in found]
    cases.append({"params": params, "samples": samples, "percent": probs, "segments": spans})

print("[" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "]")
