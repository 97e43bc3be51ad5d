"""Measures the databases: calls on Badger and on PostgreSQL, with one and two appliances, and the job queue River.

Every round runs the Go benchmarks of store/badger and store/postgres once, each on a new server that syncs its
commits; then an appliance without work is measured. STORES.md gets the medians with the slowest and fastest round. The
million calls among which a due one is found take minutes to write: they are measured only in the first round. It can
also be run separately; River's module needs the network once.

    packaging/bench/stores.py [--rounds 5] [--no-due] [--out FOLDER]
"""

import argparse
import datetime
import glob
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from appliance import Appliance

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CACHE = ROOT / ".cache" / "bench"
CALLS = 2000  # of each benchmark
IDLE = 20  # seconds of measuring an appliance without work
BENCHMARKS = {
    "Badger": ("./store/badger", "BenchmarkCall$", f"{CALLS}x"),
    "PostgreSQL, one appliance": ("./store/postgres", "BenchmarkCall/appliances_1", f"{CALLS}x"),
    "PostgreSQL, two appliances": ("./store/postgres", "BenchmarkCall/appliances_2", f"{CALLS}x"),
    "River on the same server": ("./store/postgres", "BenchmarkRiver", f"{CALLS}x"),
    "lease": ("./store/postgres", "BenchmarkIdle", "1x"),
    "due": ("./store/postgres", "BenchmarkDueAmongMany", "300x"),
}
STEPS = {
    "book": "book/s", "claim (release a due call to a line)": "claim/s",
    "claim, by 200 lines at once": "claim-by-lines/s", "finish (outcome, webhook queued)": "finish/s",
    "deliver (a webhook's try recorded)": "deliver/s", "work an empty job from claim to end": "works/s",
}
TEXT = """\
# Databases: Badger, PostgreSQL and River

Written by `packaging/bench/stores.py` (part of `make bench`) on {date}, {rounds} rounds, PostgreSQL {version} on the
same machine of {cpus} processors. Load before the rounds: {loads}. Each figure is the median of the rounds, with the
slowest and the fastest round in brackets. Every commit is synced to disk in all of them.

16 clients at once, {calls:,} calls, one transaction for each step, except that claims which come while others are written share
the next transaction (on PostgreSQL: up to 64, and four transactions run at once):

{rates}
River fetches up to 1,000 jobs in one statement, checks nothing, and completes them in batches. A claim here checks the campaign, the number, the organization's limit and the suppression list, writes the call with its 11 index
entries, its history and the counters, and is on disk before the line is dialled. The server alone, given 10,000 such rows to update
in one statement, writes 12,000 to 14,000 a second (one of two Intel Xeon processors at 2.8 GHz). Two appliances share one server and the same processors here: this shows
the cost of sharing, not the gain of a second machine.

{others}"""


def find(name):
    """Returns the path of a program of the newest PostgreSQL server; None without one."""
    found = glob.glob(f"/usr/lib/postgresql/*/bin/{name}")
    return max(found, key=lambda p: int(p.split("/")[4])) if found else shutil.which(name)


def measure(package, pattern, count, log):
    """Returns unit → value of a Go benchmark; empty if it failed, with the reason in the log."""
    done = subprocess.run(["go", "test", package, "-run", "^$", "-bench", pattern, "-benchtime", count, "-count", "1",
                           "-timeout", "30m"], cwd=ROOT, capture_output=True, text=True, check=False)
    log.write(done.stdout + done.stderr)
    line = next((text for text in done.stdout.splitlines() if text.startswith("Benchmark") and "ns/op" in text), "")
    return {unit: float(value) for value, unit in re.findall(r"([\d.e+]+) (\S+)", line)} if done.returncode == 0 else {}


