"""The benchmark: munadi and its peers on one machine, with the same model and audio.

Each program is a separate worker process (worker.py). For each model, precision, number of threads and head all
three are loaded at once; then the cells are measured in turns, program by program, in rounds whose order rotates, and
the median counts. Variants in which a peer can do a cell (one after another, in threads, as a batch) are each tried in
the warm-up; those near the fastest are measured, and the best counts. A process may use as many CPUs as it gets
threads; all other settings are each program's defaults. results.json and RESULTS.md are written after each step; they
hold this run alone, and what it left out. A run of a part is written into .cache/bench/part unless --out names a folder:

    packaging/bench/run                          everything (an hour or two on two cores)
    packaging/bench/run --brief                  RESULTS.md in half an hour: two rounds, the 10 minute file only with RNNT
                                                 in fp32 and two threads; no databases, no partial text
    packaging/bench/run --quick                  default model, fp32, two rounds: a few minutes
    packaging/bench/run --only model=large,head=ctc --cells clip,clients
    packaging/bench/run --parts service,memory   only these
    packaging/bench/run --parts fairness         a short clip while another organization sends expensive requests
    packaging/bench/run --parts stores           the databases, into STORES.md; skipped without PostgreSQL
    packaging/bench/run --parts streaming        the cost of partial text, into PARTIALS.md
"""

import argparse
import itertools
import pathlib
import statistics
import sys

import audio
import fairness
import memory
import models
import prepare
import service
import stores
import streaming
import table
from process import Failed, Process, python_worker

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CACHE = ROOT / ".cache" / "bench"
PROGRAMS = ["munadi", "sherpa-onnx", "onnx-asr"]
CELLS = ["clip", "file", "clients"]
PARTS = ["speed", "service", "memory", "fairness", "stores", "streaming"]
AXES = {"model": ["default", "large"], "precision": models.PRECISIONS, "threads": [1, 2], "head": ["rnnt", "ctc"]}
NEAR = 1.25  # a way that took at most this times the fastest one's time in the warm-up is measured too
SHORTEST = 0.5  # seconds that one measurement should last; shorter work is repeated


def argv_of(program):
    return {"munadi": [str(CACHE / "munadibench")], "sherpa-onnx": python_worker(HERE, "peer_sherpa.py"),
            "onnx-asr": python_worker(HERE, "peer_onnxasr.py")}[program]


def say(text):
    print(f"bench: {text}", flush=True)


class Contestant:
    """One program loaded for one configuration: its way of doing each cell and its measurements."""

    def __init__(self, program, config, load, log):
        self.program, self.row = program, {"program": program, "cells": {}}
        self.process = Process(argv_of(program), config["threads"], log)
        try:
            answer = self.process.ask(do="load", **load)
            self.ways, self.row["version"] = answer["variants"], answer["version"]
        except Failed as err:
            self.ways, self.row["error"] = {}, str(err)

    def warm(self, cell):
        """Tries every variant once and keeps those near the fastest."""
        result = {}
        self.row["cells"][cell] = result
        times = {}
        try:
            for way in self.ways.get(cell, []):
                for _ in range(2 if cell == "clip" else 1):  # the very first run allocates
                    times[way] = self.process.ask(do="run", cell=cell, variant=way, repeat=1)["seconds"]
        except Failed as err:
            result["error"] = str(err)
            return
        if not times:
            result["error"] = self.row.get("error", "not offered")
            return
        fastest = min(times.values())
        result["tried"] = times
        result["repeat"] = max(1, round(SHORTEST / fastest))
        result["measured"] = {way: [] for way, time in times.items() if time <= NEAR * fastest}
        result["cpus"] = {way: [] for way in result["measured"]}

    def measure(self, cell):
        """Measures each kept variant once; the one with the best median is the result."""
        result = self.row["cells"][cell]
        if "error" in result:
            return
        try:
            for way, seconds in result["measured"].items():
                before = self.process.cpu()
                answer = self.process.ask(do="run", cell=cell, variant=way, repeat=result["repeat"])
                seconds.append(answer["seconds"])
                result["cpus"][way].append((self.process.cpu() - before) / result["repeat"])
        except Failed as err:
            result["error"] = str(err)
            return
        medians = {way: statistics.median(seconds) for way, seconds in result["measured"].items()}
        way = min(medians, key=medians.get)
        result.update(way=way, median=medians[way], seconds=result["measured"][way],
                      cpu=statistics.median(result["cpus"][way]),
                      characters=sum(map(len, answer["text"])), texts=len(answer["text"]))

    def finish(self):
        try:
            if "error" not in self.row:
                self.row["tokens"] = self.process.ask(do="tokens").get("tokens", 0)
        except Failed as err:
            self.row["error"] = str(err)
        self.process.close()
        return self.row


def cells_of(config, args):
    """Returns the cells of a configuration that are measured."""
    cells = args.cells.split(",")
    short = (config["head"], config["precision"], config["threads"]) == ("rnnt", "fp32", 2)
    return [cell for cell in cells if cell != "file" or short or not args.brief]


