#!/usr/bin/env python3
"""Makes cached.nemo, cached.json and the folder cached with NeMo itself: a small cache-aware model of random weights.

    make_cached.py     needs nemo_toolkit[asr] 2.7

cached.json holds, for each attention context, NeMo's results for the synthetic spectrogram of make.py: the encoder's
output in the joint's space, offline (one run with the mask) and by cache_aware_stream_step, and the CTC head's
log-probabilities of the latter. The folder is NeMo's export with cache_support for the context [12, 2], "exported"
ONNX Runtime's results with it.
"""

import json
import pathlib
import tempfile

import onnxruntime
import torch
from make import features, tokenizer
from nemo.collections.asr.models import EncDecHybridRNNTCTCBPEModel
from nemo.collections.asr.parts.utils.streaming_utils import CacheAwareStreamingAudioBuffer
from omegaconf import OmegaConf

HERE = pathlib.Path(__file__).parent
FRAMES = 213
BANDS = 16
CONTEXTS = [[12, 2], [12, 5], [12, 1], [12, 0]]


def config(pieces):
    module = "nemo.collections.asr.modules."
    return OmegaConf.create({
        "sample_rate": 16000, "compute_eval_loss": False, "log_prediction": False, "skip_nan_grad": False,
        "model_defaults": {"enc_hidden": 16, "pred_hidden": 12, "joint_hidden": 12},
        "tokenizer": {"dir": str(pieces), "type": "bpe"},
        "preprocessor": {
            "_target_": module + "AudioToMelSpectrogramPreprocessor", "sample_rate": 16000, "normalize": "NA",
            "window_size": 0.025, "window_stride": 0.01, "window": "hann", "features": BANDS, "n_fft": 512, "pad_to": 0},
        "encoder": {
            "_target_": module + "ConformerEncoder", "feat_in": BANDS, "feat_out": -1, "n_layers": 3, "d_model": 16,
            "subsampling": "dw_striding", "subsampling_factor": 8, "subsampling_conv_channels": 4,
            "causal_downsampling": True, "ff_expansion_factor": 2, "self_attention_model": "rel_pos", "n_heads": 2,
            "att_context_size": CONTEXTS, "att_context_style": "chunked_limited", "xscaling": False,
            "untie_biases": True, "pos_emb_max_len": 64, "conv_kernel_size": 9, "conv_norm_type": "layer_norm",
            "conv_context_size": "causal"},
        "decoder": {
            "_target_": module + "RNNTDecoder", "blank_as_pad": True,
            "prednet": {"pred_hidden": 12, "pred_rnn_layers": 1, "dropout": 0.0}},
        "joint": {
            "_target_": module + "RNNTJoint", "fuse_loss_wer": False,
            "jointnet": {"joint_hidden": 12, "activation": "relu", "dropout": 0.0}},
        "decoding": {"strategy": "greedy", "greedy": {"max_symbols": 10}},
        "aux_ctc": {
            "ctc_loss_weight": 0.3, "use_cer": False, "ctc_reduction": "mean_batch",
            "decoder": {"_target_": module + "ConvASRDecoder", "feat_in": None, "num_classes": -1, "vocabulary": []},
            "decoding": {"strategy": "greedy"}},
        "loss": {"loss_name": "default"}, "optim": {"name": "adamw", "lr": 1e-3}})


def build():
    """The model, with no bias and no norm at its initial 0 or 1."""
    torch.manual_seed(3)
    with tempfile.TemporaryDirectory() as folder:
        pieces = pathlib.Path(folder)
        (pieces / "tokenizer.model").write_bytes(tokenizer())
        (pieces / "vocab.txt").write_text("a\n")
        model = EncDecHybridRNNTCTCBPEModel(cfg=config(pieces), trainer=None).eval()
        with torch.no_grad():
            for name, p in model.named_parameters():
                if p.ndim == 1 or "pos_bias" in name:
                    p.add_(torch.randn(p.shape) * 0.2)
        model.save_to(str(HERE / "cached.nemo"))
    return model


def stream(model, mel):
    """The encoder's output [1, D, T'] step by step."""
    buffer = CacheAwareStreamingAudioBuffer(model=model, online_normalization=False, pad_and_drop_preencoded=False)
    buffer.append_processed_signal(mel, stream_id=-1)
    channel, time, length = model.encoder.get_initial_cache_state(batch_size=1)
    parts = []
    for step, (chunk, valid) in enumerate(buffer):
        out, n, channel, time, length = model.encoder.cache_aware_stream_step(
            processed_signal=chunk, processed_signal_length=valid, cache_last_channel=channel, cache_last_time=time,
            cache_last_channel_len=length, keep_all_outputs=buffer.is_buffer_empty(),
            drop_extra_pre_encoded=0 if step == 0 else model.encoder.streaming_cfg.drop_extra_pre_encoded)
        parts.append(out[:, :, :n[0]])
    return torch.cat(parts, dim=2)


def run_export(model, mel):
    """Runs the exported encoder; it always drops frames, so that the first chunk is preceded by silence."""
    session = onnxruntime.InferenceSession(str(HERE / "cached" / "encoder-model.onnx"))
    buffer = CacheAwareStreamingAudioBuffer(model=model, online_normalization=False, pad_and_drop_preencoded=True)
    buffer.append_processed_signal(mel, stream_id=-1)
    caches = [c.transpose(0, 1) if c.dim() > 1 else c for c in model.encoder.get_initial_cache_state(batch_size=1)]
    parts = []
    for chunk, valid in buffer:
        names = [i.name for i in session.get_inputs()]
        out, n, *caches = session.run(None, dict(zip(names, [x.numpy() for x in (chunk, valid)] + [
            c if not isinstance(c, torch.Tensor) else c.numpy() for c in caches])))
        parts.append(torch.from_numpy(out[:, :, :n[0]]))
    return rows(model.joint.enc(torch.cat(parts, dim=2).transpose(1, 2)))


def rows(x):
    return [[round(v, 6) for v in row] for row in x[0].tolist()]


@torch.no_grad()
def main():
    model = build()
    mel = features(BANDS, FRAMES)[None]
    results = []
    for context in CONTEXTS:
        model.encoder.set_default_att_context_size(context)
        offline, _ = model.encoder(audio_signal=mel, length=torch.tensor([FRAMES]))
        streamed = stream(model, mel)
        results.append({
            "context": context, "offline": rows(model.joint.enc(offline.transpose(1, 2))),
            "streamed": rows(model.joint.enc(streamed.transpose(1, 2))),
            "ctc": rows(model.ctc_decoder(encoder_output=streamed))})
        print(context, offline.shape, streamed.shape,
              float((offline[:, :, :streamed.shape[2]] - streamed[:, :, :offline.shape[2]]).abs().max()))
    export(model)
    expected = {"bands": BANDS, "frames": FRAMES, "contexts": results, "exported": run_export(model, mel)}
    (HERE / "cached.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")


def export(model):
    model.encoder.set_default_att_context_size(CONTEXTS[0])
    model.set_export_config({"cache_support": "True"})
    folder = HERE / "cached"
    folder.mkdir(exist_ok=True)
    model.export(str(folder / "model.onnx"))
    pieces = [model.tokenizer.ids_to_tokens([i])[0] for i in range(model.tokenizer.vocab_size)]
    lines = [f"{piece} {i}" for i, piece in enumerate([*pieces, "<blk>"])]
    (folder / "vocab.txt").write_text("\n".join(lines) + "\n")


main()
