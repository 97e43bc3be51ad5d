"""A NeMo checkpoint of the trained weights, for shapes without an exported graph to fill.

The network has NeMo's parameter names, so its state is what NeMo's EncDecHybridRNNTCTCBPEModel saves: `munadi model
import` writes the graphs for it, and NeMo restores it.
"""

import io
import json
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

import torch

from . import features, model as net


def size_of(state):
    """Returns the shape of a network from its weights."""
    return net.Size(layers=len({name.split(".")[2] for name in state if name.startswith("encoder.layers.")}),
                    width=state["encoder.pre_encode.out.bias"].shape[0],
                    heads=state["encoder.layers.0.self_attn.pos_bias_u"].shape[0],
                    kernel=state["encoder.layers.0.conv.depthwise_conv.weight"].shape[2],
                    channels=state["encoder.pre_encode.conv.0.bias"].shape[0], hidden=state["joint.enc.bias"].shape[0],
                    vocabulary=state["ctc_decoder.decoder_layers.0.bias"].shape[0] - 1)


def config(size, pieces):
    """model_config.yaml of NeMo 2.7.3, as JSON, which is YAML too; pieces are the vocabulary without the blank."""
    return {
        "sample_rate": features.RATE, "labels": pieces,
        "target": "nemo.collections.asr.models.hybrid_rnnt_ctc_bpe_models.EncDecHybridRNNTCTCBPEModel",
        "tokenizer": {"type": "bpe", "model_path": "nemo:tokenizer.model"},
        "preprocessor": {
            "sample_rate": features.RATE, "normalize": features.PREPROCESSOR["normalize"],
            "window_size": features.WINDOW / features.RATE, "window_stride": features.HOP / features.RATE,
            "window": features.PREPROCESSOR["window"], "features": features.BANDS, "n_fft": features.FFT, "pad_to": 0},
        "encoder": {
            "_target_": "nemo.collections.asr.modules.ConformerEncoder", "feat_in": features.BANDS, "feat_out": -1,
            "n_layers": size.layers, "d_model": size.width, "n_heads": size.heads, "subsampling": "dw_striding",
            "subsampling_factor": 8, "subsampling_conv_channels": size.channels, "causal_downsampling": False,
            "ff_expansion_factor": 4, "self_attention_model": "rel_pos", "att_context_size": [-1, -1],
            "xscaling": False, "untie_biases": True, "pos_emb_max_len": 5000, "conv_kernel_size": size.kernel,
            "conv_norm_type": "batch_norm"},
        "decoder": {"blank_as_pad": True, "vocab_size": size.vocabulary,
                    "prednet": {"pred_hidden": size.hidden, "pred_rnn_layers": 1}},
        "joint": {"num_classes": size.vocabulary, "vocabulary": pieces, "jointnet": {
            "joint_hidden": size.hidden, "activation": "relu", "dropout": 0.2, "encoder_hidden": size.width,
            "pred_hidden": size.hidden}},
        "decoding": {"strategy": "greedy", "greedy": {"max_symbols": 10}},
        "aux_ctc": {"decoder": {"feat_in": size.width, "num_classes": size.vocabulary, "vocabulary": pieces}},
    }


def add_file(archive, name, content):
    entry = tarfile.TarInfo(f"./{name}")
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def write(path, state, tokenizer):
    """Writes a .nemo file; tokenizer is the path of the SentencePiece model."""
    import sentencepiece

    model = sentencepiece.SentencePieceProcessor(model_file=str(tokenizer))
    pieces = [model.id_to_piece(at) for at in range(model.get_piece_size())]
    weights = io.BytesIO()
    torch.save(state, weights)
    with tarfile.open(path, "w") as archive:
        add_file(archive, "model_config.yaml", json.dumps(config(size_of(state), pieces), ensure_ascii=False).encode())
        add_file(archive, "tokenizer.model", pathlib.Path(tokenizer).read_bytes())
        add_file(archive, "model_weights.ckpt", weights.getvalue())


def import_into(folder, checkpoint, munadi, *options):
    """Returns the folder that `munadi model import` makes from a checkpoint."""
    with tempfile.TemporaryDirectory() as data:
        subprocess.run([str(munadi), "model", "import", str(checkpoint), "--data", data, "--name", folder.name, *options],
                       check=True)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(pathlib.Path(data) / "models" / folder.name, folder)
