#!/usr/bin/env python3
"""Makes the small NeMo checkpoints in this folder, each with its expected results.

    make.py            needs torch, sentencepiece, pyyaml

Weights are random: the checkpoints test shapes, not speech. The expected values come from the plain PyTorch
implementation below, written from NeMo 2.7's documented behaviour: it works on a padded input with masks, as NeMo does,
and shares nothing with the importer. NAME.json holds, for an input of FRAMES feature frames (see features), the
encoder's output in the joint's space, the CTC log-probabilities and the greedy hypotheses.
"""

import gzip
import io
import json
import math
import pathlib
import tarfile
import tempfile

import sentencepiece
import torch
import yaml
from torch import nn
from torch.nn import functional

HERE = pathlib.Path(__file__).parent
FRAMES = 173
PIECES = 24


def features(bands, frames):
    """A synthetic spectrogram [bands, frames], which the Go test computes too."""
    f = torch.arange(bands, dtype=torch.float64)[:, None]
    t = torch.arange(frames, dtype=torch.float64)[None]
    return (torch.sin(0.37 * f + 0.11 * t * (1 + f % 5)) + 0.5 * torch.cos(0.05 * t + f)).float()


def mask(x, length):
    """x [B, C, T, ...] with zeros from length on along dimension 2."""
    x = x.clone()
    x[:, :, length:] = 0
    return x


