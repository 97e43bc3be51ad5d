"""Measures the cost of partial text with a cache-aware and a full-context model of the same size; writes PARTIALS.md.

Both models are made by checkpoint.py and imported from their .nemo. The beginning of the long file is fed to a
live stream of the engine, a window at a time, and the processor time is counted, on one thread. Then the full-context
model decodes the stretches of sound for which the cache-aware one made partial text, each from the beginning of its
turn, as a model without caches must. It can also be run separately:

    packaging/bench/streaming.py [--rounds 3] [--length 60] [--out FOLDER]
"""

import argparse
import datetime
import os
import pathlib
import shutil
import statistics
import sys
import tempfile

import audio
import checkpoint
import models
import prepare
from process import Process

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CACHE = ROOT / ".cache" / "bench"
LENGTH = 60  # seconds of sound
OPEN = 8.0  # maximum seconds of a turn that a model without caches decodes again; text before that is final
PRECISIONS = ["fp32", "int8"]
TEXT = """\
# The cost of partial text with an encoder's caches

Written by `packaging/bench/streaming.py` (part of `make bench`) on {date}, {machine}, {rounds} rounds, {length} s of
sound, of which {speech:.0f} s in {turns} turns. Load before the rounds: {loads}; other programs ran on the machine. Therefore these are
processor seconds of one thread, which depend little on that (a loaded processor is slower because of its shared caches), and
each round measures all rows in turns. Medians of the rounds, with minimum and maximum where they differ.

Both models have random weights in the shape of NeMo's large hybrids (17 × 512, {streaming:.1f} and {full:.1f} M parameters), and a blank that
always wins: this is the encoder's cost without a search that finds words. *Final texts only* is a live stream of the same model without
partial text: each turn's sound is encoded once. *Partial text* is made as often as in service: at each chunk of the latency,
or less often if it would take more than half of the encoder's time (always with full context). *Decoded again* is the cost of
exactly the same texts with the full-context model, which decodes each from its turn's beginning (8 s at most), and of the final ones.

{table}
- *Ratio*: processor time with partial text divided by that with final texts only; 1 would mean that partial text costs nothing.
- *Saved*: the cost of *Decoded again* divided by that with the caches.
"""


def make(kind, cache):
    """Returns the folder of a model's precisions, made once from its checkpoint, and the number of weights."""
    folder = cache / "models" / kind
    stamp, key = folder / "made-from", models.checksum(*(HERE / name for name in ("checkpoint.py", "widen.py")))
    if stamp.exists() and stamp.read_text().split()[0] == key:
        return folder, int(stamp.read_text().split()[1])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        file = pathlib.Path(scratch) / f"{kind}.nemo"
        count = checkpoint.write(file, kind, pathlib.Path(scratch))
        worker = Process([str(cache / "munadibench")], 1, None)
        for precision in PRECISIONS:
            (folder / precision).mkdir()
            worker.ask(do="import", file=str(file), folder=str(folder / precision), precision=precision)
        worker.close()
    stamp.write_text(f"{key} {count}")
    return folder, count


class Worker:
    """A loaded model on one thread."""

    def __init__(self, folder, common, length, log):
        self.length = length
        self.process = Process([str(CACHE / "munadibench")], 1, log)
        self.process.ask(do="load", folder=str(folder), head="rnnt", threads=1, **common)

    def live(self, latency=0, partials=True):
        return self.process.ask(do="live", length=self.length, latency_ms=latency, partials=partials)

    def decode(self, stretches):
        return self.process.ask(do="decode", length=self.length, stretches=stretches)["processor"]


def decode_again(answer):
    """Returns the stretches that a model without caches decodes for the same texts."""
    return [[max(start, end - OPEN), end] for start, end in answer["texts"] + answer["turns"]]


def measure(streaming, full):
    """Measures one round of one precision; returns its rows' figures."""
    rows = {}
    once = full.live(partials=False)["processor"]
    whole = full.live()
    rows["full context, as served"] = figures(whole, once, None)
    once = streaming.live(partials=False)["processor"]
    for latency in streaming.process.ask(do="latencies")["latencies"]:
        live = streaming.live(latency)
        rows[f"cache-aware, {latency} ms"] = figures(live, once, full.decode(decode_again(live)))
    return rows


def figures(live, once, without):
    return {"once": once, "live": live["processor"], "again": without, "texts": len(live.get("texts", [])),
            "speech": sum(end - start for start, end in live["turns"]), "turns": len(live["turns"])}


def spread(values, form):
    """Formats the median, with minimum and maximum if they differ as formatted."""
    least, middle, most = (form.format(f(values)) for f in (min, statistics.median, max))
    return middle if least == most else f"{middle} ({least}–{most})"


def table_of(rounds, length):
    """Formats the table; each round is a dictionary (precision, row) → figures."""
    out = "| Weights | Model, latency | Texts per second of speech | Final texts only, per second of sound | With partial text "
    out += "| Ratio | Decoded again | Saved |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    for precision, name in rounds[0]:
        every = [one[precision, name] for one in rounds]

        def cell(of, form, every=every):
            return spread([of(one) for one in every], form)
        compared = every[0]["again"] is not None
        cells = [
            precision, name, cell(lambda one: one["texts"] / one["speech"], "{:.1f}"),
            cell(lambda one: 1000 * one["once"] / length, "{:.0f} ms"),
            cell(lambda one: 1000 * one["live"] / length, "{:.0f} ms"), cell(lambda one: one["live"] / one["once"], "{:.2f}"),
            cell(lambda one: 1000 * one["again"] / length, "{:.0f} ms") if compared else "",
            cell(lambda one: one["again"] / one["live"], "{:.1f} ×") if compared else "",
        ]
        out += "| " + " | ".join(cells) + " |\n"
    return out


def write(out, rounds, length, common, log, say):
    """Measures all rounds and writes PARTIALS.md into a folder after each."""
    made = {kind: make(kind, CACHE) for kind in checkpoint.KINDS}
    measured, loads = [], []
    for turn in range(rounds):
        loads.append(os.getloadavg()[0])
        measured.append({})
        for precision in PRECISIONS:
            say(f"streaming: round {turn + 1} of {rounds}, {precision}")
            workers = [Worker(made[kind][0] / precision, common, length, log) for kind in ("streaming", "full")]
            for name, row in measure(*workers).items():
                measured[-1][precision, name] = row
            for worker in workers:
                worker.process.close()
        first = next(iter(measured[0].values()))
        machine = f"{prepare.cpu()}, {len(os.sched_getaffinity(0))} CPUs"
        (out / "PARTIALS.md").write_text(TEXT.format(
            date=datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"), machine=machine, rounds=len(measured),
            length=length, speech=first["speech"], turns=first["turns"], loads=", ".join(f"{load:.1f}" for load in loads),
            streaming=made["streaming"][1] / 1e6, full=made["full"][1] / 1e6, table=table_of(measured, length)),
            encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(prog="packaging/bench/streaming.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--length", type=int, default=LENGTH)
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    args = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    prepare.programs(ROOT, CACHE, worker=True, appliance=False)
    clip, file, _ = audio.prepare(ROOT, CACHE)
    common = {"vad": str(prepare.silero(CACHE)), "clip": str(clip), "file": str(file), "cache": str(CACHE)}
    with open(CACHE / "workers.log", "a", encoding="utf-8") as log:
        write(args.out, args.rounds, args.length, common, log, lambda text: print(f"bench: {text}", flush=True))


if __name__ == "__main__":
    sys.exit(main())
