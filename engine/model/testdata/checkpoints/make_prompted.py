#!/usr/bin/env python3
"""Makes prompted.nemo and prompted.json with NeMo itself: a small cache-aware model with language prompts.

    make_prompted.py     needs nemo_toolkit[asr] 3.0

The model has the shape of NVIDIA's multilingual streaming models in small: chunked attention over 56 earlier frames,
chunks of 80 to 1,120 ms, two LSTM layers, a prompt kernel, pieces for language tags. prompted.json holds NeMo's results
for the synthetic spectrogram of make.py: for each language offline with the usual context, and with each of the
contexts streamed and whole; the encoder's output in the joint's space, the CTC head's log-probabilities, greedy tokens.
"""

import io
import json
import pathlib
import tempfile

import sentencepiece
import torch
from make import features
from nemo.collections.asr.models import EncDecHybridRNNTCTCBPEModelWithPrompt
from nemo.collections.asr.parts.utils.streaming_utils import CacheAwareStreamingAudioBuffer
from omegaconf import OmegaConf

HERE = pathlib.Path(__file__).parent
FRAMES, BANDS, WIDTH = 281, 16, 16
BLANK = 12  # added to the blank's score: most frames have no label or a few, as in speech
torch.set_num_threads(1)
CONTEXTS = [[56, 13], [56, 6], [56, 3], [56, 1], [56, 0]]
PROMPTS = {"en-US": 0, "en": 0, "ar-AR": 3, "ar": 3, "auto": 5}
MODULE = "nemo.collections.asr.modules."