class Subsampling(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.causal, self.factor = c["causal_downsampling"], c["subsampling_factor"]
        channels, layers, bands = c["subsampling_conv_channels"], [], c["feat_in"]
        for step in range(int(math.log2(self.factor))):
            if step == 0:
                layers.append(nn.Conv2d(1, channels, 3, 2))
            elif c["subsampling"] == "dw_striding":
                layers.append(nn.Conv2d(channels, channels, 3, 2, groups=channels))
                layers.append(nn.Conv2d(channels, channels, 1))
            else:
                layers.append(nn.Conv2d(channels, channels, 3, 2))
            layers.append(nn.ReLU())
            bands = self.half(bands)
        self.conv = nn.Sequential(*layers)
        self.out = nn.Linear(channels * bands, c["d_model"])

    def half(self, n):
        """Returns the output length of a convolution of width 3 and stride 2 over n frames or bands."""
        return (n + (3 if self.causal else 2) - 3) // 2 + 1

    def forward(self, x, length):  # [B, F, T]
        x = x.transpose(1, 2)[:, None]  # [B, 1, T, F]
        x = mask(x, length)
        for layer in self.conv:
            strided = isinstance(layer, nn.Conv2d) and layer.stride[0] == 2
            if strided:
                x = functional.pad(x, (2, 1, 2, 1) if self.causal else (1, 1, 1, 1))
            x = layer(x)
            if strided:
                length = self.half(length)
            x = mask(x, length)
        b, c, t, f = x.shape
        return self.out(x.transpose(1, 2).reshape(b, t, c * f)), length


class Attention(nn.Module):
    def __init__(self, d, heads, bias):
        super().__init__()
        self.h, self.k = heads, d // heads
        for name in "qkv":
            setattr(self, f"linear_{name}", nn.Linear(d, d, bias=bias))
        self.linear_out, self.linear_pos = nn.Linear(d, d, bias=bias), nn.Linear(d, d, bias=False)
        self.pos_bias_u, self.pos_bias_v = nn.Parameter(torch.zeros(heads, d // heads)), nn.Parameter(
            torch.zeros(heads, d // heads))

    def forward(self, x, positions, hidden):  # positions [2T-1, D] from T-1 down
        t = x.shape[1]
        split = lambda y: y.view(-1, self.h, self.k)
        q, k, v = (split(getattr(self, f"linear_{n}")(x[0])) for n in "qkv")
        p = split(self.linear_pos(positions))
        scores = torch.empty(self.h, t, t)
        for i in range(t):
            for j in range(t):
                distance = t - 1 - (i - j)  # the row of i-j
                scores[:, i, j] = ((q[i] + self.pos_bias_u) * k[j]).sum(-1) + (
                    (q[i] + self.pos_bias_v) * p[distance]).sum(-1)
        scores = (scores / math.sqrt(self.k)).masked_fill(hidden, -10000.0)
        weights = scores.softmax(-1).masked_fill(hidden, 0.0)
        return self.linear_out(torch.einsum("hij,jhk->ihk", weights, v).reshape(1, t, -1))


class FeedForward(nn.Module):
    def __init__(self, d, inner, bias):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d, inner, bias=bias), nn.Linear(inner, d, bias=bias)

    def forward(self, x):
        return self.linear2(functional.silu(self.linear1(x)))


class Convolution(nn.Module):
    def __init__(self, d, kernel, norm, pads, bias):
        super().__init__()
        self.pads = pads
        self.pointwise_conv1 = nn.Conv1d(d, 2 * d, 1, bias=bias)
        self.depthwise_conv = nn.Conv1d(d, d, kernel, groups=d, bias=bias)
        self.batch_norm = nn.BatchNorm1d(d) if norm == "batch_norm" else nn.LayerNorm(d)
        self.pointwise_conv2 = nn.Conv1d(d, d, 1, bias=bias)

    def forward(self, x, length):
        x = functional.glu(self.pointwise_conv1(x.transpose(1, 2)), dim=1)
        x = mask(x, length)
        x = self.depthwise_conv(functional.pad(x, self.pads))
        if isinstance(self.batch_norm, nn.LayerNorm):
            x = self.batch_norm(x.transpose(1, 2)).transpose(1, 2)
        else:
            x = self.batch_norm(x)
        return self.pointwise_conv2(functional.silu(x)).transpose(1, 2)


class Layer(nn.Module):
    def __init__(self, c, pads):
        super().__init__()
        d, bias = c["d_model"], c["use_bias"]
        for name in ("feed_forward1", "self_att", "conv", "feed_forward2", "out"):
            setattr(self, f"norm_{name}", nn.LayerNorm(d))
        self.feed_forward1 = FeedForward(d, d * c["ff_expansion_factor"], bias)
        self.feed_forward2 = FeedForward(d, d * c["ff_expansion_factor"], bias)
        self.self_attn = Attention(d, c["n_heads"], bias)
        self.conv = Convolution(d, c["conv_kernel_size"], c["conv_norm_type"], pads, bias)

    def forward(self, x, length, positions, hidden):
        x = x + 0.5 * self.feed_forward1(self.norm_feed_forward1(x))
        x = x + self.self_attn(self.norm_self_att(x), positions, hidden)
        x = x + self.conv(self.norm_conv(x), length)
        x = x + 0.5 * self.feed_forward2(self.norm_feed_forward2(x))
        return self.norm_out(x)


class Encoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.pre_encode = Subsampling(c)
        k, size = c["conv_kernel_size"], c["conv_context_size"]
        pads = (k // 2, k // 2) if size is None else (k - 1, 0) if size == "causal" else tuple(size)
        self.layers = nn.ModuleList(Layer(c, pads) for _ in range(c["n_layers"]))
        if c["feat_out"] > 0:
            self.out_proj = nn.Linear(c["d_model"], c["feat_out"])

    def hidden(self, t, length):
        """[T, T], true where frame i does not see frame j."""
        sizes = self.c["att_context_size"]
        left, right = sizes[0] if isinstance(sizes[0], list) else sizes
        out = torch.zeros(t, t, dtype=torch.bool)
        for i in range(t):
            for j in range(t):
                if self.c["att_context_style"] == "chunked_limited":
                    chunk = right + 1
                    apart = i // chunk - j // chunk
                    sees = 0 <= apart and (left < 0 or apart <= left // chunk)
                else:
                    sees = (left < 0 or i - j <= left) and (right < 0 or j - i <= right)
                out[i, j] = not sees or j >= length or i >= length
        return out

    def forward(self, x, length):
        x, length = self.pre_encode(x, length)
        t, d = x.shape[1], x.shape[2]
        if self.c["xscaling"]:
            x = x * math.sqrt(d)
        at = torch.arange(t - 1, -t, -1, dtype=torch.float32)[:, None]
        rate = torch.exp(torch.arange(0, d, 2, dtype=torch.float32) * -(math.log(10000.0) / d))
        positions = torch.zeros(2 * t - 1, d)
        positions[:, 0::2], positions[:, 1::2] = torch.sin(at * rate), torch.cos(at * rate)
        hidden = self.hidden(t, length)
        for layer in self.layers:
            x = layer(x, length, positions, hidden)
        if hasattr(self, "out_proj"):
            x = self.out_proj(x)
        return x[0, :length]


class Transducer(nn.Module):
    """Holds decoder.prediction and joint under NeMo's names."""

    def __init__(self, c, width, extra):
        super().__init__()
        p, j = c["decoder"]["prednet"]["pred_hidden"], c["joint"]["jointnet"]["joint_hidden"]
        self.decoder = nn.ModuleDict({"prediction": nn.ModuleDict({
            "embed": nn.Embedding(PIECES + 1, p, padding_idx=PIECES),
            "dec_rnn": nn.ModuleDict({"lstm": nn.LSTM(p, p, c["decoder"]["prednet"]["pred_rnn_layers"])}),
        })})
        activation = {"relu": nn.ReLU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid}[c["joint"]["jointnet"]["activation"]]
        dropout = [nn.Dropout(0.2)] if c["joint"]["jointnet"].get("dropout") else []
        self.joint = nn.ModuleDict({
            "pred": nn.Linear(p, j), "enc": nn.Linear(width, j),
            "joint_net": nn.Sequential(activation(), *dropout, nn.Linear(j, PIECES + 1 + extra)),
        })

    def greedy(self, encoded, durations):
        projected = self.joint["enc"](encoded)
        tokens, frames, score = [], [], 0.0
        lstm = self.decoder["prediction"]["dec_rnn"]["lstm"]
        g, state = lstm(self.decoder["prediction"]["embed"](torch.tensor([[PIECES]])))
        t, emitted = 0, 0
        while t < len(projected):
            logits = self.joint["joint_net"](projected[t] + self.joint["pred"](g[0, 0]))
            label = int(logits[:PIECES + 1].argmax())
            jump = durations[int(logits[PIECES + 1:].argmax())] if durations else 0
            if label == PIECES:
                jump = max(jump, 1)
            else:
                tokens.append(label)
                frames.append(t)
                score += float(logits.log_softmax(-1)[label])
                emitted += 1
                g, state = lstm(self.decoder["prediction"]["embed"](torch.tensor([[label]])), state)
                if emitted >= 10:
                    jump = max(jump, 1)
            t += jump
            if jump:
                emitted = 0
        return projected, {"tokens": tokens, "frames": frames, "score": score}


def configuration(**changes):
    """A configuration as NeMo saves it; keys are changed by their dotted names with __ for the dot."""
    c = {
        "target": "nemo.collections.asr.models.hybrid_rnnt_ctc_bpe_models.EncDecHybridRNNTCTCBPEModel",
        "nemo_version": "2.7.3",
        "preprocessor": {"_target_": "nemo.collections.asr.modules.AudioToMelSpectrogramPreprocessor",
                         "sample_rate": 16000, "normalize": "per_feature", "window_size": 0.025, "window_stride": 0.01,
                         "window": "hann", "features": 20, "n_fft": 512, "frame_splicing": 1, "dither": 1e-05, "pad_to": 0},
        "encoder": {"_target_": "nemo.collections.asr.modules.ConformerEncoder", "feat_in": 20, "feat_out": -1,
                    "n_layers": 2, "d_model": 16, "use_bias": True, "subsampling": "dw_striding",
                    "subsampling_factor": 8, "subsampling_conv_channels": 8, "causal_downsampling": False,
                    "reduction": None, "reduction_position": None, "reduction_factor": 1, "ff_expansion_factor": 4,
                    "self_attention_model": "rel_pos", "n_heads": 4, "att_context_size": [-1, -1],
                    "att_context_style": "regular", "xscaling": True, "untie_biases": True, "pos_emb_max_len": 5000,
                    "conv_kernel_size": 9, "conv_norm_type": "batch_norm", "conv_context_size": None, "dropout": 0.1},
        "decoder": {"_target_": "nemo.collections.asr.modules.RNNTDecoder", "normalization_mode": None,
                    "blank_as_pad": True, "vocab_size": PIECES,
                    "prednet": {"pred_hidden": 12, "pred_rnn_layers": 1, "t_max": None, "dropout": 0.2}},
        "joint": {"_target_": "nemo.collections.asr.modules.RNNTJoint",
                  "jointnet": {"joint_hidden": 14, "activation": "relu", "dropout": 0.2}},
        "decoding": {"strategy": "greedy_batch", "greedy": {"max_symbols": 10}},
        "tokenizer": {"type": "bpe", "dir": "tok", "model_path": "nemo:0123456789abcdef0123456789abcdef_tokenizer.model"},
    }
    for key, value in changes.items():
        *path, last = key.split("__")
        section = c
        for part in path:
            section = section[part]
        section[last] = value
    return c


def randomise(state, generator):
    """Random weights with norms, biases and statistics away from 0 and 1."""
    for name, w in state.items():
        if not w.is_floating_point():
            continue
        r = torch.randn(w.shape, generator=generator)
        if name.endswith("running_var"):
            w.copy_(0.5 + r.abs())
        elif "norm" in name and name.endswith("weight"):
            w.copy_(1 + 0.3 * r)
        elif w.dim() == 1 or "pos_bias" in name:
            w.copy_(0.3 * r)
        else:  # larger in the heads, so that the hypotheses differ
            w.copy_(r / math.sqrt(w[0].numel()) * (1 if name.startswith("encoder") else 3))
    if "decoder.prediction.embed.weight" in state:
        state["decoder.prediction.embed.weight"][PIECES] = 0


def tokenizer():
    """A SentencePiece model of PIECES pieces."""
    text = tempfile.NamedTemporaryFile("w", suffix=".txt")
    text.write("\n".join(["نعم لا موعد اليوم غدا", "من ما لا نعم دوام", "غدا موعد نعم ما يوم"] * 20))
    text.flush()
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        input=text.name, model_writer=model, vocab_size=PIECES, model_type="bpe", bos_id=-1, eos_id=-1, unk_id=0,
        normalization_rule_name="identity", minloglevel=2)
    return model.getvalue()


def archive(path, config, weights, pieces, prefix="./", packed=False):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        if prefix:
            folder = tarfile.TarInfo("./")
            folder.type, folder.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(folder)
        model = config["tokenizer"]["model_path"].removeprefix("nemo:")
        for name, data in [("model_weights.ckpt", weights), ("model_config.yaml", yaml.safe_dump(config).encode()),
                           (model, pieces)]:
            info = tarfile.TarInfo(prefix + name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    data = out.getvalue()
    path.write_bytes(gzip.compress(data, mtime=0) if packed else data)


def saved(state, legacy):
    out = io.BytesIO()
    torch.save(state, out, _use_new_zipfile_serialization=not legacy)
    return out.getvalue()


def shared_views(state):
    """The same tensors as views of one storage, the matrices among them transposed in memory."""
    size = sum(w.numel() for w in state.values() if w.is_floating_point())
    whole, at, out = torch.empty(size + 5), 5, type(state)()
    for name, w in state.items():
        if not w.is_floating_point():
            out[name] = w
            continue
        place = whole[at:at + w.numel()]
        view = place.view(w.shape[1], w.shape[0]).t() if w.dim() == 2 else place.view(w.shape)
        view.copy_(w)
        out[name], at = view, at + w.numel()
    return out


def rounded(tensor):
    return [[float(f"{v:.6g}") for v in row] for row in tensor.tolist()]


def make(name, config, heads=("rnnt", "ctc"), durations=(), dtype=torch.float32, legacy=False, prefix="./", packed=False,
         views=False):
    torch.manual_seed(7)
    c = config["encoder"]
    c["feat_in"] = config["preprocessor"]["features"]
    model = nn.Module()
    model.encoder = Encoder(c)
    width = c["feat_out"] if c["feat_out"] > 0 else c["d_model"]
    if "rnnt" in heads:
        transducer = Transducer(config, width, len(durations))
        model.decoder, model.joint = transducer.decoder, transducer.joint
    else:
        config["decoder"] = {"_target_": "nemo.collections.asr.modules.ConvASRDecoder", "feat_in": width,
                             "num_classes": PIECES}
        del config["joint"]
    ctc = nn.ModuleDict({"decoder_layers": nn.Sequential(nn.Conv1d(width, PIECES + 1, 1))})
    if "ctc" in heads:
        setattr(model, "ctc_decoder" if "rnnt" in heads else "decoder", ctc)
    if durations:
        config["decoding"]["durations"], config["decoding"]["model_type"] = list(durations), "tdt"
    state = model.state_dict()
    randomise(state, torch.Generator().manual_seed(sum(map(ord, name))))
    if not c["untie_biases"]:
        for i in range(1, c["n_layers"]):
            for bias in ("pos_bias_u", "pos_bias_v"):
                state[f"encoder.layers.{i}.self_attn.{bias}"].copy_(state[f"encoder.layers.0.self_attn.{bias}"])
    stored = type(state)((k, v.to(dtype) if v.is_floating_point() else v) for k, v in state.items())
    model.load_state_dict({k: v.float() if v.is_floating_point() else v for k, v in stored.items()})
    stored["preprocessor.featurizer.window"] = torch.hann_window(400, periodic=False)
    stored["preprocessor.featurizer.fb"] = torch.zeros(1, c["feat_in"], 257)
    if views:
        stored = shared_views(stored)
    archive(HERE / f"{name}.nemo", config, saved(stored, legacy), tokenizer(), prefix, packed)

    model.eval()
    x = functional.pad(features(c["feat_in"], FRAMES), (0, 1))[None]
    with torch.no_grad():
        encoded = model.encoder(x, FRAMES)
        expected = {"bands": c["feat_in"], "frames": FRAMES}
        if "rnnt" in heads:
            projected, expected["rnnt"] = transducer.greedy(encoded, list(durations))
            expected["joint"] = rounded(projected)
        if "ctc" in heads:
            expected["ctc"] = rounded(ctc["decoder_layers"](encoded.t()[None])[0].t().log_softmax(-1))
    (HERE / f"{name}.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")
    print(name, tuple(encoded.shape), expected.get("rnnt"))


def main():
    make("hybrid", configuration())
    make("tdt", configuration(encoder__use_bias=False, encoder__xscaling=False, preprocessor__features=24,
                              decoder__prednet__pred_rnn_layers=2), heads=("rnnt",), durations=range(5), legacy=True)
    make("ctc", configuration(encoder__subsampling="striding", encoder__subsampling_factor=4,
                              encoder__conv_kernel_size=15, preprocessor__normalize="all_features"),
         heads=("ctc",), dtype=torch.float16)
    make("streaming", configuration(
        encoder__causal_downsampling=True, encoder__conv_context_size="causal", encoder__conv_norm_type="layer_norm",
        encoder__att_context_style="chunked_limited", encoder__att_context_size=[[6, 2], [6, 0]],
        encoder__untie_biases=False, encoder__n_layers=3, preprocessor__normalize="NA"), dtype=torch.bfloat16)
    make("limited", configuration(
        encoder__att_context_size=[4, 2], encoder__subsampling="striding", encoder__causal_downsampling=True,
        encoder__conv_context_size=[6, 2], encoder__feat_out=10, joint__jointnet__activation="tanh",
        joint__jointnet__dropout=None, tokenizer__model_path="tokenizer.model"), prefix="", packed=True)
    make("views", configuration(encoder__n_layers=1), views=True)


if __name__ == "__main__":
    main()
