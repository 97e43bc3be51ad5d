"""Calibrates a model of random weights to emit tokens at a human rate: about three a second from real speech.

Random projections of an encoder's output all have a large mean and little variance, so each label would either never or
always win. The projections into the joint and the CTC head are therefore standardized over real speech. For the CTC
head, searching the blank's bias then gives the wanted rate.

A transducer of random weights has states in which it emits only blanks for ever and others in which it never emits one,
so its rate depends on rounding errors. Therefore two of the joint's units and one of the prediction network's are set:
the latter stores whether the last token's id was odd; an odd token may follow only while the encoder's first projection
is above a threshold, an even one only while it is below the negative threshold. So one token is emitted with each
swing of the encoder's output, and which of the 512 it is remains random. A search finds the threshold.
"""

import numpy
import onnxruntime
from onnx import numpy_helper

RATE_WANTED = 3.0  # tokens a second
PIECE = 10 * 16000
SHUT = 8.0  # more than any value of a standardized projection
LOUD, BLANK = 20.0, 8.0  # what an open gate adds to its labels per unit above the threshold; the blank's constant logit
MEMORY = numpy.tanh(1.0)  # the storing unit's output, with the sign of the last token's parity


def weight(model, name):
    return next(t for t in model.graph.initializer if t.name == name)


def array(model, name):
    return numpy_helper.to_array(weight(model, name)).astype(numpy.float64)


def put(model, name, values):
    weight(model, name).CopyFrom(numpy_helper.from_array(numpy.asarray(values, numpy.float32), name))


def encoded(encoder_path, mel_path, samples):
    """Encoder outputs [N, D] of samples in pieces of 10 s."""
    mel = onnxruntime.InferenceSession(str(mel_path), providers=["CPUExecutionProvider"])
    encoder = onnxruntime.InferenceSession(str(encoder_path), providers=["CPUExecutionProvider"])
    rows = []
    for at in range(0, len(samples) - PIECE + 1, PIECE):
        piece = samples[None, at:at + PIECE]
        features, length = mel.run(None, {"waveforms": piece, "waveforms_lens": numpy.array([PIECE], numpy.int64)})
        out, n = encoder.run(None, {"audio_signal": features, "length": length})
        if not numpy.isfinite(out).all():
            raise SystemExit("bench: the widened encoder's output is not finite")
        rows.append(out[0, :, :n[0]].T)
    return numpy.concatenate(rows).astype(numpy.float64)


def standardize(inputs, matrix, spread=1.0):
    """matrix [D, J] and a bias [J] under which inputs @ matrix + bias has mean 0 and deviation spread a column."""
    projected = inputs @ matrix
    scale = spread / (projected.std(axis=0) + 1e-9)
    return matrix * scale, -projected.mean(axis=0) * scale


def search(count, wanted, low, high):
    """Finds by bisection, in steps of 0.01, the threshold whose decreasing count of tokens is nearest to wanted."""
    tried = []
    while high - low > 0.01:
        middle = (low + high) / 2
        tokens = count(middle)
        tried.append((abs(tokens - wanted), middle))
        low, high = (middle, high) if tokens > wanted else (low, middle)
    return min(tried)[1]


