"""sherpa-onnx by its Python API: OfflineRecognizer, and its VoiceActivityDetector for the long file."""

import functools

import sherpa_onnx

import audio
from worker import CLIENTS, VAD, Worker, at_once

BATCH = 8  # segments of the long file decoded together in the variant "in batches"
WINDOW = 512


class Sherpa(Worker):
    def load(self, request):
        folder, threads = request["folder"] + "/sherpa/", request["threads"]
        if request["head"] == "rnnt":
            self.recognizer = sherpa_onnx.OfflineRecognizer.from_transducer(
                folder + "encoder.onnx", folder + "decoder.onnx", folder + "joiner.onnx", folder + "tokens.txt",
                num_threads=threads, model_type="nemo_transducer")
        else:
            self.recognizer = sherpa_onnx.OfflineRecognizer.from_nemo_ctc(
                folder + "ctc.onnx", folder + "tokens.txt", num_threads=threads)
        self.vad = sherpa_onnx.VadModelConfig(
            silero_vad=sherpa_onnx.SileroVadModelConfig(
                request["vad"] + "/silero_vad.onnx", threshold=VAD["threshold"],
                min_silence_duration=VAD["min_silence_ms"] / 1000, min_speech_duration=VAD["min_speech_ms"] / 1000,
                max_speech_duration=VAD["max_speech_s"], window_size=WINDOW),
            sample_rate=audio.RATE, num_threads=threads)
        return sherpa_onnx.__version__

    def stream(self, samples):
        stream = self.recognizer.create_stream()
        stream.accept_waveform(audio.RATE, samples)
        return stream

    def one(self, samples):
        stream = self.stream(samples)
        self.recognizer.decode_stream(stream)
        return stream.result.text

    def together(self, clips):
        streams = [self.stream(clip) for clip in clips]
        self.recognizer.decode_streams(streams)
        return [stream.result.text for stream in streams]

    def segments(self):
        """Yields the long file's segments as soon as the VAD returns each."""
        detector = sherpa_onnx.VoiceActivityDetector(self.vad, buffer_size_in_seconds=60)
        for at in range(0, len(self.file), WINDOW):
            detector.accept_waveform(self.file[at:at + WINDOW])
            while not detector.empty():
                yield detector.front.samples
                detector.pop()
        detector.flush()
        while not detector.empty():
            yield detector.front.samples
            detector.pop()

    def long_in_batches(self):
        texts, waiting = [], []
        for segment in self.segments():
            waiting.append(segment)
            if len(waiting) == BATCH:
                texts += self.together(waiting)
                waiting = []
        return texts + (self.together(waiting) if waiting else [])

    @functools.cache
    def variants(self):
        many = [self.clip] * CLIENTS
        return {
            "clip": {"decode_stream": lambda: [self.one(self.clip)]},
            "file": {"segment by segment": lambda: [self.one(s) for s in self.segments()],
                     f"in batches of {BATCH}": self.long_in_batches},
            "clients": {"threads": lambda: at_once(self.one, many), "one batch": lambda: self.together(many),
                        "one after another": lambda: [self.one(c) for c in many]},
        }

    def tokens(self):
        stream = self.stream(self.clip)
        self.recognizer.decode_stream(stream)
        return len(stream.result.tokens)


if __name__ == "__main__":
    Sherpa().serve()
