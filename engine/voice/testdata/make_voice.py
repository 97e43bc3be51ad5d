"""Makes tiny.onnx and, with the argument medium, a voice of the size of Piper's medium ones, both with random weights.

The networks and the way they are exported are those of the package piper-tts (GPL), which is run here as a tool and is
no part of this program. Needs PyTorch and piper-tts:

    python make_voice.py PIPER_FOLDER tiny|medium OUT.onnx

PIPER_FOLDER is the folder of the package piper.
"""

import sys
import types

import torch

folder, size, out = sys.argv[1:]
networks = types.ModuleType("vits")  # the networks without the package's training
networks.__path__ = [folder + "/train/vits"]
sys.modules["vits"] = networks
sys.modules["vits.monotonic_align"] = types.ModuleType("vits.monotonic_align")

from vits.models import SynthesizerTrn  # noqa: E402

SHAPES = {  # channels, filter channels, first channels of the decoder, layers, kernels and dilations, symbols
    "tiny": (16, 16, 16, 1, (3,), ((1, 2),), 166),
    "medium": (192, 768, 256, 6, (3, 5, 7), ((1, 2), (2, 6), (3, 12)), 256),
}
channels, filters, first, layers, kernels, dilations, symbols = SHAPES[size]
torch.manual_seed(1234)
net = SynthesizerTrn(
    n_vocab=symbols, spec_channels=513, segment_size=32, inter_channels=channels, hidden_channels=channels,
    filter_channels=filters, n_heads=2, n_layers=layers, kernel_size=3, p_dropout=0.1, resblock="2",
    resblock_kernel_sizes=kernels, resblock_dilation_sizes=dilations, upsample_rates=(8, 8, 4),
    upsample_initial_channel=first, upsample_kernel_sizes=(16, 16, 8), n_speakers=1, gin_channels=0, use_sdp=True,
)
net.eval()
with torch.no_grad():
    net.dec.remove_weight_norm()
    for weight in net.dec.parameters():
        if weight.dim() == 3:
            weight.mul_(3.0)  # random weights are nearly silent


def infer(text, text_lengths, scales, sid=None):
    sound = net.infer(text, text_lengths, noise_scale=scales[0], length_scale=scales[1], noise_scale_w=scales[2], sid=sid)
    return sound[0].unsqueeze(1)


net.forward = infer
torch.onnx.export(
    net, (torch.randint(0, symbols, (1, 50)), torch.LongTensor([50]), torch.FloatTensor([0.667, 1.0, 0.8]), None), out,
    opset_version=15, dynamo=False, input_names=["input", "input_lengths", "scales", "sid"], output_names=["output"],
    dynamic_axes={
        "input": {0: "batch_size", 1: "phonemes"}, "input_lengths": {0: "batch_size"}, "output": {0: "batch_size", 2: "time"},
    },
)
