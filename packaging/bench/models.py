"""The models in the layouts of the three programs, fp32 and int8, made once into .cache/bench/models.

    MODEL/PRECISION/munadi    encoder-model.onnx, decoder_joint-model.onnx, ctc-head.onnx, vocab.txt, config.json
    MODEL/PRECISION/onnx-asr  encoder-model.onnx, decoder_joint-model.onnx, model.onnx (CTC), vocab.txt, config.json
    MODEL/PRECISION/sherpa    encoder.onnx, decoder.onnx, joiner.onnx, ctc.onnx, tokens.txt

Equal files are hard links. int8 is ONNX Runtime's dynamic quantization of the encoder's matrix products;
the prediction network, the joint and the CTC head stay fp32 for all three.
"""

import hashlib
import json
import os
import pathlib
import shutil
import tempfile

import numpy
import onnx
import onnx_asr
from onnxruntime.quantization import QuantType, quantize_dynamic

import audio
import calibrate
import graph
import widen

CONFIG = {"model_type": "nemo-conformer-rnnt", "features_size": 80, "subsampling_factor": 8, "max_tokens_per_step": 10}
QUANTIZED = ["MatMul"]  # with quantized convolutions (ConvInteger) the large encoder took 1.8 × as long
PRECISIONS = ["fp32", "int8"]
CALIBRATION_SECONDS = 60


def bundle(root):
    """Returns the default model's folder: the embedded one, else the reference in ../shared."""
    for folder in (root / "assets" / "model" / "bundle", root.parent / "shared" / "reference" / "model"):
        if (folder / "encoder-model.onnx").exists():
            return folder
    raise SystemExit("bench: no default model: assets/model/bundle is missing")


def head_of(folder):
    """Returns the CTC head alone, split from the CTC model if it has no separate file."""
    if (folder / "ctc-head.onnx").exists():
        return onnx.load(folder / "ctc-head.onnx")
    whole = onnx.load(folder / "model.onnx")
    nodes = graph.copies(whole.graph.node[-3:])
    nodes[0].input[0] = "encoder_outputs"
    size = next(t for t in whole.graph.initializer if t.name == nodes[0].input[1]).dims
    return graph.model_of(
        whole, nodes, [graph.value("encoder_outputs", graph.FLOAT, ["batch", size[1], "frames"])],
        [graph.value("logprobs", graph.FLOAT, ["batch", "frames", size[0]])], "ctc_head")


def mel_graph():
    """NeMo's preprocessor as onnx-asr ships it."""
    return pathlib.Path(onnx_asr.__file__).parent / "preprocessors" / "data" / "nemo80.onnx"


def default_core(folder):
    encoder = onnx.load(folder / "encoder-model.onnx")
    fused = onnx.load(folder / "decoder_joint-model.onnx")
    pieces = [line.rsplit(" ", 1)[0] for line in (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()]
    return encoder, fused, head_of(folder), pieces


def large_core(folder, speech, scratch):
    """Makes the widened core with calibrated blanks, and prints its token rates."""
    encoder, fused, head = widen.widen(*default_core(folder)[:3])
    path = scratch / "encoder.onnx"
    onnx.save(encoder, path)
    samples = audio.samples_of(speech)[:CALIBRATION_SECONDS * audio.RATE]
    frames = calibrate.encoded(path, mel_graph(), samples)
    rng = numpy.random.default_rng(widen.SEED)
    rnnt = calibrate.transducer(fused, frames, CALIBRATION_SECONDS, rng)
    ctc = calibrate.connectionist(head, frames, CALIBRATION_SECONDS)
    count = graph.parameters(encoder, fused, head)
    print(f"bench: large model: {count / 1e6:.1f} M parameters, {rnnt:.2f} tokens/s (RNNT), {ctc:.2f} (CTC)",
          flush=True)
    return encoder, fused, head, widen.vocabulary()


def quantized(encoder, scratch):
    source, target = scratch / "fp32.onnx", scratch / "int8.onnx"
    onnx.save(encoder, source)
    quantize_dynamic(source, target, op_types_to_quantize=QUANTIZED, weight_type=QuantType.QUInt8)
    return onnx.load(target)


def place(folder, core):
    """Writes one core in all three layouts."""
    encoder, fused, head, pieces = core
    graph.describe(encoder, len(pieces) - 1, fused)
    ours, asr, sherpa = (folder / name for name in ("munadi", "onnx-asr", "sherpa"))
    for layout in (ours, asr, sherpa):
        layout.mkdir(parents=True)
    onnx.save(encoder, ours / "encoder-model.onnx")
    onnx.save(fused, ours / "decoder_joint-model.onnx")
    onnx.save(head, ours / "ctc-head.onnx")
    onnx.save(graph.ctc_model(encoder, head), asr / "model.onnx")
    onnx.save(graph.prediction_network(fused), sherpa / "decoder.onnx")
    onnx.save(graph.joint(fused), sherpa / "joiner.onnx")
    vocabulary = "".join(f"{piece} {i}\n" for i, piece in enumerate(pieces))
    (ours / "vocab.txt").write_text(vocabulary, encoding="utf-8")
    (ours / "config.json").write_text(json.dumps(CONFIG))
    for name in ("encoder-model.onnx", "decoder_joint-model.onnx", "vocab.txt", "config.json"):
        os.link(ours / name, asr / name)
    os.link(ours / "encoder-model.onnx", sherpa / "encoder.onnx")
    os.link(asr / "model.onnx", sherpa / "ctc.onnx")
    os.link(ours / "vocab.txt", sherpa / "tokens.txt")


def extras(folder, target):
    """Optional files of munadi's layout: the tokenizer and the description of the default model."""
    if (folder / "tokenizer.model").exists():
        shutil.copyfile(folder / "tokenizer.model", target / "tokenizer.model")


def checksum(*files):
    """Returns one checksum over the files from which, and by which, a model is made."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(file.read_bytes())
    return whole.hexdigest()


def prepare(root, cache, name, precision, speech):
    """Returns the folder of a model in one precision; makes it if it is missing or its sources have changed."""
    source = bundle(root)
    folder = cache / "models" / name
    makers = [pathlib.Path(module.__file__) for module in (calibrate, graph, widen)] + [pathlib.Path(__file__)]
    stamp, key = folder / "made-from", checksum(source / "encoder-model.onnx", speech, *makers)
    if not stamp.exists() or stamp.read_text() != key:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with tempfile.TemporaryDirectory(dir=cache) as scratch:
            scratch = pathlib.Path(scratch)
            core = default_core(source) if name == "default" else large_core(source, speech, scratch)
            place(folder / "fp32", core)
            place(folder / "int8", (quantized(core[0], scratch), *core[1:]))
        if name == "default":
            for p in PRECISIONS:
                extras(source, folder / p / "munadi")
        stamp.write_text(key)
    return folder / precision


def size(folder, files):
    """Returns the size of the files that a program loads, in bytes."""
    return sum((folder / f).stat().st_size for f in files)
