"""Makes a model of random weights speak at a human rate: about three tokens a second from real speech.

Random projections of an encoder's output all have a large mean and little variance, so each label would either never or
always win. The projections into the joint and the CTC head are therefore standardised over real speech, and the blank's
bias is searched by decoding greedily until the wanted rate comes out.
"""

import numpy
import onnxruntime
from onnx import numpy_helper

RATE_WANTED = 3.0  # tokens a second
PIECE = 10 * 16000


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


def standardise(inputs, matrix, spread=1.0):
    """matrix [D, J] and a bias [J] under which inputs @ matrix + bias has mean 0 and deviation spread a column."""
    projected = inputs @ matrix
    scale = spread / (projected.std(axis=0) + 1e-9)
    return matrix * scale, -projected.mean(axis=0) * scale


def search(count, wanted):
    """The blank's bias between which and twice the accuracy of 0.01 the count of tokens falls below wanted."""
    low, high = -5.0, 40.0  # more blank, fewer tokens
    while high - low > 0.01:
        middle = (low + high) / 2
        if count(middle) > wanted:
            low = middle
        else:
            high = middle
    return high


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
    """How many tokens the greedy search emits; frames [N, J] projected, pred and out (matrix, bias)."""
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


def transducer(fused, frames, seconds, rng):
    """Standardises the joint's two projections and sets the blank's bias; returns the tokens a second."""
    matrices = {n.name: n.input[1] for n in fused.graph.node if n.op_type == "MatMul"}
    enc, pred, out = (matrices[f"/joint/{part}/MatMul"] for part in ("enc", "pred", "joint_net/joint_net.2"))
    predictor = Predictor(fused)
    states, (h, c) = [], predictor.start()
    for label in rng.integers(1, len(predictor.embed) - 1, size=400):
        h, c = predictor.step(label, h, c)
        states.append(h)
    for matrix, bias, seen in ((enc, "joint.enc.bias", frames), (pred, "joint.pred.bias", numpy.array(states))):
        scaled, offset = standardise(seen, array(fused, matrix))
        put(fused, matrix, scaled)
        put(fused, bias, offset)
    projected = frames @ array(fused, enc) + array(fused, "joint.enc.bias")
    network = array(fused, pred), array(fused, "joint.pred.bias")
    labels = array(fused, out)

    def biased(blank):
        bias = numpy.zeros(labels.shape[1])
        bias[-1] = blank
        return bias
    blank = search(lambda b: greedy(predictor, projected, network, labels, biased(b)), RATE_WANTED * seconds)
    put(fused, "joint.joint_net.2.bias", biased(blank))
    return greedy(predictor, projected, network, labels, biased(blank)) / seconds


def collapsed(logits, blank_bias):
    logits = logits.copy()
    logits[:, -1] += blank_bias
    best = logits.argmax(axis=1)
    runs = best[numpy.insert(best[1:] != best[:-1], 0, True)]
    return int((runs != logits.shape[1] - 1).sum())


def connectionist(head, frames, seconds):
    """The same for the CTC head [V+1, D, 1]."""
    matrix, bias = (next(t.name for t in head.graph.initializer if len(t.dims) == n) for n in (3, 1))
    scaled, offset = standardise(frames, array(head, matrix)[:, :, 0].T)
    logits = frames @ scaled + offset
    blank = search(lambda b: collapsed(logits, b), RATE_WANTED * seconds)
    offset[-1] += blank
    put(head, matrix, scaled.T[:, :, None])
    put(head, bias, offset)
    return collapsed(logits, blank) / seconds
