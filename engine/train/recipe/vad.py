"""Begin and end of speech by the engine's Silero VAD, so that words are trained as they will be cut."""

import numpy
import onnxruntime

WINDOW, CONTEXT = 512, 64  # samples
THRESHOLD, LOWER, PAD = 0.4, 0.25, 480  # the engine's defaults; 30 ms of padding


class Detector:
    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def probabilities(self, sound):
        """One a window of 512 samples."""
        frames = -(-len(sound) // WINDOW)
        padded = numpy.zeros(CONTEXT + frames * WINDOW, numpy.float32)
        padded[CONTEXT:CONTEXT + len(sound)] = sound
        windows = numpy.lib.stride_tricks.sliding_window_view(padded, CONTEXT + WINDOW)[::WINDOW]
        state = numpy.zeros((1, 1, 128), numpy.float32)
        feed = {"input": numpy.ascontiguousarray(windows), "h": state, "c": state}
        return self.session.run(["speech_probs"], feed)[0].reshape(-1)

    def bounds(self, sound):
        """First and last sample of the speech in a short clip; None where there is none."""
        p = self.probabilities(sound)
        start = numpy.flatnonzero(p >= THRESHOLD)
        if len(start) == 0:
            return None
        end = numpy.flatnonzero(p >= LOWER)[-1] + 1
        return max(0, start[0] * WINDOW - PAD), min(len(sound), end * WINDOW + PAD)
