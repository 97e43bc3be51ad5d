"""The FastConformer hybrid in plain PyTorch: NeMo 2.7.3's arithmetic under NeMo's parameter names.

Rekesh et al. 2023 (arXiv:2305.05084): 8-fold subsampling by depthwise-separable convolutions, Conformer layers with
relative positions (Gulati et al. 2020, Dai et al. 2019), an LSTM prediction network, a joint, and a CTC head.
Shapes: B utterances, T frames of 80 ms, D width, U labels, V labels in the vocabulary; blank is V, the last.
"""

import dataclasses
import math

import torch
import torch.nn.functional as F
from torch import nn


@dataclasses.dataclass
class Size:
    layers: int = 8
    width: int = 144
    heads: int = 4
    kernel: int = 9
    channels: int = 64  # of the subsampling
    hidden: int = 160  # of prediction network and joint
    vocabulary: int = 256
    dropout: float = 0.0  # augmentation regularizes instead; drawing masks costs a tenth of the time


SMALL = Size()
LARGE = Size(layers=16, width=256, hidden=320, channels=128)  # only with a GPU (gpu.py), and from scratch


def inside(lengths, frames):
    """True for valid frames [B, T]."""
    return torch.arange(frames, device=lengths.device)[None] < lengths[:, None]


class Subsampling(nn.Module):
    """Mel [B, 80, L] -> [B, T, D], T = ceil(L / 8); frames after the end are zero before every convolution."""

    def __init__(self, s):
        super().__init__()
        c = s.channels
        depthwise = lambda: nn.Conv2d(c, c, 3, 2, 1, groups=c)
        self.conv = nn.Sequential(nn.Conv2d(1, c, 3, 2, 1), nn.ReLU(), depthwise(), nn.Conv2d(c, c, 1), nn.ReLU(),
                                  depthwise(), nn.Conv2d(c, c, 1), nn.ReLU())
        self.out = nn.Linear(c * 10, s.width)

    def forward(self, mel, lengths):
        x = mel.transpose(1, 2)[:, None]
        for layer in self.conv:
            if isinstance(layer, nn.Conv2d):
                x = layer(x * inside(lengths, x.shape[2])[:, None, :, None])
                if layer.stride[0] == 2:
                    lengths = (lengths - 1) // 2 + 1
            else:
                x = layer(x)
        b, _, t, _ = x.shape
        return self.out(x.transpose(1, 2).reshape(b, t, -1)), lengths


def positions(t, width, device):
    """Sines and cosines of the relative positions T-1 .. -(T-1): [2T-1, D]."""
    at = torch.arange(t - 1, -t, -1, dtype=torch.float32, device=device)[:, None]
    rate = torch.exp(torch.arange(0, width, 2, dtype=torch.float32, device=device) * -(math.log(10000.0) / width))
    return torch.stack([torch.sin(at * rate), torch.cos(at * rate)], 2).reshape(2 * t - 1, width)


