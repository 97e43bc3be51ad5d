"""Peak memory: a fresh process that loads a model and transcribes the 10-minute file, its VmHWM at the end.

munadi reads the file as a stream; the peers get its samples, which onnx-asr requires and is usual with sherpa-onnx.
"""

import os

import models
from process import Failed, Process

FILES = {
    "munadi": ("munadi", ["encoder-model.onnx", "decoder_joint-model.onnx", "ctc-head.onnx"]),
    "sherpa-onnx": ("sherpa", ["encoder.onnx", "decoder.onnx", "joiner.onnx"]),
    "onnx-asr": ("onnx-asr", ["encoder-model.onnx", "decoder_joint-model.onnx"]),
}


def goal(size):
    """Returns the limit of munadi's memory in bytes: 1.2 × the model's size + 150 MiB."""
    return 1.2 * size + 150 * 2**20


def rows(folders, common, programs, argv_of, results, log, say):
    threads = len(os.sched_getaffinity(0))
    for (model, precision), folder in folders.items():
        for program in programs:
            say(f"memory: {program}, {model}, {precision}")
            layout, files = FILES[program]
            row = {"model": model, "precision": precision, "program": program, "threads": threads,
                   "size": models.size(folder / layout, files)}
            process = Process(argv_of(program), threads, log)
            try:
                ways = process.ask(do="load", folder=str(folder), head="rnnt", threads=threads, **common)["variants"]
                cell = "stream" if "stream" in ways else "file"
                row["way"] = results.way(program, model, precision, cell) or ways[cell][0]
                row["loaded"] = process.ask(do="peak")["bytes"]
                process.ask(do="run", cell=cell, variant=row["way"], repeat=1)
                row["peak"] = process.ask(do="peak")["bytes"]
            except Failed as err:
                row["error"] = str(err)
            process.close()
            yield row
