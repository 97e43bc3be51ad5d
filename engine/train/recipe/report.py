"""Writes the report: the results, compared with the goals and with the model before."""

import argparse
import json
import pathlib
import platform
import re

HEADS = {"production": "as served", "rnnt": "RNNT greedy", "ctc": "CTC greedy"}
SETS = {
    "grammar": "new sentences of the grammar, held-out voices",
    "grammar_telephone": "the same, 10 dB noise and 8 kHz telephone",
    "unseen": "sentences outside the grammar, held-out voices",
    "unseen_telephone": "the same, 10 dB noise and 8 kHz telephone",
    "callee": "answers of called people, parametric voice in three pitches",
    "callee_telephone": "the same, 10 dB noise and 8 kHz telephone",
    "person": "sentences read by a person, sessions held out",
    "golden": "the reference model's 40 sentences, by voices outside its training",
}
# Goals: set, label, limit in percent, and whether more is better.
GOALS = [
    ("words", "single words of held-out people", 97.5, True),
    ("words_telephone_10", "single words through G.711 at 10 dB", 93, True),
    ("digits", "digits of other people, blocks held out", 95, True),
    ("grammar", "own sentences by held-out voices, clean", 6, False),
    ("grammar_telephone", "own sentences by held-out voices, telephone at 10 dB", 15, False),
]


def figure(v):
    return f"{v['percent']:.1f} ({v['low']:.1f}–{v['high']:.1f})"


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def word_rows(models):
    rows = []
    for head, label in HEADS.items():
        rows.append([label, *(figure(m["words"][head]) for m in models)])
        rows.append([f"{label}, interval over the six speakers",
                     *("{:.1f}–{:.1f}".format(*m["words"][head]["speakers"]) for m in models)])
    return rows


# Further sets of single words.
SINGLE = {
    "words_telephone_15": "single words through G.711 at 15 dB",
    "words_telephone_10": "single words through G.711 at 10 dB",
    "digits": "digits of other people, blocks held out",
    "digits_telephone_15": "the same through G.711 at 15 dB",
}


def single_rows(models):
    rows = []
    for key, label in SINGLE.items():
        for head, how in HEADS.items():
            if any(key in m for m in models):
                rows.append([f"{label}: {how}", *(figure(m[key][head]) if key in m else "" for m in models)])
    return rows


def each_word(models):
    """Lists words that any of the models gets wrong in more than 5 %, and what the last one recognizes instead."""
    names = models[0]["words"]["production"]["words"]
    rows = []
    for w in names:
        shares = [m["words"]["production"]["words"][w] for m in models]
        if w in ("نعم", "لا") or min(s["percent"] for s in shares) < 95:
            missed = [h or "(nothing)" for h in models[-1]["words"]["production"]["missed"][w]]
            rows.append([w, *(figure(s) for s in shares), "، ".join(missed[:6])])
    return sorted(rows, key=lambda r: float(r[1].split()[0]))


def error_rows(models):
    rows = []
    for key, label in SETS.items():
        if all(key in m for m in models):
            for head, how in HEADS.items():
                rows.append([f"{label}: {how}", *(figure(m[key][head]) for m in models)])
    for head, how in HEADS.items():
        rows.append([f"invented words a minute without speech: {how}", *(f"{m['invented'][head]:.2f}" for m in models)])
    rows.append(["real-time factor, one thread, everything but the audio decoder",
                 *(f"{m['grammar']['real_time_factor']:.3f}" for m in models)])
    rows.append(["size, MB", *(f"{m['bytes'] / 1e6:.1f}" for m in models)])
    return rows


def goal_rows(m, int8):
    rows = []
    for key, label, limit, more in GOALS:
        v = m[key]["production"]["percent"]
        reached = v >= limit if more else v <= limit
        rows.append([label, ("≥ " if more else "≤ ") + f"{limit} %", f"{v:.1f} %", "yes" if reached else f"no, by {abs(v - limit):.1f}"])
    v = m["invented"]["production"]
    rows.append(["invented words a minute", "≤ 0.5", f"{v:.2f}", "yes" if v <= 0.5 else f"no, by {v - 0.5:.2f}"])
    v = m["grammar"]["real_time_factor"]
    rows.append(["real-time factor on one core", "≤ 0.02", f"{v:.3f}", "yes" if v <= 0.02 else f"no, by {v - 0.02:.3f}"])
    if int8:
        v = abs(m["words"]["production"]["percent"] - int8["words"]["production"]["percent"])
        rows.append(["int8 as fp32, single words", "within 0.3", f"{v:.1f}", "yes" if v <= 0.3 else f"no, by {v - 0.3:.1f}"])
    return rows


def processor():
    text = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    found = re.search(r"model name\s*: (.*)", text)
    return f"{found.group(1) if found else platform.processor()}, {text.count('processor')} threads"


def trained(log):
    """Returns the last line of the log with the progress, and the results of all validations."""
    if not log.exists():
        return "no log of a training run", []
    lines = log.read_text(encoding="utf-8").splitlines()
    told = [l for l in lines if " h passed " in l]
    return (told[-1].strip() if told else "", [l for l in lines if l.startswith("{")])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--cache", type=pathlib.Path, required=True)
    p.add_argument("--out", type=pathlib.Path, required=True)
    p.add_argument("--start", default="scratch", help="name of the model that training started from")
    a = p.parse_args()
    load = lambda n: json.loads((a.cache / f"results-{n}.json").read_text(encoding="utf-8"))
    names = [n for n in ("before", "bundle", "bundle-int8") if (a.cache / f"results-{n}.json").exists()]
    models = {n: load(n) for n in names}
    titles = {"before": "before", "bundle": "trained, fp32", "bundle-int8": "trained, int8"}
    head = [titles[n] for n in names]
    last, glances = trained(a.cache / "train.log")
    whole, hand = list(models.values()), a.out.read_text(encoding="utf-8") if a.out.exists() else ""
    note = hand.split("<!-- notes -->")[1] if hand.count("<!-- notes -->") == 2 else "\n"
    pair = [models[n] for n in names if n != "bundle-int8"]
    parts = [
        "# Report of the last training run", f"Written by `engine/train/run report`; the notes between the marks are written by hand and kept.\n\n<!-- notes -->{note}<!-- notes -->",
        f"## The run\n\n- machine: {processor()}; without a GPU unless the line below names one\n- started from: {a.start}\n- last log line: {last}",
        "## Goals and results\n\n" + table(["what", "goal", "result", "met"], goal_rows(models["bundle"], models.get("bundle-int8"))),
        f"## Single words of six people\n\nPercent right of {whole[0]['words']['production']['n']} takes sent to the service, with 95 % confidence (Wilson; and over whole speakers).\n\n"
        + table(["decoder", *head], word_rows(whole) + single_rows(whole)),
        "### Words that are often wrong\n\n" + table(["word", *[h for n, h in zip(names, head) if n != "bundle-int8"], "recognized instead now"], each_word(pair)),
        "## Sentences and sounds\n\nWord error rates in percent with 95 % confidence (bootstrap over sentences).\n\n" + table(["what", *head], error_rows(whole)),
    ]
    if glances:
        parts.append("## During training\n\nSingle words by the averaged weights at each checkpoint:\n\n```\n" + "\n".join(glances) + "\n```")
    a.out.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"report: {a.out}")


if __name__ == "__main__":
    main()
