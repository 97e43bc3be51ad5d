"""The common part of the peers' worker processes: JSON lines on stdin and stdout, one answer per request.

    {"do": "load", "folder", "head", "threads", "vad", "clip", "file", "cache"}
                                                -> {"variants": {cell: [name, …]}, "version"}
    {"do": "run", "cell", "variant", "repeat"}  -> {"seconds": per repetition, "text": […]}
    {"do": "tokens"}                            -> {"tokens": of the clip}
    {"do": "peak"}                              -> {"bytes": resident memory at its highest}

A request that fails is answered {"error": reason}. Loading is not timed; timing starts with samples in memory and
ends with text. munadi's worker is munadibench (Go).
"""

import json
import os
import sys
import threading
import time
import traceback

import audio

CLIENTS = 16
VAD = {"threshold": 0.4, "min_speech_ms": 100, "min_silence_ms": 200, "max_speech_s": 20, "pad_ms": 30}


def peak_bytes():
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def at_once(work, items):
    """Runs work(item) in a thread for each item; returns the results in order."""
    out = [None] * len(items)

    def one(i):
        out[i] = work(items[i])
    threads = [threading.Thread(target=one, args=(i,)) for i in range(len(items))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if any(text is None for text in out):
        raise RuntimeError("a client's thread failed")
    return out


class Worker:
    """A peer overrides load, tokens and variants: {cell: {name: function without arguments giving texts}}."""

    def load(self, request):
        raise NotImplementedError

    def tokens(self):
        raise NotImplementedError

    def handle(self, request):
        match request["do"]:
            case "load":
                self.clip, self.file = audio.samples_of(request["clip"]), audio.samples_of(request["file"])
                self.version = self.load(request)
                return {"variants": {cell: list(v) for cell, v in self.variants().items()}, "version": self.version}
            case "run":
                return self.timed(self.variants()[request["cell"]][request["variant"]], request["repeat"])
            case "tokens":
                return {"tokens": self.tokens()}
            case "peak":
                return {"bytes": peak_bytes()}
        raise ValueError(f"unknown request {request['do']}")

    def timed(self, work, repeat):
        begin = time.perf_counter()
        for _ in range(repeat):
            texts = work()
        return {"seconds": (time.perf_counter() - begin) / repeat, "text": texts}

    def serve(self):
        """Answers requests until stdin ends. Output of libraries goes to stderr."""
        answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        for line in sys.stdin:
            try:
                answer = self.handle(json.loads(line))
            except Exception as err:  # reported in the table
                traceback.print_exc()
                answer = {"error": f"{type(err).__name__}: {err}"}
            print(json.dumps(answer, ensure_ascii=False), file=answers, flush=True)
