"""NeMo checkpoints of random weights in the shape of NeMo's large hybrids: a cache-aware model and a full-context one.

Both have 17 layers of 512, 8 heads, an LSTM and a joint of 640, 1,024 pieces and layer normalization in their
convolutions: 114 M parameters, of which the encoder runs the same products for a frame. "streaming" is
`stt_*_fastconformer_hybrid_large_streaming_multi`, with its four attention contexts; "full" sees the whole utterance.
The blank always wins, so that what is measured is the encoder. Neither torch nor NeMo is needed: a checkpoint is
a tar with a configuration, a SentencePiece model, and a zip of raw tensors with a pickle that names them.
"""

import collections
import io
import json
import math
import pickle
import struct
import sys
import tarfile
import types
import zipfile

import numpy

import widen

MELS, KERNEL, BLANK = 80, 9, 30.0
WIDTH, LAYERS, CHANNELS = widen.SIZES["d_model"], widen.LAYERS, widen.SIZES["channels"]
HIDDEN, JOINT, LABELS = (widen.SIZES[name] for name in ("hidden", "joint", "labels"))
CONTEXTS = [[70, 13], [70, 6], [70, 1], [70, 0]]
KINDS = {
    "streaming": {"encoder": {"att_context_size": CONTEXTS, "att_context_style": "chunked_limited",
                              "causal_downsampling": True, "conv_context_size": "causal"}, "normalize": "NA"},
    "full": {"encoder": {"att_context_size": [-1, -1], "att_context_style": "regular", "causal_downsampling": False,
                         "conv_context_size": None}, "normalize": "per_feature"},
}


def config(kind, pieces):
    """model_config.yaml, as JSON, which is YAML too."""
    return {
        "sample_rate": 16000, "labels": pieces, "nemo_version": "2.7.3",
        "target": "nemo.collections.asr.models.hybrid_rnnt_ctc_bpe_models.EncDecHybridRNNTCTCBPEModel",
        "tokenizer": {"type": "bpe", "model_path": "nemo:tokenizer.model"},
        "preprocessor": {
            "sample_rate": 16000, "normalize": KINDS[kind]["normalize"], "window_size": 0.025, "window_stride": 0.01,
            "window": "hann", "features": MELS, "n_fft": 512, "pad_to": 0},
        "encoder": {
            "_target_": "nemo.collections.asr.modules.ConformerEncoder", "feat_in": MELS, "feat_out": -1,
            "n_layers": LAYERS, "d_model": WIDTH, "n_heads": widen.SIZES["heads"], "subsampling": "dw_striding",
            "subsampling_factor": 8, "subsampling_conv_channels": CHANNELS, "ff_expansion_factor": 4,
            "self_attention_model": "rel_pos", "xscaling": False, "untie_biases": True, "pos_emb_max_len": 5000,
            "conv_kernel_size": KERNEL, "conv_norm_type": "layer_norm", **KINDS[kind]["encoder"]},
        "decoder": {"blank_as_pad": True, "vocab_size": LABELS - 1,
                    "prednet": {"pred_hidden": HIDDEN, "pred_rnn_layers": 1}},
        "joint": {"num_classes": LABELS - 1, "vocabulary": pieces, "jointnet": {
            "joint_hidden": JOINT, "activation": "relu", "dropout": 0.0, "encoder_hidden": WIDTH, "pred_hidden": HIDDEN}},
        "decoding": {"strategy": "greedy", "greedy": {"max_symbols": 10}},
        "aux_ctc": {"decoder": {"feat_in": WIDTH, "num_classes": LABELS - 1, "vocabulary": pieces}},
    }


def linear(name, outputs, inputs, *kernel):
    return {f"{name}.weight": (outputs, inputs, *kernel), f"{name}.bias": (outputs,)}


def norm(name):
    return {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}


def layer(name):
    heads = (widen.SIZES["heads"], widen.SIZES["d_k"])
    out = {}
    for part in ("feed_forward1", "feed_forward2"):
        out |= norm(f"{name}.norm_{part}") | linear(f"{name}.{part}.linear1", 4 * WIDTH, WIDTH)
        out |= linear(f"{name}.{part}.linear2", WIDTH, 4 * WIDTH)
    for part in "qkv":
        out |= linear(f"{name}.self_attn.linear_{part}", WIDTH, WIDTH)
    out |= linear(f"{name}.self_attn.linear_out", WIDTH, WIDTH) | norm(f"{name}.norm_self_att")
    out |= {f"{name}.self_attn.linear_pos.weight": (WIDTH, WIDTH)}
    out |= {f"{name}.self_attn.pos_bias_u": heads, f"{name}.self_attn.pos_bias_v": heads}
    out |= norm(f"{name}.norm_conv") | linear(f"{name}.conv.pointwise_conv1", 2 * WIDTH, WIDTH, 1)
    out |= linear(f"{name}.conv.depthwise_conv", WIDTH, 1, KERNEL) | norm(f"{name}.conv.batch_norm")
    return out | linear(f"{name}.conv.pointwise_conv2", WIDTH, WIDTH, 1) | norm(f"{name}.norm_out")


