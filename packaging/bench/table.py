"""The results of one run: stored in results.json, shown in RESULTS.md."""

import json

import memory

CELLS = {"clip": "10 s clip", "file": "10 min file, VAD", "clients": "16 clients × 10 s"}
MODELS = {"default": "default, 4.5 M", "large": "large, 114 M"}
MIB = 2**20

INTRODUCTION = """\
# Speed and memory, compared with sherpa-onnx and onnx-asr

Written by `make bench`; see `packaging/bench/run --help`. The figures are valid for this machine, these versions
and this audio only.

"""

NOTES = """\
## How it was measured

- One worker process per program, all loaded at once, measured in turns in rounds of rotating order; the median of the
  rounds counts, *spread* is (slowest − fastest) / median of the program that varied most. Loading and a warm-up are
  not counted. A spread of 0% means a single round. Work of less than half a second is repeated within one measurement.
- Times run from 16 kHz samples in memory to text, features included. The peers are used through their Python APIs, as
  is usual; Python's cost is included in their times (sherpa-onnx's VAD copies its samples as Python numbers).
- *n* threads means intra-op threads of ONNX Runtime, and the process may use n CPUs (affinity), so that no program gains
  from extra threads. Spinning and all other settings are each program's defaults.
- Where a peer can do a cell in several ways (segment by segment or in batches; threads, one batch or one after
  another), each was tried in the warm-up, those near the fastest were measured, and the best median counts; the second
  table names the variant.
- All programs load the same weights. int8 is ONNX Runtime's dynamic quantization of the encoder's MatMul nodes; the
  prediction network, the joint and the CTC head stay fp32.
- The large model has random weights: the default model's own NeMo export, widened to NeMo's
  `stt_*_fastconformer_hybrid_large` (d_model 512, 17 layers, 8 heads, 256 subsampling channels, LSTM 640, joint 640,
  1,024 pieces), operator by operator as NeMo exports it. Its heads are set to give about three tokens a second of real
  speech: the CTC head by its blank's bias, the joint by a gate in two of its 640 units that follows the encoder's
  output (`calibrate.py`). Its texts are meaningless; they differ a little between programs, as their features do.
- The VAD is Silero 6.2.3 in all: threshold 0.4, shortest speech 100 ms, shortest silence 200 ms, longest speech 20 s,
  padding 30 ms (sherpa-onnx has no setting for padding). Their results differ, see the number of segments.
- *Bare runs* are made one after another by Python's ONNX Runtime; the appliance may process segments in parallel, so that
  a ratio below 1 is possible.
- *CPU* is the processor time of the process, user and system, by Linux's clock of 10 ms; the ratios there, too, are the
  peer's divided by munadi's.
- Decoding is greedy everywhere in the first table, whatever the default model's own configuration says.
"""


def row_of(cells):
    return "| " + " | ".join(cells) + " |\n"


def grid(head, rows):
    out = row_of(head) + row_of(["---" if i < 1 else "---:" for i in range(len(head))])
    return out + "".join(row_of(r) for r in rows)


def seconds(value):
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"


def mib(value):
    return f"{value / MIB:.0f}"


def yes(met):
    return "yes" if met else "**no**"


class Results:
    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.data = {"about": {}, "lacking": {}, "speed": [], "service": [], "memory": [], "fairness": []}

    def about(self, machine, source, lacking):
        self.data["about"] = {**machine, "audio": source}
        self.data["lacking"] = lacking

    def put(self, part, entry, key):
        self.data[part] = sorted([*self.data[part], entry], key=lambda e: json.dumps(key(e)))
        self.save()

    def speed(self, entry):
        self.put("speed", entry, lambda e: list(e["config"].values()))

    def service(self, entry):
        self.put("service", entry, lambda e: [e["model"], e["precision"], e["decoding"]])

    def memory(self, entry):
        self.put("memory", entry, lambda e: [e["model"], e["precision"], e["program"]])

    def fairness(self, entry):
        self.put("fairness", entry, lambda e: [e["load"]])

    def way(self, program, model, precision, cell):
        """Returns the fastest variant of a cell for a program, if it was measured."""
        for entry in self.data["speed"]:
            config = entry["config"]
            if (config["model"], config["precision"], config["head"]) == (model, precision, "rnnt"):
                for row in entry["programs"]:
                    if row["program"] == program and "way" in row["cells"].get(cell, {}):
                        return row["cells"][cell]["way"]
        return None

    def save(self):
        for name, text in (("results.json", json.dumps(self.data, indent=1, ensure_ascii=False) + "\n"),
                           ("RESULTS.md", self.page())):
            (self.folder / name).write_text(text, encoding="utf-8")

    def page(self):
        about = "".join(f"- {k}: {v}\n" for k, v in self.data["about"].items())
        parts = [INTRODUCTION, about]
        parts.append("\nPeers that are not measured: " + "; ".join(
            f"{name} ({why})" for name, why in self.data["lacking"].items()) + ".\n")
        for title, table in (("Speed", speed_table), ("Variants, and lengths of the texts", heard_table),
                             ("A whole HTTP request, compared with the bare runs", service_table),
                             ("Peak memory", memory_table),
                             ("A short clip while another organization keeps the recognizer busy", fairness_table)):
            parts.append(f"\n## {title}\n\n{table(self.data)}")
        return "".join(parts) + "\n" + NOTES


GOALS = {"default": 2, "large": 1.25}  # times the better peer, in every cell