def tokenizer():
    """A SentencePiece model with a piece for each language's tag."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["نعم لا موعد اليوم غدا", "yes no today", "غدا موعد نعم ما يوم"] * 20), model_writer=model,
        vocab_size=40, model_type="bpe", bos_id=-1, eos_id=-1, unk_id=0, normalization_rule_name="identity",
        user_defined_symbols=["<ar-AR>", "<en-US>"], minloglevel=2)
    return model.getvalue()


def config(pieces):
    return OmegaConf.create({
        "sample_rate": 16000, "compute_eval_loss": False, "log_prediction": False, "skip_nan_grad": False,
        "subsampling_factor": 8,
        "model_defaults": {
            "enc_hidden": WIDTH, "pred_hidden": 12, "joint_hidden": 12, "initialize_prompt_feature": True,
            "num_prompts": 8, "prompt_dictionary": PROMPTS},
        "tokenizer": {"dir": str(pieces), "type": "bpe"},
        "preprocessor": {
            "_target_": MODULE + "AudioToMelSpectrogramPreprocessor", "sample_rate": 16000, "normalize": "NA",
            "window_size": 0.025, "window_stride": 0.01, "window": "hann", "features": BANDS, "n_fft": 512, "pad_to": 0},
        "encoder": {
            "_target_": MODULE + "ConformerEncoder", "feat_in": BANDS, "feat_out": -1, "n_layers": 2, "d_model": WIDTH,
            "subsampling": "dw_striding", "subsampling_factor": 8, "subsampling_conv_channels": 4,
            "causal_downsampling": True, "ff_expansion_factor": 2, "self_attention_model": "rel_pos", "n_heads": 2,
            "att_context_size": CONTEXTS, "att_context_style": "chunked_limited", "xscaling": False, "use_bias": False,
            "untie_biases": True, "pos_emb_max_len": 64, "conv_kernel_size": 9, "conv_norm_type": "layer_norm",
            "conv_context_size": "causal"},
        "decoder": {
            "_target_": MODULE + "RNNTDecoder", "blank_as_pad": True,
            "prednet": {"pred_hidden": 12, "pred_rnn_layers": 2, "dropout": 0.0}},
        "joint": {
            "_target_": MODULE + "RNNTJoint", "fuse_loss_wer": False,
            "jointnet": {"joint_hidden": 12, "activation": "relu", "dropout": 0.0}},
        "decoding": {"strategy": "greedy", "greedy": {"max_symbols": 10}, "strip_lang_tags": True},
        "aux_ctc": {
            "ctc_loss_weight": 0.3, "use_cer": False, "ctc_reduction": "mean_batch",
            "decoder": {"_target_": MODULE + "ConvASRDecoder", "feat_in": None, "num_classes": -1, "vocabulary": []},
            "decoding": {"strategy": "greedy"}},
        "loss": {"loss_name": "default"}, "optim": {"name": "adamw", "lr": 1e-3}})


def build():
    """The model, with no bias and no norm at its initial 0 or 1, and prompts that change the tokens."""
    torch.manual_seed(5)
    with tempfile.TemporaryDirectory() as folder:
        pieces = pathlib.Path(folder)
        (pieces / "tokenizer.model").write_bytes(tokenizer())
        (pieces / "vocab.txt").write_text("a\n")
        model = EncDecHybridRNNTCTCBPEModelWithPrompt(cfg=config(pieces), trainer=None).eval()
        with torch.no_grad():
            for name, p in model.named_parameters():
                if p.ndim == 1 or "pos_bias" in name:
                    p.add_(torch.randn(p.shape) * 0.2)
            model.prompt_kernel[0].weight[:, WIDTH:] *= 12
            for layer in (model.prompt_kernel[2], model.joint.enc, model.joint.pred, model.joint.joint_net[-1]):
                layer.weight *= 3
            model.decoder.prediction.embed.weight *= 4
            model.joint.joint_net[-1].bias[-1] += BLANK
        model.save_to(str(HERE / "prompted.nemo"))
    return model


def stream(model, mel, language):
    """The prompted encoder's output [1, D, T'] step by step."""
    model.set_inference_prompt(language)
    buffer = CacheAwareStreamingAudioBuffer(model=model, online_normalization=False, pad_and_drop_preencoded=False)
    buffer.append_processed_signal(mel, stream_id=-1)
    channel, time, length = model.encoder.get_initial_cache_state(batch_size=1)
    parts = []
    for step, (chunk, valid) in enumerate(buffer):
        out, n, channel, time, length = model.encoder.cache_aware_stream_step(
            processed_signal=chunk, processed_signal_length=valid, cache_last_channel=channel, cache_last_time=time,
            cache_last_channel_len=length, keep_all_outputs=buffer.is_buffer_empty(),
            drop_extra_pre_encoded=0 if step == 0 else model.encoder.streaming_cfg.drop_extra_pre_encoded)
        parts.append(model._apply_prompt_to_encoded(out[:, :, :n[0]]))
    return torch.cat(parts, dim=2)


def tokens(model, encoded):
    hypothesis = model.decoding.rnnt_decoder_predictions_tensor(
        encoder_output=encoded, encoded_lengths=torch.tensor([encoded.shape[2]]), return_hypotheses=True)[0]
    return [int(t) for t in hypothesis.y_sequence], hypothesis.text


def rows(x):
    return [[round(v, 5) for v in row] for row in x[0].tolist()]


@torch.no_grad()
def main():
    model = build()
    mel = features(BANDS, FRAMES)[None]
    results = []
    for language in ("ar", "en", "auto"):
        model.encoder.set_default_att_context_size(CONTEXTS[0])
        offline, _ = model.forward(processed_signal=mel, processed_signal_length=torch.tensor([FRAMES]),
                                   prompt_indices=torch.tensor([PROMPTS[language]]))
        found, text = tokens(model, offline)
        result = {"language": language, "offline": rows(model.joint.enc(offline.transpose(1, 2))), "tokens": found,
                  "text": text, "ctc": rows(model.ctc_decoder(encoder_output=offline)), "streamed": []}
        print(language, offline.shape, found, text)
        for context in CONTEXTS:
            model.encoder.set_default_att_context_size(context)
            out = stream(model, mel, language)
            whole, _ = model.forward(processed_signal=mel, processed_signal_length=torch.tensor([FRAMES]),
                                     prompt_indices=torch.tensor([PROMPTS[language]]))
            result["streamed"].append({"context": context, "joint": rows(model.joint.enc(out.transpose(1, 2))),
                                       "whole": rows(model.joint.enc(whole.transpose(1, 2))),
                                       "tokens": tokens(model, out)[0]})
        results.append(result)
    expected = {"bands": BANDS, "frames": FRAMES, "results": results}
    (HERE / "prompted.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")


main()