def shapes(kind):
    """Name → shape of every tensor."""
    rows = MELS // 8 + (kind == "streaming")  # causal subsampling pads the bands, too
    first = "encoder.pre_encode.conv"
    out = linear(f"{first}.0", CHANNELS, 1, 3, 3)
    for at in (2, 5):
        out |= linear(f"{first}.{at}", CHANNELS, 1, 3, 3) | linear(f"{first}.{at + 1}", CHANNELS, CHANNELS, 1, 1)
    out |= linear("encoder.pre_encode.out", WIDTH, CHANNELS * rows)
    for index in range(LAYERS):
        out |= layer(f"encoder.layers.{index}")
    lstm = "decoder.prediction.dec_rnn.lstm."
    out |= {"decoder.prediction.embed.weight": (LABELS, HIDDEN)}
    out |= {lstm + name: (4 * HIDDEN, HIDDEN) for name in ("weight_ih_l0", "weight_hh_l0")}
    out |= {lstm + name: (4 * HIDDEN,) for name in ("bias_ih_l0", "bias_hh_l0")}
    out |= linear("joint.pred", JOINT, HIDDEN) | linear("joint.enc", JOINT, WIDTH)
    return out | linear("joint.joint_net.1", LABELS, JOINT) | linear("ctc_decoder.decoder_layers.0", LABELS, WIDTH, 1)


def draw(rng, name, shape):
    """Random weights under which activations stay of order one; the blank's bias is above all that they can add."""
    if name.endswith((".bias", "_u", "_v", "_l0")) and len(shape) < 3 and "weight" not in name:
        values = numpy.zeros(shape, numpy.float32)
        if shape[0] == LABELS:
            values[-1] = BLANK
        return values
    if len(shape) == 1:  # of a norm
        return numpy.ones(shape, numpy.float32)
    gain = widen.DAMPING if name.endswith(("linear2.weight", "linear_out.weight", "pointwise_conv2.weight")) else 1.0
    return (rng.standard_normal(shape, numpy.float32) * (gain / math.sqrt(math.prod(shape[1:])))).astype(numpy.float32)


class Storage:
    """A tensor's numbers, which lie in a file of their own."""

    def __init__(self, key, count):
        self.key, self.count = key, count


class Tensor:
    """A tensor as torch pickles it."""

    def __init__(self, key, shape):
        self.key, self.shape = key, shape

    def __reduce__(self):
        strides = tuple(math.prod(self.shape[at + 1:]) for at in range(len(self.shape)))
        storage = Storage(self.key, math.prod(self.shape))
        return sys.modules["torch._utils"]._rebuild_tensor_v2, (  # noqa: SLF001, torch's name
            storage, 0, self.shape, strides, False, collections.OrderedDict())


class Pickler(pickle.Pickler):
    def persistent_id(self, value):
        if isinstance(value, Storage):
            return "storage", sys.modules["torch"].FloatStorage, value.key, "cpu", value.count
        return None


def pretend_torch():
    """Modules with the two names that a pickle of tensors mentions."""
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
    torch.FloatStorage = type("FloatStorage", (), {"__module__": "torch"})

    def _rebuild_tensor_v2():
        raise NotImplementedError
    _rebuild_tensor_v2.__module__, _rebuild_tensor_v2.__qualname__ = "torch._utils", "_rebuild_tensor_v2"
    torch._utils, utils._rebuild_tensor_v2 = utils, _rebuild_tensor_v2  # noqa: SLF001
    sys.modules.update({"torch": torch, "torch._utils": utils})


def write_weights(path, kind):
    """model_weights.ckpt as torch.save writes it; returns the number of weights."""
    pretend_torch()
    rng, tensors = numpy.random.default_rng(widen.SEED), collections.OrderedDict()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for key, (name, shape) in enumerate(shapes(kind).items()):
            archive.writestr(f"model_weights/data/{key}", draw(rng, name, shape).tobytes())
            tensors[name] = Tensor(str(key), shape)
        pickled = io.BytesIO()
        Pickler(pickled, protocol=2).dump(tensors)
        archive.writestr("model_weights/data.pkl", pickled.getvalue())
        archive.writestr("model_weights/byteorder", b"little")
        archive.writestr("model_weights/version", b"3\n")
    return sum(math.prod(tensor.shape) for tensor in tensors.values())


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def field(number, payload):
    """A length-delimited field of a protocol buffer."""
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def sentencepiece(pieces):
    """A ModelProto of pieces: their texts, falling scores, and types (2: unknown, 1: normal); a unigram model."""
    out = b""
    for index, piece in enumerate(pieces):
        kind = b"\x18" + varint(2 if index == 0 else 1)
        out += field(1, field(1, piece.encode()) + b"\x15" + struct.pack("<f", -float(index)) + kind)
    return out + field(2, b"\x18\x01")  # trainer_spec.model_type


def write(path, kind, scratch):
    """Writes the checkpoint; returns its number of weights."""
    pieces = widen.vocabulary()[:-1]  # without the blank
    weights = scratch / "model_weights.ckpt"
    count = write_weights(weights, kind)
    with tarfile.open(path, "w") as archive:
        for name, content in (("model_config.yaml", json.dumps(config(kind, pieces)).encode()),
                              ("tokenizer.model", sentencepiece(pieces))):
            entry = tarfile.TarInfo(f"./{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        archive.add(weights, "./model_weights.ckpt")
    weights.unlink()
    return count
