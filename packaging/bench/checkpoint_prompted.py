"""A NeMo checkpoint of random weights in the shape of NVIDIA's multilingual streaming models with a prompt kernel.

24 layers of 1,024 with 8 heads over 128 mel filters, two LSTM layers, chunks of 80 to 1,120 ms, a transducer without CTC
head, 128 prompts: 620 M parameters. As in checkpoint.py the blank always wins, so that what is measured is the encoder.

    checkpoint_prompted.py FILE.nemo       needs numpy and onnx
"""

import pathlib
import sys
import tempfile

import checkpoint
import widen

PROMPTS = 128
LANGUAGES = {"en-US": 0, "en": 0, "ar-AR": 3, "ar": 3, "auto": 101}

checkpoint.MELS, checkpoint.WIDTH, checkpoint.LAYERS = 128, 1024, 24
widen.SIZES["d_k"] = checkpoint.WIDTH // widen.SIZES["heads"]
checkpoint.KINDS["streaming"]["encoder"]["att_context_size"] = [[56, 13], [56, 6], [56, 3], [56, 1], [56, 0]]
plain_config, plain_shapes = checkpoint.config, checkpoint.shapes


def config(kind, pieces):
    """model_config.yaml of a transducer with prompts."""
    out = plain_config(kind, pieces)
    del out["aux_ctc"]
    out["target"] = "nemo.collections.asr.models.rnnt_bpe_models_prompt.EncDecRNNTBPEModelWithPrompt"
    out["decoder"]["prednet"]["pred_rnn_layers"] = 2
    out["model_defaults"] = {"num_prompts": PROMPTS, "prompt_dictionary": LANGUAGES, "initialize_prompt_feature": True}
    return out


def shapes(kind):
    """Name → shape of every tensor."""
    width, hidden = checkpoint.WIDTH, checkpoint.HIDDEN
    out = {name: shape for name, shape in plain_shapes(kind).items() if not name.startswith("ctc_decoder")}
    lstm = "decoder.prediction.dec_rnn.lstm."
    out |= {lstm + name: (4 * hidden, hidden) for name in ("weight_ih_l1", "weight_hh_l1")}
    out |= {lstm + name: (4 * hidden,) for name in ("bias_ih_l1", "bias_hh_l1")}
    out |= checkpoint.linear("prompt_kernel.0", 2 * width, width + PROMPTS)
    return out | checkpoint.linear("prompt_kernel.2", width, 2 * width)


checkpoint.config, checkpoint.shapes = config, shapes
plain_draw = checkpoint.draw


def draw(rng, name, shape):
    """As of checkpoint.py, for a second layer of the LSTM, too."""
    return plain_draw(rng, name.replace("_l1", "_l0"), shape)


checkpoint.draw = draw
if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=pathlib.Path(sys.argv[1]).parent) as scratch:
        print(checkpoint.write(pathlib.Path(sys.argv[1]), "streaming", pathlib.Path(scratch)), "weights")
