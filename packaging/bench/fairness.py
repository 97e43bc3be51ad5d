"""Measures the latency of a 2 second clip while another client uses the recognizer as much as it is allowed to.

Two organizations, each with a key. The clip's client posts it repeatedly: first alone, then while the other
organization sends one of the loads. The bound of every single answer is three times the idle time and 0.5 s. It can
also be run separately, with the standard library alone:

    packaging/bench/fairness.py PATH-OF-MUNADI
"""

import http.client
import io
import pathlib
import statistics
import struct
import subprocess
import sys
import threading
import time
import wave

from appliance import Appliance, multipart

SECONDS = 2  # of the clip
IDLE, BUSY = 20, 25  # answers measured
PATIENCE = 1.5  # seconds until a load is in full progress
HOURS = 3.9
RATE, BLOCK = 8000, 65535  # of the FLAC
SEVERE = {"beam_size": "64", "beam_temperature": "10", "ctc_weight": "1"}
LOADS = {
    "debug decode, beam 64, temperature 10": [("debug", "speech", {"beam_enabled": "true", **SEVERE})],
    "debug decode, beam 64, temperature 10, chunks of 60 s": [("debug", "speech", {
        "beam_enabled": "true", **SEVERE, "max_chunk_seconds": "60", "vad_max_speech_s": "3600", "vad_threshold": "0",
        "vad_min_silence_ms": "60000"})],
    "debug decode, tsd 64, temperature 10": [("debug", "speech", {"strategy": "tsd", **SEVERE})],
    "debug decode, malsd_batch 64, unlimited symbols": [("debug", "speech", {
        "strategy": "malsd_batch", "beam_size": "64", "max_symbols_per_step": "0", "ctc_weight": "1"})],
    "debug decode, a spotter that prunes nothing": [("debug", "speech", {
        "ctc_ws_enabled": "true", "ctc_ws_apply": "true", "ctc_ws_beam_threshold": "1000", "ctc_ws_context_score": "100",
        "ctc_ws_keyword_threshold": "-1000", "ctc_ws_blank_threshold": "1", "ctc_ws_non_blank_threshold": "0",
        "ctc_ws_context": "WORDS"})],
    "twelve 24 KB FLACs of 3.9 h": [("transcribe", "bomb", {})] * 12,
    "twelve times ten minutes of speech": [("transcribe", "speech", {})] * 12,
}


def crc(data, polynomial, bits):
    value = 0
    for byte in data:
        value ^= byte << (bits - 8)
        for _ in range(8):
            value = (value << 1 ^ polynomial if value >> (bits - 1) & 1 else value << 1) & (1 << bits) - 1
    return value


def utf8(number):
    """A frame's number as FLAC codes it."""
    return chr(number).encode("utf-8", "surrogatepass")


def bomb():
    """Hours of constant silence in a FLAC of 24 KB (RFC 9639)."""
    frames = int(HOURS * 3600 * RATE / BLOCK)
    info = struct.pack(">HH", BLOCK, BLOCK) + bytes(6)
    info += (RATE << 44 | 0 << 41 | 7 << 36 | frames * BLOCK).to_bytes(8, "big") + bytes(16)
    out = [b"fLaC", b"\x80\x00\x00\x22", info]
    for i in range(frames):
        head = b"\xff\xf8\x74\x02" + utf8(i) + struct.pack(">H", BLOCK - 1)
        head += bytes([crc(head, 0x07, 8)])
        body = head + b"\x00\x00"  # one constant subframe of the value 0
        out.append(body + struct.pack(">H", crc(body, 0x8005, 16)))
    return b"".join(out)


def speech(clip, seconds):
    """Posts the clip repeatedly, as a WAV."""
    with wave.open(io.BytesIO(clip)) as w:
        params, samples = w.getparams(), w.readframes(w.getnframes())
    return wav(params.framerate, samples * (1 + seconds * params.framerate * 2 // len(samples)))


def wav(rate, samples):
    out = io.BytesIO()
    with wave.open(out, "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(rate)
        w.writeframes(samples)
    return out.getvalue()


def clip_of(path):
    """The first seconds of a recording, 16 bit mono."""
    with wave.open(str(path)) as w:
        return wav(w.getframerate(), w.readframes(SECONDS * w.getframerate()))


def words():
    """Returns as many different phrases as the spotter's field accepts."""
    letters = "ابتجحدرسعفقكلمنوي"
    return ",".join(a + b + c for a in letters for b in letters for c in letters)[:60000]


class Load(threading.Thread):
    """A request of the other organization, repeated until it is stopped."""

    def __init__(self, port, key, what, sound, fields):
        super().__init__(daemon=True)
        self.port, self.key, self.stopped, self.statuses = port, key, False, []
        self.path = "/debug/decode" if what == "debug" else "/compat/v1/audio/transcriptions"
        self.kind, self.body = multipart(fields, sound)
        self.connection = None

    def run(self):
        while not self.stopped:
            try:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
                self.connection.request("POST", self.path, self.body, {
                    "Authorization": f"Bearer {self.key}", "Content-Type": self.kind})
                answer = self.connection.getresponse()
                answer.read()
                self.statuses.append(answer.status)
                if answer.status != 200:
                    time.sleep(0.2)
            except (OSError, http.client.HTTPException):
                pass

    def stop(self):
        self.stopped = True
        if self.connection and self.connection.sock:
            self.connection.sock.close()


def timed(appliance, clip, count):
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        appliance.transcribe(clip)
        times.append(time.perf_counter() - begin)
    return times


def other_key(binary, data):
    """Creates a key of a second organization."""
    def munadi(*argv):
        return subprocess.run([str(binary), *argv, "--data", data], check=True, capture_output=True, text=True).stdout
    munadi("orgs", "create", "other")
    return munadi("keys", "create", "--org", "other").strip()


def rows(binary, recording, log, say):
    """Returns a row per load."""
    appliance = Appliance(pathlib.Path(binary).parent, None, log)
    try:
        key = other_key(binary, appliance.data)
        clip = clip_of(recording)
        sounds = {"speech": speech(clip, 600), "bomb": bomb()}
        timed(appliance, clip, 3)
        idle = statistics.median(timed(appliance, clip, IDLE))
        for name, requests in LOADS.items():
            say(f"fairness: {name}")
            loads = [Load(appliance.port, key, what, sounds[sound],
                          {k: words() if v == "WORDS" else v for k, v in fields.items()})
                     for what, sound, fields in requests]
            for load in loads:
                load.start()
            time.sleep(PATIENCE)
            busy = timed(appliance, clip, BUSY)
            for load in loads:
                load.stop()
            yield {"load": name, "idle": idle, "median": statistics.median(busy), "slowest": max(busy),
                   "bound": 3 * idle + 0.5, "statuses": sorted({s for load in loads for s in load.statuses})}
            time.sleep(1)
    finally:
        appliance.close()


def main():
    recording = pathlib.Path(__file__).resolve().parent.parent.parent / "engine/testdata/golden/g28.wav"
    with open("/dev/null", "w", encoding="utf-8") as log:
        for row in rows(pathlib.Path(sys.argv[1]), recording, log, lambda text: None):
            print(f"{row['load']}: idle {row['idle']:.3f} s, median {row['median']:.3f} s, slowest "
                  f"{row['slowest']:.3f} s, bound {row['bound']:.3f} s {row['statuses']}", flush=True)


if __name__ == "__main__":
    main()