def compare(config, load, cells, rounds, programs, log):
    """Measures one configuration with all programs; returns the rows."""
    say(", ".join(f"{k} {v}" for k, v in config.items()))
    contestants = [Contestant(p, config, load, log) for p in programs]
    for cell, one in itertools.product(cells, contestants):
        one.warm(cell)
    for turn in range(rounds):
        for cell in cells:
            start = turn % len(contestants)
            for one in contestants[start:] + contestants[:start]:
                one.measure(cell)
    return {"config": config, "rounds": rounds, "programs": [one.finish() for one in contestants]}


def chosen(only):
    """Returns the configurations that --only selects, as in model=large,head=rnnt."""
    axes = {name: list(values) for name, values in AXES.items()}
    for part in filter(None, only.split(",")):
        name, _, value = part.partition("=")
        if name not in axes or value not in map(str, axes[name]):
            raise SystemExit(f"bench: --only: {part!r} is none of "
                             + ", ".join(f"{n}={v}" for n, values in AXES.items() for v in values))
        axes[name] = [v for v in axes[name] if str(v) == value]
    return [dict(zip(axes, values)) for values in itertools.product(*axes.values())]


def arguments():
    parser = argparse.ArgumentParser(prog="packaging/bench/run", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="default model, fp32, two rounds; results into .cache")
    parser.add_argument("--brief", action="store_true", help="RESULTS.md in half an hour on two cores")
    parser.add_argument("--only", default="", help="parts of the matrix, e.g. model=large,precision=fp32")
    parser.add_argument("--cells", default=",".join(CELLS))
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--out", type=pathlib.Path, help="folder for results.json and RESULTS.md")
    args = parser.parse_args()
    if args.brief:
        args.rounds = min(args.rounds, 2)
        args.parts = ",".join(part for part in args.parts.split(",") if part not in ("stores", "streaming"))
    if args.quick:
        args.only = ",".join(filter(None, ["model=default,precision=fp32", args.only]))
        args.rounds = min(args.rounds, 2)
    whole = (args.only, args.cells, args.programs) == ("", ",".join(CELLS), ",".join(PROGRAMS)) and (
        {"speed", "service", "memory", "fairness"} <= set(args.parts.split(",")))
    args.out = args.out or (HERE if whole else CACHE / ("quick" if args.quick else "part"))
    return args


def scope(args):
    """Returns what the run measures, for the head of RESULTS.md."""
    left = []
    if args.brief:
        left.append("the 10 minute file, except with RNNT in fp32 and two threads")
    left += [f"all but {value} of {name}" for name, value, every in (
        ("the configurations", args.only, ""), ("the cells", args.cells, ",".join(CELLS)),
        ("the programs", args.programs, ",".join(PROGRAMS))) if value != every]
    left += [part for part in ("speed", "service", "memory", "fairness") if part not in args.parts.split(",")]
    return f"{args.rounds} rounds; left out: {'; '.join(left) or 'nothing'}"


def main():
    args = arguments()
    CACHE.mkdir(parents=True, exist_ok=True)
    parts, configs = args.parts.split(","), chosen(args.only)
    programs = args.programs.split(",")
    prepare.programs(ROOT, CACHE, worker="munadi" in programs or "streaming" in parts,
                     appliance=not {"service", "fairness", "stores"}.isdisjoint(parts))
    vad = prepare.silero(CACHE)
    clip, file, source = audio.prepare(ROOT, CACHE)
    results = table.Results(args.out)
    results.about({**prepare.machine(ROOT, CACHE), "this run": scope(args)}, source, prepare.lacking())
    folders = {(c["model"], c["precision"]): models.prepare(ROOT, CACHE, c["model"], c["precision"], file)
               for c in configs}
    common = {"vad": str(vad), "clip": str(clip), "file": str(file), "cache": str(CACHE)}
    with open(CACHE / "workers.log", "w", encoding="utf-8") as log:
        if "speed" in parts:
            for config in configs:
                load = {"folder": str(folders[config["model"], config["precision"]]), "head": config["head"],
                        "threads": config["threads"], **common}
                results.speed(compare(config, load, cells_of(config, args), args.rounds, programs, log))
        if "service" in parts:
            for row in service.rows(CACHE, folders, clip, vad, args.rounds, log, say):
                results.service(row)
        if "memory" in parts:
            for row in memory.rows(folders, common, programs, argv_of, results, log, say):
                results.memory(row)
        if "fairness" in parts:
            for row in fairness.rows(CACHE / "munadi", ROOT / "engine/testdata/golden/g28.wav", log, say):
                results.fairness(row)
        if "stores" in parts:
            stores.write(args.out, args.rounds, log, say)
        if "streaming" in parts:
            streaming.write(args.out, args.rounds, streaming.LENGTH, common, log, say)
    print((args.out / "RESULTS.md").read_text(encoding="utf-8"))
    say(f"written to {args.out}")


if __name__ == "__main__":
    sys.exit(main())
