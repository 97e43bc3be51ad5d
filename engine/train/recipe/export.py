"""Exports a checkpoint to folders that Munadi loads: trained weights in the graphs that NeMo's exporter wrote.

The graphs are those of the bundle in place, so that every node is the same; they get the averaged
weights. A second folder holds the encoder with int8 matrices. A network of another shape than the bundle's becomes a NeMo
checkpoint, from which `munadi model import` makes the two folders.
"""

import argparse
import hashlib
import json
import pathlib
import shutil

import numpy
import onnx
import torch
from onnx import numpy_helper

from . import checkpoint, features, model as net, weights

KEPT = ["vocab.txt", "config.json", "tokenizer.model"]


def graphs(layout, state, out):
    """encoder-model.onnx, decoder_joint-model.onnx and ctc-head.onnx with the weights of state."""
    for name, prefix in (("encoder-model.onnx", "encoder."), ("decoder_joint-model.onnx", "")):
        model = onnx.load(layout / name)
        weights.write(model.graph, state, prefix)
        onnx.save(model, out / name)
    head = onnx.load(layout / "ctc-head.onnx")
    for tensor in head.graph.initializer:
        value = state["ctc_decoder.decoder_layers.0." + tensor.name.rsplit(".", 1)[1]].numpy()
        tensor.CopyFrom(numpy_helper.from_array(value.reshape(tuple(tensor.dims)), tensor.name))
    onnx.save(head, out / "ctc-head.onnx")


def load_state(path):
    """Weights in single precision; a GPU's training writes matrices in half."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    return {name: x.float() if torch.is_tensor(x) and x.dtype == torch.float16 else x for name, x in state.items()}


def mean_of(paths):
    """The mean of several weights of one run (Izmailov et al. 2018, arXiv:1803.05407)."""
    states = [load_state(path) for path in paths]
    return {name: sum(state[name] for state in states) / len(states) if value.dtype.is_floating_point else value
            for name, value in states[0].items()}


def blend(begun, out, share):
    """Interpolates weights between the model that training started from (share 0) and the trained one (1).

    Wortsman et al. 2022 (arXiv:2109.01903): it keeps what the first could do, and is often better than both.
    """
    for name in ("encoder-model.onnx", "decoder_joint-model.onnx", "ctc-head.onnx"):
        model = onnx.load(out / name)
        first = {t.name: numpy_helper.to_array(t) for t in onnx.load(begun / name).graph.initializer}
        for tensor in model.graph.initializer:
            trained = numpy_helper.to_array(tensor)
            if trained.dtype == numpy.float32:
                value = first[tensor.name] + share * (trained - first[tensor.name])
                tensor.CopyFrom(numpy_helper.from_array(value.astype(numpy.float32), tensor.name))
        onnx.save(model, out / name)


def same_features(begun):
    """Reports whether a model has the features of this recipe; otherwise weights cannot be interpolated."""
    return json.loads((begun / "munadi.json").read_text(encoding="utf-8")).get("preprocessor") == features.PREPROCESSOR


def quantize(source, target):
    """The same folder with the encoder's matrices as int8, dynamically quantized, a scale a column."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    target.mkdir(parents=True, exist_ok=True)
    quantize_dynamic(source / "encoder-model.onnx", target / "encoder-model.int8.onnx", op_types_to_quantize=["MatMul"],
                     per_channel=True, weight_type=QuantType.QInt8)
    for name in [*KEPT, "decoder_joint-model.onnx", "ctc-head.onnx"]:
        shutil.copyfile(source / name, target / name)


def add_verifier(cache, folders, words):
    """The word verifier (verifier.py) beside the model, where one was trained; what munadi.json says, with it."""
    if not (cache / "word-verifier.onnx").exists():
        return words
    for folder in folders:
        shutil.copyfile(cache / "word-verifier.onnx", folder / "word-verifier.onnx")
    return words | {"word_verifier": json.loads((cache / "word-verifier.json").read_text(encoding="utf-8"))}


