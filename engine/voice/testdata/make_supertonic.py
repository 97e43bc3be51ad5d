"""Makes the voice in the folder characters: networks with the interface and sizes of Supertonic 3, few layers and random
weights.

What the networks take and give is read off Supertonic's own runtime, the package supertonic (MIT), which plays the peer
in the tests. Needs PyTorch and onnx:

    python make_supertonic.py FOLDER
"""

import json
import pathlib
import sys

import torch
from torch import nn

RATE, CHUNK, CHUNKS, SIZE = 44100, 512, 6, 24  # Hz, samples, steps joined in one of the latent, its size
TEXT_STYLE, LENGTH_STYLE = (1, 50, 256), (1, 8, 16)
WIDTH, CHARACTERS = 16, 0x700
folder = pathlib.Path(sys.argv[1])
torch.manual_seed(4321)

ids, count = [], 0
for code in range(CHARACTERS):
    known = 32 <= code < 127 or 0x600 <= code < CHARACTERS
    ids.append(count if known else -1)
    count += known


class Encoder(nn.Module):
    """Characters and a style to [1, WIDTH, T]."""

    def __init__(self, style):
        super().__init__()
        self.embed, self.conv = nn.Embedding(count, WIDTH), nn.Conv1d(WIDTH, WIDTH, 3, padding=1)
        self.style = nn.Linear(style, WIDTH)

    def forward(self, text_ids, style, text_mask):
        x = self.embed(text_ids).transpose(1, 2) * text_mask
        return torch.tanh(self.conv(x) + self.style(style).mean(1).unsqueeze(2)) * text_mask


class Duration(nn.Module):
    """Seconds of a sentence, some 60 ms a character."""

    def __init__(self):
        super().__init__()
        self.encode, self.out = Encoder(LENGTH_STYLE[2]), nn.Conv1d(WIDTH, 1, 1)

    def forward(self, text_ids, style_dp, text_mask):
        x = torch.sigmoid(self.out(self.encode(text_ids, style_dp, text_mask)))
        return (0.12 * x * text_mask).sum((1, 2))


class Vector(nn.Module):
    """One step from noise to a latent, which attends to the text."""

    def __init__(self):
        super().__init__()
        self.ask, self.answer = nn.Conv1d(CHUNKS * SIZE, WIDTH, 1), nn.Conv1d(WIDTH, CHUNKS * SIZE, 1)
        self.style = nn.Linear(TEXT_STYLE[2], WIDTH)

    def forward(self, noisy_latent, text_emb, style_ttl, text_mask, latent_mask, current_step, total_step):
        place = torch.cumsum(latent_mask, 2) / latent_mask.sum(2, keepdim=True)
        asked = self.ask(noisy_latent) + self.style(style_ttl).mean(1).unsqueeze(2) + torch.sin(40 * place)
        near = torch.softmax(asked.transpose(1, 2) @ text_emb + (text_mask - 1) * 1e4, 2)
        heard = text_emb @ near.transpose(1, 2)
        time = ((current_step + 1) / total_step).reshape(-1, 1, 1)
        return (noisy_latent + torch.tanh(self.answer(asked * heard)) * time) * latent_mask


class Vocoder(nn.Module):
    """Latents to samples."""

    def __init__(self):
        super().__init__()
        self.out = nn.ConvTranspose1d(SIZE, 1, CHUNK, stride=CHUNK)

    def forward(self, latent):
        x = latent.reshape(latent.shape[0], SIZE, CHUNKS, -1).transpose(2, 3)
        return torch.tanh(self.out(x.reshape(latent.shape[0], SIZE, -1)).squeeze(1))


def export(name, network, inputs, output, **given):
    axes = {n: {i: f"{n}_{i}" for i in range(given[n].dim())} for n in inputs}
    torch.onnx.export(
        network.eval(), tuple(given[n] for n in inputs), folder / f"{name}.onnx", opset_version=17, dynamo=False,
        input_names=inputs, output_names=[output], dynamic_axes=axes | {output: {0: "batch"}},
    )


def write_style(path):
    style = {}
    for name, dims in (("style_ttl", TEXT_STYLE), ("style_dp", LENGTH_STYLE)):
        data = [[[round(x, 2) for x in row] for row in part] for part in torch.randn(dims).tolist()]
        style[name] = {"dims": list(dims), "data": data, "type": "float32"}
    path.write_text(json.dumps(style))


text, mask = torch.randint(0, count, (1, 30)), torch.ones(1, 1, 30)
latent, parts = torch.randn(1, CHUNKS * SIZE, 11), torch.ones(1, 1, 11)
own, length, one = torch.randn(TEXT_STYLE), torch.randn(LENGTH_STYLE), torch.ones(1)
export("duration_predictor", Duration(), ["text_ids", "style_dp", "text_mask"], "duration", text_ids=text, style_dp=length,
       text_mask=mask)
export("text_encoder", Encoder(TEXT_STYLE[2]), ["text_ids", "style_ttl", "text_mask"], "text_emb", text_ids=text,
       style_ttl=own, text_mask=mask)
export("vector_estimator", Vector(), ["noisy_latent", "text_emb", "style_ttl", "text_mask", "latent_mask", "current_step",
       "total_step"], "denoised_latent", noisy_latent=latent, text_emb=torch.randn(1, WIDTH, 30), style_ttl=own,
       text_mask=mask, latent_mask=parts, current_step=one, total_step=8 * one)
export("vocoder", Vocoder(), ["latent"], "wav_tts", latent=latent)
write_style(folder / "style.json")
(folder / "tts.json").write_text(json.dumps({
    "ae": {"sample_rate": RATE, "base_chunk_size": CHUNK},
    "ttl": {"chunk_compress_factor": CHUNKS, "latent_dim": SIZE},
}))
(folder / "unicode_indexer.json").write_text(json.dumps(ids))
