"""Measures a whole HTTP request and the bare runs of its models.

The appliance has its default settings; a client with one keep-alive connection posts the clip as a 16 kHz WAV. The bare
runs use ONNX Runtime alone, in the same release: Silero's sequence model over the clip, and the encoder over each of
the answer's segments, with features computed beforehand. Both are measured in turns, on all CPUs.
"""

import http.client
import os
import statistics
import time

import numpy
import onnxruntime

import audio
import models
from appliance import Appliance

REPEAT = 5  # requests in one measurement
WINDOW, CONTEXT, FRAMES = 512, 64, 512
GOALS = {"default": 1.5, "large": 1.15}


class Bare:
    """The bare runs: VAD over the clip, encoder over its segments."""

    def __init__(self, encoder, vad, clip, segments):
        cpus = len(os.sched_getaffinity(0))
        self.vad = session(vad / "silero_vad_16k_sequence.onnx", 1)
        self.encoder = session(encoder, cpus)
        mel = session(models.mel_graph(), cpus)
        self.windows = framed(clip)
        self.features = []
        for start, end in segments:
            part = clip[None, int(start * audio.RATE):int(end * audio.RATE)]
            self.features.append(mel.run(None, {
                "waveforms": part, "waveforms_lens": numpy.array([part.shape[1]], numpy.int64)}))

    def run(self):
        h = c = numpy.zeros((1, 1, 128), numpy.float32)
        for at in range(0, len(self.windows), FRAMES):
            _, h, c = self.vad.run(None, {"input": self.windows[at:at + FRAMES], "h": h, "c": c})
        for mel, length in self.features:
            self.encoder.run(None, {"audio_signal": mel, "length": length})


def session(path, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def framed(samples):
    """[frames, 576]: 512 samples each, the 64 before them in front, zeros around."""
    count = -(-len(samples) // WINDOW)
    padded = numpy.pad(samples, (CONTEXT, count * WINDOW - len(samples)))
    view = numpy.lib.stride_tricks.sliding_window_view(padded, CONTEXT + WINDOW)
    return numpy.ascontiguousarray(view[::WINDOW][:count])


def seconds_of(work):
    begin = time.perf_counter()
    for _ in range(REPEAT):
        work()
    return (time.perf_counter() - begin) / REPEAT


def measure(appliance, bare, wav, rounds):
    whole, runs = [], []
    appliance.transcribe(wav)
    bare.run()
    for _ in range(rounds):
        whole.append(seconds_of(lambda: appliance.transcribe(wav)))
        runs.append(seconds_of(bare.run))
    return {"request": statistics.median(whole), "bare": statistics.median(runs),
            "requests": whole, "bares": runs}


def row(cache, label, model, encoder, clip, file, vad, rounds, log):
    appliance = Appliance(cache, model, log)
    try:
        wav = clip.read_bytes()
        segments = [(s["start"], s["end"]) for s in appliance.transcribe(wav, "verbose_json")["segments"]]
        if not segments:
            raise RuntimeError("munadi serve heard nothing in the clip")
        bare = Bare(encoder, vad, audio.samples_of(clip), segments)
        out = {**label, "segments": len(segments), "speech": sum(e - s for s, e in segments),
               **measure(appliance, bare, wav, rounds)}
        appliance.transcribe(file.read_bytes())
        return {**out, "peak": appliance.peak()}
    finally:
        appliance.close()


def rows(cache, folders, clip, vad, rounds, log, say):
    """Measures the embedded default model (its own beam search) and every folder with greedy decoding."""
    plans = []
    if ("default", "fp32") in folders:
        plans.append(({"model": "default", "precision": "fp32", "decoding": "as embedded"}, None,
                      folders["default", "fp32"]))
    for (model, precision), folder in folders.items():
        plans.append(({"model": model, "precision": precision, "decoding": "greedy"}, folder / "munadi", folder))
    file = clip.with_name("file.wav")
    for label, model, folder in plans:
        say("service: " + ", ".join(label.values()))
        layout = folder / "munadi"
        label["goal"] = GOALS[label["model"]]
        label["size"] = models.size(layout, ["encoder-model.onnx", "decoder_joint-model.onnx", "ctc-head.onnx"])
        try:
            yield row(cache, label, model, layout / "encoder-model.onnx", clip, file, vad, rounds, log)
        except (RuntimeError, OSError, http.client.HTTPException, KeyError, ValueError) as err:
            yield {**label, "error": f"{type(err).__name__}: {err}"}
