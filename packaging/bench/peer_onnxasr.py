"""onnx-asr by its Python API: load_model, recognize, with_vad; with the pinned ONNX Runtime from PyPI."""

import functools
import importlib.metadata

import onnx_asr
import onnxruntime

from worker import CLIENTS, VAD, Worker, at_once


class OnnxAsr(Worker):
    def load(self, request):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = request["threads"]
        own = {"sess_options": options, "providers": ["CPUExecutionProvider"]}
        self.model = onnx_asr.load_model(
            f"nemo-conformer-{request['head']}", request["folder"] + "/onnx-asr", **own)
        vad = onnx_asr.load_vad("silero", request["vad"], **own)
        self.long = {size: self.model.with_vad(
            vad, batch_size=size, threshold=VAD["threshold"], min_speech_duration_ms=VAD["min_speech_ms"],
            min_silence_duration_ms=VAD["min_silence_ms"], max_speech_duration_s=VAD["max_speech_s"],
            speech_pad_ms=VAD["pad_ms"]) for size in (1, 8)}
        return importlib.metadata.version("onnx-asr")

    def segments(self, size):
        return [segment.text for segment in self.long[size].recognize(self.file)]

    @functools.cache
    def variants(self):
        many = [self.clip] * CLIENTS
        one = self.model.recognize
        return {
            "clip": {"recognize": lambda: [one(self.clip)]},
            "file": {"segment by segment": lambda: self.segments(1), "in batches of 8": lambda: self.segments(8)},
            "clients": {"threads": lambda: at_once(one, many), "one batch": lambda: one(many),
                        "one after another": lambda: [one(c) for c in many]},
        }

    def tokens(self):
        return len(self.model.with_timestamps().recognize(self.clip).tokens)


if __name__ == "__main__":
    OnnxAsr().serve()