class Attention(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.heads, self.each, self.dropout = s.heads, s.width // s.heads, s.dropout
        self.linear_q, self.linear_k, self.linear_v, self.linear_out = (nn.Linear(s.width, s.width) for _ in range(4))
        self.linear_pos = nn.Linear(s.width, s.width, bias=False)
        self.pos_bias_u = nn.Parameter(torch.zeros(s.heads, self.each))
        self.pos_bias_v = nn.Parameter(torch.zeros(s.heads, self.each))

    def forward(self, x, where, valid):
        b, t, d = x.shape
        split = lambda y: y.view(y.shape[0], -1, self.heads, self.each).transpose(1, 2)  # [B, H, T, D/H]
        q, k, v = split(self.linear_q(x)), split(self.linear_k(x)), split(self.linear_v(x))
        p = split(self.linear_pos(where)[None])
        by_content = (q + self.pos_bias_u[:, None]) @ k.transpose(2, 3)
        by_place = (q + self.pos_bias_v[:, None]) @ p.transpose(2, 3)  # [B, H, T, 2T-1]
        shifted = F.pad(by_place, (1, 0)).view(b, self.heads, 2 * t, t)[:, :, 1:].reshape(b, self.heads, t, 2 * t - 1)
        scores = (by_content + shifted[..., :t]) / math.sqrt(self.each)
        hidden = ~valid[:, None, None]
        weights = scores.masked_fill(hidden, -10000.0).softmax(3).masked_fill(hidden, 0.0)
        weights = F.dropout(weights, self.dropout, self.training)
        return self.linear_out((weights @ v).transpose(1, 2).reshape(b, t, d))


class Convolution(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.pointwise_conv1 = nn.Conv1d(s.width, 2 * s.width, 1)
        self.depthwise_conv = nn.Conv1d(s.width, s.width, s.kernel, padding=s.kernel // 2, groups=s.width)
        self.batch_norm = nn.BatchNorm1d(s.width)
        self.pointwise_conv2 = nn.Conv1d(s.width, s.width, 1)

    def forward(self, x, valid):
        x = F.glu(self.pointwise_conv1(x.transpose(1, 2)), 1) * valid[:, None]
        return self.pointwise_conv2(F.silu(self.batch_norm(self.depthwise_conv(x)))).transpose(1, 2)


class FeedForward(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(s.width, 4 * s.width), nn.Linear(4 * s.width, s.width)
        self.dropout = s.dropout

    def forward(self, x):
        return self.linear2(F.dropout(F.silu(self.linear1(x)), self.dropout, self.training))


class Layer(nn.Module):
    def __init__(self, s):
        super().__init__()
        for name in ("feed_forward1", "self_att", "conv", "feed_forward2", "out"):
            setattr(self, f"norm_{name}", nn.LayerNorm(s.width))
        self.feed_forward1, self.feed_forward2 = FeedForward(s), FeedForward(s)
        self.self_attn, self.conv, self.dropout = Attention(s), Convolution(s), nn.Dropout(s.dropout)

    def forward(self, x, where, valid):
        x = x + 0.5 * self.dropout(self.feed_forward1(self.norm_feed_forward1(x)))
        x = x + self.dropout(self.self_attn(self.norm_self_att(x), where, valid))
        x = x + self.dropout(self.conv(self.norm_conv(x), valid))
        x = x + 0.5 * self.dropout(self.feed_forward2(self.norm_feed_forward2(x)))
        return self.norm_out(x)


class Encoder(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.pre_encode, self.dropout = Subsampling(s), nn.Dropout(s.dropout)
        self.layers = nn.ModuleList(Layer(s) for _ in range(s.layers))

    def forward(self, mel, lengths):
        """mel [B, 80, L], lengths [B] in frames of 10 ms -> [B, T, D], lengths [B] in frames of 80 ms."""
        x, lengths = self.pre_encode(mel, lengths)
        valid = inside(lengths, x.shape[1])
        x, where = self.dropout(x), positions(x.shape[1], x.shape[2], x.device)
        for layer in self.layers:
            x = layer(x, where, valid)
        return x, lengths


class Prediction(nn.Module):
    """Labels [B, U] -> [B, U+1, H]: state before the first label, and after each."""

    def __init__(self, s):
        super().__init__()
        self.prediction = nn.ModuleDict({
            "embed": nn.Embedding(s.vocabulary + 1, s.hidden, padding_idx=s.vocabulary),
            "dec_rnn": nn.ModuleDict({"lstm": nn.LSTM(s.hidden, s.hidden, batch_first=True)})})
        self.dropout = nn.Dropout(0.2)

    def forward(self, labels):
        x = F.pad(self.prediction["embed"](labels), (0, 0, 1, 0))
        return self.dropout(self.prediction["dec_rnn"]["lstm"](x)[0])


class Joint(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.enc, self.pred = nn.Linear(s.width, s.hidden), nn.Linear(s.hidden, s.hidden)
        self.joint_net = nn.Sequential(nn.ReLU(), nn.Dropout(0.2), nn.Linear(s.hidden, s.vocabulary + 1))

    def forward(self, encoded, predicted):
        """[B, T, D] and [B, U+1, H] -> logits [B, T, U+1, V+1]."""
        return self.joint_net(self.enc(encoded)[:, :, None] + self.pred(predicted)[:, None])


class CTCHead(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.decoder_layers = nn.Sequential(nn.Conv1d(s.width, s.vocabulary + 1, 1))

    def forward(self, encoded):
        """[B, T, D] -> log-probabilities [B, T, V+1]."""
        return self.decoder_layers(encoded.transpose(1, 2)).transpose(1, 2).log_softmax(2)


class Hybrid(nn.Module):
    def __init__(self, s=SMALL):
        super().__init__()
        self.size = s
        self.encoder, self.decoder, self.joint, self.ctc_decoder = Encoder(s), Prediction(s), Joint(s), CTCHead(s)