def describe(folder, words):
    """Writes munadi.json: the description of the present bundle, with the checksums of these files."""
    words = dict(words)
    words["files"] = {f.name: hashlib.sha256(f.read_bytes()).hexdigest()
                      for f in sorted(folder.iterdir()) if f.name != "munadi.json"}
    (folder / "munadi.json").write_text(json.dumps(words, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


@torch.no_grad()
def check(state, folder):
    """Checks that the graphs compute what the trained network computes, on noise of several lengths."""
    import onnxruntime

    model = net.Hybrid(net.SMALL).eval()
    model.load_state_dict(state)
    load = lambda name: onnxruntime.InferenceSession(str(folder / name), providers=["CPUExecutionProvider"])
    encoder, joint, head = load("encoder-model.onnx"), load("decoder_joint-model.onnx"), load("ctc-head.onnx")
    rng, worst = numpy.random.default_rng(1), 0.0
    for frames in (9, 80, 333, 1000):
        mel = rng.standard_normal((1, 80, frames), numpy.float32)
        want, n = model.encoder(torch.from_numpy(mel), torch.tensor([frames]))
        got, length = encoder.run(None, {"audio_signal": mel, "length": numpy.array([frames], numpy.int64)})
        assert length[0] == n[0], (length, n)
        labels = torch.tensor([[3, 17, 255, 0]])
        logits = model.joint(want, model.decoder(labels))
        zero = numpy.zeros((1, 1, net.SMALL.hidden), numpy.float32)
        begun = numpy.array([[net.SMALL.vocabulary, *labels[0].tolist()]], numpy.int32)  # blank is the start symbol
        also = joint.run(["outputs"], {"encoder_outputs": got, "targets": begun, "input_states_1": zero,
                                       "target_length": numpy.array([5], numpy.int32), "input_states_2": zero})[0]
        pairs = ((want.transpose(1, 2), got), (logits, also),
                 (model.ctc_decoder(want), head.run(None, {"encoder_outputs": got})[0]))
        worst = max(worst, *(float(numpy.abs(a.numpy() - b).max()) for a, b in pairs))
    print(f"export: graphs and network differ by {worst:.1e} at most")
    if worst > 2e-3:
        raise SystemExit("export: the graphs and the trained network differ")


def export_other_shape(state, a):
    """Writes CACHE/model.nemo, and the two folders that Munadi makes from it, with the present bundle's decoding."""
    checkpoint.write(a.cache / "model.nemo", state, a.layout / "tokenizer.model")
    decoding = json.loads((a.layout / "munadi.json").read_text(encoding="utf-8"))["decoding"]
    for name, options in (("bundle", []), ("bundle-int8", ["--int8"])):
        checkpoint.import_into(a.cache / name, a.cache / "model.nemo", a.munadi, *options)
        about = a.cache / name / "munadi.json"
        words = json.loads(about.read_text(encoding="utf-8")) | {"decoding": decoding}
        about.write_text(json.dumps(words, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--cache", type=pathlib.Path, required=True)
    p.add_argument("--layout", type=pathlib.Path, required=True, help="the bundle whose graphs are filled")
    p.add_argument("--begun", type=pathlib.Path, help="the model that training started from, in the bundle's layout")
    p.add_argument("--averages", type=pathlib.Path, nargs="+", help="files in CACHE/averages whose mean is exported; without "
                   "them the last averaged weights")
    p.add_argument("--blend", type=float, default=0.8, help="how far from it to the trained one the weights go, if it has the same features")
    p.add_argument("--munadi", type=pathlib.Path, help="the program that imports a network of another shape than the bundle's")
    p.add_argument("--check-only", type=pathlib.Path, help="only compare this folder's graphs with the network")
    a = p.parse_args()
    if a.check_only:
        return check(weights.from_folder(a.check_only), a.check_only)
    state = mean_of(a.averages) if a.averages else load_state(a.cache / "last.pt")["average"]
    if checkpoint.size_of(state) != net.SMALL:
        return export_other_shape(state, a)
    words = json.loads((a.layout / "munadi.json").read_text(encoding="utf-8"))
    out = a.cache / "bundle"
    out.mkdir(parents=True, exist_ok=True)
    for name in KEPT:
        shutil.copyfile(a.layout / name, out / name)
    graphs(a.layout, state, out)
    check(state, out)
    if a.begun and same_features(a.begun):
        blend(a.begun, out, a.blend)
    quantize(out, a.cache / "bundle-int8")
    words = add_verifier(a.cache, (out, a.cache / "bundle-int8"), words | {"preprocessor": features.PREPROCESSOR})
    describe(out, words)
    describe(a.cache / "bundle-int8", words)


if __name__ == "__main__":
    main()