class Predictor:
    """The prediction network in NumPy: one LSTM layer in ONNX's gate order i, o, f, c."""

    def __init__(self, fused):
        names = sorted(t.name for t in fused.graph.initializer if t.name.startswith("onnx::LSTM"))
        self.embed = array(fused, "decoder.prediction.embed.weight")
        self.w, self.r, bias = (array(fused, n)[0] for n in names)
        self.bias = bias[:len(bias) // 2] + bias[len(bias) // 2:]

    def step(self, label, h, c):
        gates = self.w @ self.embed[label] + self.r @ h + self.bias
        i, o, f, g = numpy.split(gates, 4)
        i, o, f = (1 / (1 + numpy.exp(-x)) for x in (i, o, f))
        c = f * c + i * numpy.tanh(g)
        return o * numpy.tanh(c), c

    def start(self):
        zero = numpy.zeros(self.r.shape[1])
        return self.step(len(self.embed) - 1, zero, zero)


def greedy(predictor, frames, pred, out, bias, most=10):
    """Counts the tokens of the greedy search; frames [N, J] projected, pred and out (matrix, bias)."""
    h, c = predictor.start()
    hidden = h @ pred[0] + pred[1]
    tokens = 0
    for frame in frames:
        for _ in range(most):
            logits = numpy.maximum(frame + hidden, 0) @ out + bias
            label = int(logits.argmax())
            if label == len(bias) - 1:
                break
            tokens += 1
            h, c = predictor.step(label, h, c)
            hidden = h @ pred[0] + pred[1]
    return tokens


def remember_parity(fused):
    """Sets the prediction network's unit 0 to the last token's parity: + odd, - even or none yet."""
    names = sorted(t.name for t in fused.graph.initializer if t.name.startswith("onnx::LSTM"))
    embed = array(fused, "decoder.prediction.embed.weight")
    embed[:-1, 0] = numpy.where(numpy.arange(len(embed) - 1) % 2 == 1, 1, -1)
    w, r, bias = (array(fused, n) for n in names)
    hidden = r.shape[2]
    gates = numpy.arange(4) * hidden  # i, o, f, c
    w[0, gates], r[0, gates] = 0, 0
    w[0, gates[3], 0] = 15
    bias[0, gates], bias[0, gates + 4 * hidden] = [10, 10, -10, -5], 0  # always in and out, never kept; none: even
    for name, values in zip(["decoder.prediction.embed.weight", *names], [embed, w, r, bias]):
        put(fused, name, values)


def gates(enc, pred, out):
    """Sets joint units 0 and 1 in the (matrix, bias) of enc, pred and out: the gates before odd and even labels."""
    enc[0][:, 1], enc[1][1] = -enc[0][:, 0], -enc[1][0]
    pred[0][:, :2] = 0
    pred[0][0, :2] = [-SHUT / 2 / MEMORY, SHUT / 2 / MEMORY]
    labels = numpy.arange(out[0].shape[1])
    out[0][0], out[0][1] = LOUD * (labels % 2 == 1), LOUD * (labels % 2 == 0)
    out[0][:2, 0] = 0  # <unk>
    out[0][:, -1], out[1][-1] = 0, BLANK


def transducer(fused, frames, seconds, rng):
    """Standardizes the joint's projections and sets its gates; returns the tokens a second."""
    remember_parity(fused)
    predictor = Predictor(fused)
    states, (h, c) = [], predictor.start()
    for label in rng.integers(1, len(predictor.embed) - 1, size=400):
        h, c = predictor.step(label, h, c)
        states.append(h)
    names = {n.name: n.input[1] for n in fused.graph.node if n.op_type == "MatMul"}
    names = [names[f"/joint/{part}/MatMul"] for part in ("enc", "pred", "joint_net/joint_net.2")]
    enc, pred = (standardize(seen, array(fused, name)) for seen, name in zip((frames, numpy.array(states)), names))
    out = array(fused, names[2]), numpy.zeros(len(predictor.embed))
    gates(enc, pred, out)
    projected = frames @ enc[0] + enc[1]

    def count(threshold):
        pred[1][:2] = -SHUT / 2 - threshold
        return greedy(predictor, projected, pred, *out)
    tokens = count(search(count, RATE_WANTED * seconds, 0.0, 4.0))
    for part, name in zip((enc, pred, out), names):
        put(fused, name, part[0])
    for part, name in zip((enc, pred, out), ("joint.enc.bias", "joint.pred.bias", "joint.joint_net.2.bias")):
        put(fused, name, part[1])
    return tokens / seconds


def collapsed(logits, blank_bias):
    logits = logits.copy()
    logits[:, -1] += blank_bias
    best = logits.argmax(axis=1)
    runs = best[numpy.insert(best[1:] != best[:-1], 0, True)]
    return int((runs != logits.shape[1] - 1).sum())


def connectionist(head, frames, seconds):
    """The same for the CTC head [V+1, D, 1]."""
    matrix, bias = (next(t.name for t in head.graph.initializer if len(t.dims) == n) for n in (3, 1))
    scaled, offset = standardize(frames, array(head, matrix)[:, :, 0].T)
    logits = frames @ scaled + offset
    blank = search(lambda b: collapsed(logits, b), RATE_WANTED * seconds, -5.0, 40.0)
    offset[-1] += blank
    put(head, matrix, scaled.T[:, :, None])
    put(head, bias, offset)
    return collapsed(logits, blank) / seconds