class Cluster:
    """A temporary PostgreSQL server."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="munadi-stores-")
        self.user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        if self.user:
            shutil.chown(self.folder, "postgres", "postgres")
        data = f"{self.folder}/data"
        self.run("initdb", "--pgdata", data, "--username", "munadi", "--auth", "trust", "--encoding", "UTF8", "--no-sync")
        self.process = subprocess.Popen([find("postgres"), "-D", data, "-k", self.folder, "-c", "listen_addresses="],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder, **self.user)
        while subprocess.run([find("pg_isready"), "-q", "-h", self.folder], check=False).returncode:
            time.sleep(0.1)
        self.url = f"postgres:///postgres?host={self.folder}&user=munadi"

    def run(self, program, *argv):
        return subprocess.run([find(program), *argv], cwd=self.folder, check=True, capture_output=True, text=True,
                              **self.user).stdout

    def transactions(self):
        return int(self.run("psql", "-qAtX", "-h", self.folder, "-U", "munadi", "-d", "postgres", "-c",
                            "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = 'postgres'"))

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def watch(log):
    """Measures an appliance without work: transactions per second, and processors."""
    cluster = Cluster()
    try:
        appliance = Appliance(CACHE, None, log, "--store", cluster.url)
        try:
            time.sleep(10)  # after its start
            count, busy = cluster.transactions(), appliance.busy()
            time.sleep(IDLE)
            return {"transactions": (cluster.transactions() - count) / IDLE, "busy": (appliance.busy() - busy) / IDLE}
        finally:
            appliance.close()
    finally:
        cluster.close()


def spread(values, form="{:,.0f}"):
    """Formats the median with minimum and maximum."""
    if not values:
        return "not measured"
    middle, least, most = (form.format(v) for v in (statistics.median(values), min(values), max(values)))
    if len(values) == 1:
        return middle
    return f"{middle} ({least} to {most})"


def text_of(measured, idle, loads):
    """STORES.md."""
    def values(name, unit):
        return [one[unit] for one in measured[name] if unit in one]

    names = list(BENCHMARKS)[:4]
    rates = "| What, a second | " + " | ".join(names) + " |\n| --- |" + " ---: |" * len(names) + "\n"
    for step, unit in STEPS.items():
        def cell(name):
            river = name.startswith("River")
            if river and step == "book":
                return spread(values(name, "inserts/s"))
            if river != (unit == "works/s"):
                return "–"
            return spread(values(name, unit))
        rates += f"| {step} | " + " | ".join(cell(name) for name in names) + " |\n"
    ms = "{:,.1f} ms"
    others = "| What | Measured |\n| --- | ---: |\n"
    for name, cell in {
        "finding and releasing a due call, 1,000,000 others booked for later: median of 300":
            spread(values("due", "p50-ms"), ms),
        "the same: 99th percentile": spread(values("due", "p99-ms"), ms),
        "an appliance without work: transactions a second on the database":
            spread([one["transactions"] for one in idle], "{:.1f}"),
        "of which lease and notifications": spread(values("lease", "transactions/s"), "{:.1f}"),
        "an appliance without work: share of a processor": spread([100 * one["busy"] for one in idle], "{:.1f} %"),
    }.items():
        others += f"| {name} | {cell} |\n"
    version = re.search(r"[\d.]+", subprocess.run([find("postgres"), "--version"], capture_output=True, text=True,
                                                  check=True).stdout).group()
    return TEXT.format(date=datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"), rounds=len(loads), version=version,
                       cpus=len(os.sched_getaffinity(0)), loads=", ".join(f"{load:.1f}" for load in loads), calls=CALLS,
                       rates=rates, others=others)


def write(out, rounds, log, say, due=True):
    """Measures all rounds and writes STORES.md into a folder; without PostgreSQL prints why not."""
    if not find("initdb"):
        say("stores: skipped, PostgreSQL is not installed (packaging/setup test installs it)")
        return
    measured, idle, loads = {name: [] for name in BENCHMARKS}, [], []
    for turn in range(rounds):
        loads.append(os.getloadavg()[0])
        names = [name for name in BENCHMARKS if name != "due" or due and turn == 0]
        for name in names[turn % len(names):] + names[:turn % len(names)]:
            say(f"stores: round {turn + 1} of {rounds}, {BENCHMARKS[name][1]} of {BENCHMARKS[name][0]}")
            measured[name].append(measure(*BENCHMARKS[name], log))
            if not measured[name][-1]:
                say(f"stores: {name} could not be measured; see workers.log")
        idle.append(watch(log))
        (out / "STORES.md").write_text(text_of(measured, idle, loads), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(prog="packaging/bench/stores.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-due", action="store_true", help="leave out the million calls")
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    args = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    subprocess.run(["go", "build", "-o", str(CACHE / "munadi"), "./appliance/cmd/munadi"], cwd=ROOT, check=True)
    with open(CACHE / "workers.log", "w", encoding="utf-8") as log:
        write(args.out, args.rounds, log, lambda text: print(f"bench: {text}", flush=True),
              not args.no_due)


if __name__ == "__main__":
    sys.exit(main())
