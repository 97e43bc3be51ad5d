"""A whole HTTP request against the bare work that it cannot do without.

The appliance runs as its users run it; a client keeps one connection and posts the clip as a 16 kHz WAV. Bare is ONNX
Runtime alone, the same release: Run of Silero's sequence model over the clip, and Run of the encoder over each of the
segments that the answer names, features computed beforehand. Both in turns, on all CPUs.
"""

import http.client
import json
import os
import pathlib
import re
import secrets
import shutil
import statistics
import subprocess
import tempfile
import threading
import time

import numpy
import onnxruntime

import audio
import models

KEY = "bench-" + secrets.token_hex(16)
REPEAT = 5  # requests in one measurement
WINDOW, CONTEXT, FRAMES = 512, 64, 512
GOALS = {"default": 1.5, "large": 1.15}


class Appliance:
    """munadi serve on a free port, until it is closed."""

    def __init__(self, cache, model, log):
        self.data = tempfile.mkdtemp(dir=cache)
        argv = [str(cache / "munadi"), "serve", "--listen", "127.0.0.1:0", "--data", self.data]
        argv += ["--model", str(model)] if model else []
        self.child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, env={**os.environ, "MUNADI_BOOTSTRAP_API_KEY": KEY})
        self.port = None
        for line in self.child.stdout:
            log.write(line)
            found = re.search(r"listening.*?127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        if self.port is None:
            self.close()
            raise RuntimeError(f"munadi serve ended with status {self.child.returncode} before it listened")
        threading.Thread(target=shutil.copyfileobj, args=(self.child.stdout, log), daemon=True).start()
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        self.wait()

    def wait(self):
        for _ in range(600):
            self.connection.request("GET", "/readyz")
            answer = self.connection.getresponse()
            answer.read()
            if answer.status == 200:
                return
            time.sleep(0.1)
        raise RuntimeError("munadi serve was not ready after a minute")

    def transcribe(self, wav, shape="json"):
        boundary = "b0undary"
        fields = "".join(f'--{boundary}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'
                         for k, v in {"model": "svc-stt", "response_format": shape}.items())
        body = (f'{fields}--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n'
                f"Content-Type: audio/wav\r\n\r\n").encode() + wav + f"\r\n--{boundary}--\r\n".encode()
        self.connection.request("POST", "/compat/v1/audio/transcriptions", body, {
            "Authorization": f"Bearer {KEY}", "Content-Type": f"multipart/form-data; boundary={boundary}"})
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise RuntimeError(f"munadi serve answered {answer.status}: {text[:200]}")
        return json.loads(text)

    def peak(self):
        status = pathlib.Path(f"/proc/{self.child.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) * 1024

    def close(self):
        self.child.terminate()
        try:
            self.child.wait(timeout=40)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
        shutil.rmtree(self.data, ignore_errors=True)


class Bare:
    """Nothing but the Runs: VAD over the clip, encoder over its segments."""

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
    """The default model as it is embedded (its own beam search) and every folder with greedy decoding."""
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
