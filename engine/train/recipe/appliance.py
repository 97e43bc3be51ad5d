"""The evaluation's recognizer: munadi serve with a model folder, to which clips are sent."""

import concurrent.futures
import http.client
import io
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time
import uuid
import wave

import numpy

KEY = "a-key-for-the-evaluation"


def wav(sound):
    """float32 samples at 16 kHz as a WAV file's bytes."""
    out = io.BytesIO()
    with wave.open(out, "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(16000)
        w.writeframes(numpy.clip(sound * 32768, -32768, 32767).astype("<i2").tobytes())
    return out.getvalue()


class Appliance:
    """A running appliance; use as a context."""

    def __init__(self, munadi, model, threads=1):
        self.folder = tempfile.TemporaryDirectory()
        self.local = threading.local()
        command = [str(munadi), "serve", "--model", str(model), "--listen", "127.0.0.1:0", "--data", self.folder.name,
                   "--threads", str(threads), "--log-format", "json"]
        environment = dict(os.environ, MUNADI_BOOTSTRAP_API_KEY=KEY)
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.address = self._address()
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self._await_model()

    def _address(self):
        said = []
        for line in self.process.stderr:
            said.append(line)
            if found := re.search(r"127\.0\.0\.1:(\d{2,5})", line):
                return "127.0.0.1", int(found.group(1))
        raise RuntimeError("munadi serve did not start:\n" + "".join(said))

    def _await_model(self):
        """Waits for the model: the listener is open before it is loaded."""
        for _ in range(600):
            connection = http.client.HTTPConnection(*self.address, timeout=30)
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
            connection.close()
            time.sleep(0.2)
        raise RuntimeError("munadi serve did not get ready")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        self.folder.cleanup()

    def post(self, path, sound, **fields):
        """Sends one clip to an endpoint; returns the JSON response."""
        border = uuid.uuid4().hex
        parts = "".join(f'--{border}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items())
        head = f'{parts}--{border}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
        body = head.encode() + wav(sound) + f"\r\n--{border}--\r\n".encode()
        connection = http.client.HTTPConnection(*self.address, timeout=300)
        try:
            connection.request("POST", path, body, {"Authorization": f"Bearer {KEY}",
                                                    "Content-Type": f"multipart/form-data; boundary={border}"})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                raise RuntimeError(f"{path}: {answer.status} {text[:300]}")
            return json.loads(text)
        finally:
            connection.close()

    def hear(self, sound):
        """Returns the texts of the production decoder, and of greedy RNNT and CTC alone."""
        text = self.post("/compat/v1/audio/transcriptions", sound)["text"]
        detail = self.post("/debug/decode", sound)
        join = lambda head: " ".join(s[head]["text"] for s in detail["segments"] if s[head]["text"])
        return {"production": text, "rnnt": join("rnnt"), "ctc": join("ctc"), "duration": detail["duration"],
                "ms": sum(v for k, v in detail["timings_ms"].items() if k != "total")}

    def hear_all(self, sounds, workers=3):
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            return list(pool.map(self.hear, sounds))


def size(folder):
    """Returns the size of a model folder in bytes."""
    return sum(f.stat().st_size for f in pathlib.Path(folder).iterdir())