def goal(config, ratios):
    """Returns the goal of a row in words and whether it was met; ratios are the peers' times divided by munadi's."""
    if not ratios:
        return "", ""
    want = GOALS[config["model"]]
    return f"≥ {want} × the better peer", yes(min(ratios.values()) >= want)


def named(config):
    """Returns a configuration as the first columns of its rows."""
    return [MODELS[config["model"]], config["precision"], str(config["threads"]), config["head"].upper()]


def spread(results):
    wide = [(max(r["seconds"]) - min(r["seconds"])) / r["median"] for r in results if r.get("median")]
    return f"{max(wide):.0%}" if wide else ""


def relative(values):
    """Returns the peers' values divided by munadi's."""
    ours = values.get("munadi")
    return {p: value / ours for p, value in values.items() if ours and p != "munadi"}


def speed_table(data):
    head = ["model", "precision", "threads", "decoder", "audio", "munadi", "sherpa-onnx", "onnx-asr",
            "sherpa-onnx / munadi", "onnx-asr / munadi", "spread", "CPU: munadi",
            "CPU: sherpa-onnx / munadi", "CPU: onnx-asr / munadi", "goal for the time", "met"]
    rows, failures = [], []
    for entry in data["speed"]:
        config = entry["config"]
        for cell, name in CELLS.items():
            results = {p["program"]: p["cells"][cell] for p in entry["programs"] if cell in p["cells"]}
            if not results:
                continue
            medians = {p: r["median"] for p, r in results.items() if "median" in r and "error" not in r}
            failures += [f"- {p}, {name}, {', '.join(map(str, config.values()))}: {r['error']}"
                         for p, r in results.items() if "error" in r]
            cpus = {p: results[p]["cpu"] for p in medians}
            ratios, spent = relative(medians), relative(cpus)
            rows.append([*named(config), name,
                         *(seconds(medians[p]) if p in medians else "—" for p in ("munadi", "sherpa-onnx", "onnx-asr")),
                         *(f"{ratios[p]:.2f}" if p in ratios else "—" for p in ("sherpa-onnx", "onnx-asr")),
                         spread(results.values()), seconds(cpus["munadi"]) if "munadi" in cpus else "—",
                         *(f"{spent[p]:.2f}" if p in spent else "—" for p in ("sherpa-onnx", "onnx-asr")),
                         *goal(config, ratios)])
    text = grid(head, rows) + "\nRatios above 1: munadi is faster.\n"
    return text + ("\nNot measured:\n\n" + "\n".join(failures) + "\n" if failures else "")


def heard_table(data):
    head = ["model", "precision", "threads", "decoder", "program", "file: way", "clients: way", "clip: tokens",
            "file: segments", "file: characters"]
    rows = []
    for entry in data["speed"]:
        config = entry["config"]
        for p in entry["programs"]:
            file, clients = p["cells"].get("file", {}), p["cells"].get("clients", {})
            rows.append([*named(config), p["program"], file.get("way", "—"), clients.get("way", "—"),
                         str(p.get("tokens", "—")), str(file.get("texts", "—")), str(file.get("characters", "—"))])
    return grid(head, rows)


def service_table(data):
    head = ["model", "precision", "decoding", "whole request", "bare runs", "ratio", "goal", "met", "segments",
            "speech", "peak after the 10 min file, MiB", "at most", "met"]
    rows = []
    for r in data["service"]:
        start = [MODELS[r["model"]], r["precision"], r["decoding"]]
        if "error" in r:
            rows.append([*start, r["error"], *[""] * 9])
            continue
        ratio, limit = r["request"] / r["bare"], memory.goal(r["size"])
        rows.append([*start, seconds(r["request"]), seconds(r["bare"]), f"{ratio:.2f}", f"≤ {r['goal']}",
                     yes(ratio <= r["goal"]), str(r["segments"]), f"{r['speech']:.1f} s",
                     mib(r["peak"]), mib(limit), yes(r["peak"] <= limit)])
    return grid(head, rows) + "\nThe 10 s clip as a 16 kHz WAV, with the VAD, over one kept connection, all CPUs.\n"


def fairness_table(data):
    head = ["what the other organization sends", "clip alone", "with the load, median", "slowest", "at most", "met"]
    rows = [[r["load"], seconds(r["idle"]), seconds(r["median"]), seconds(r["slowest"]), seconds(r["bound"]),
             yes(r["slowest"] <= r["bound"])] for r in data["fairness"]]
    return grid(head, rows) + (
        "\nA 2 second clip over one kept connection, by a key of another organization; every single answer counts. At "
        "most is three times the time alone and 0.5 s.\n")


def memory_table(data):
    head = ["model", "precision", "program", "model's files, MiB", "after loading, MiB", "peak, MiB",
            "munadi at most", "met"]
    rows = []
    for r in data["memory"]:
        start = [MODELS[r["model"]], r["precision"], r["program"], mib(r["size"])]
        if "error" in r:
            rows.append([*start, r["error"], "", "", ""])
            continue
        limit = memory.goal(r["size"])
        ours = [mib(limit), yes(r["peak"] <= limit)] if r["program"] == "munadi" else ["", ""]
        rows.append([*start, mib(r["loaded"]), mib(r["peak"]), *ours])
    return grid(head, rows) + (
        "\nA fresh process that transcribes the 10 minute file (RNNT); resident memory at its highest, Python's "
        "and the file's samples (37 MiB) included for the peers; munadi reads the file as a stream.\n")
