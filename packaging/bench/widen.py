"""A large model of random weights: the small model's own NeMo export, grown to the shape of the large one.

NeMo's stt_*_fastconformer_hybrid_large has d_model 512, 17 layers, 8 heads, feed-forward × 4, kernel 9, dw_striding × 8
with 256 channels, a prediction network of one LSTM layer of 640, a joint of 640, 1,024 pieces: 114 M parameters. The
graph stays what NeMo's exporter wrote, operator by operator: layer 1's nodes are repeated, and every size in a weight,
a shape constant or a group count is replaced. Weights are drawn from a fixed seed, scaled by their fan-in.
"""

import math
import re

import numpy
from onnx import numpy_helper

from graph import copies

SEED = 20261121
LAYERS = 17
DAMPING = 0.2
SIZES = {"d_model": 512, "heads": 8, "d_k": 64, "channels": 256, "hidden": 640, "joint": 640, "labels": 1025}


def attribute(node, name):
    return next(a for a in node.attribute if a.name == name)


def damped(graph):
    """Weights at the end of a residual branch, which are drawn small: else what the branches add drowns the acoustics
    from layer to layer, and the network turns the smallest difference of two programs' features into other tokens."""
    ends = ("linear2/MatMul", "linear_out/MatMul", "pointwise_conv2/Conv")
    return {n.input[1] for n in graph.node if n.name.endswith(ends)}


class Shape:
    """The sizes of a model, read off its graphs, in the order in which sizes are replaced."""

    def __init__(self, encoder, fused):
        shapes = {t.name: list(t.dims) for t in [*encoder.graph.initializer, *fused.graph.initializer]}
        self.heads, self.d_k = shapes["layers.0.self_attn.pos_bias_u"]
        self.d_model = self.heads * self.d_k
        self.channels = shapes["pre_encode.conv.0.weight"][0]
        self.labels, self.hidden = shapes["decoder.prediction.embed.weight"]
        self.joint = shapes["joint.enc.bias"][0]


def replaced(dims, pairs):
    """dims with each whole multiple of an old size turned into that multiple of the new one."""
    out = []
    for dim in dims:
        hit = next((p for p in pairs if dim >= p[0] and dim % p[0] == 0), None)
        out.append(dim if hit is None else dim // hit[0] * hit[1])
    return out


def draw(rng, name, dims, gain=1.0):
    """Random weights under which activations stay of order gain."""
    if name.endswith(("bias", "bias_u", "bias_v")):
        return numpy.zeros(dims, numpy.float32)
    if re.search(r"norm_\w+\.weight$", name):
        return numpy.ones(dims, numpy.float32)
    if len(dims) == 1:  # the depthwise convolution's bias, batch normalization folded in
        return numpy.zeros(dims, numpy.float32)
    if name.startswith("onnx::LSTM"):
        if len(dims) == 2:  # its biases
            return numpy.zeros(dims, numpy.float32)
        fan_in = dims[2]
    else:
        fan_in = dims[0] if name.startswith("onnx::MatMul") else math.prod(dims[1:])
    if name.startswith("pre_encode.conv"):
        gain *= math.sqrt(2)  # a ReLU halves the power
    return (rng.standard_normal(dims, numpy.float32) * (gain / math.sqrt(fan_in))).astype(numpy.float32)


def positions(frames, width):
    """NeMo's table of relative positions [1, 2*frames-1, width], from frames-1 down to -(frames-1)."""
    at = numpy.arange(frames - 1, -frames, -1, dtype=numpy.float64)[:, None]
    rate = numpy.exp(numpy.arange(0, width, 2) * -(math.log(10000.0) / width))
    table = numpy.zeros((2 * frames - 1, width), numpy.float32)
    table[:, 0::2], table[:, 1::2] = numpy.sin(at * rate), numpy.cos(at * rate)
    return table[None]


def layer_nodes(graph, index):
    """The nodes of one layer, unnamed-by-scope constants that only it reads included, in order."""
    scope = f"/layers.{index}/"
    mine = {n.name for n in graph.node if n.name.startswith(scope)}
    readers = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node.name)
    return [n for n in graph.node if n.name in mine or (
        not n.name.startswith("/") and all(r in mine for r in readers.get(n.output[0], [""])))]


def repeat_layers(graph, have, want):
    """Appends copies of the last layer but one until there are want layers."""
    kind = have - 2
    nodes = layer_nodes(graph, kind)
    made = {name for n in nodes for name in n.output}
    weights = {t.name: t for t in graph.initializer}
    used = dict.fromkeys(n for node in nodes for n in node.input if n in weights)
    entry, leave, first = (f"/layers.{i}/norm_out/LayerNormalization_output_0" for i in (kind - 1, kind, have - 1))
    cut = next(i for i, n in enumerate(graph.node) if n.op_type == "Transpose" and first in n.input)
    tail = copies(graph.node[cut:])
    del graph.node[cut:]
    last = first
    for index in range(have, want):
        def moved(name):
            """The name in the copy: its layer's number replaced, or appended where the exporter wrote none."""
            changed = name.replace(f"layers.{kind}.", f"layers.{index}.").replace(f"layers.{kind}/", f"layers.{index}/")
            return changed if changed != name else f"{name}.{index}"
        for name in used:
            graph.initializer.add().CopyFrom(weights[name])
            graph.initializer[-1].name = moved(name)
        for node in copies(nodes):
            node.name = moved(node.name)
            node.input[:] = [last if n == entry else moved(n) if n in made or n in weights else n for n in node.input]
            node.output[:] = [moved(n) for n in node.output]
            graph.node.append(node)
        last = moved(leave)
    for node in tail:
        node.input[:] = [last if n == first else n for n in node.input]
        graph.node.append(node)


def resize_constants(graph, old):
    """Replaces the sizes that the exporter wrote into the attention's shapes, its scale and the position table."""
    ints = {old.heads: SIZES["heads"], old.d_k: SIZES["d_k"], old.d_model: SIZES["d_model"]}
    for node in graph.node:
        if node.op_type != "Constant":
            continue
        tensor = attribute(node, "value").t
        array = numpy_helper.to_array(tensor)
        new = None
        if array.ndim == 3 and array.shape[2] == old.d_model:
            new = positions((array.shape[1] + 1) // 2, SIZES["d_model"])
        elif "/self_attn/" in node.name and array.shape == (1,) and int(array[0]) in ints:
            new = numpy.array([ints[int(array[0])]], array.dtype)
        elif "/self_attn/" in node.name and array.dtype == numpy.float32 and array == math.sqrt(old.d_k):
            new = numpy.array(math.sqrt(SIZES["d_k"]), numpy.float32)
        if new is not None:
            tensor.CopyFrom(numpy_helper.from_array(new, tensor.name))


def resize_weights(graph, pairs, rng, special):
    """Draws every weight at random in its new shape; special has the shapes that pairs would get wrong."""
    small = damped(graph)
    for tensor in graph.initializer:
        dims = special.get(tensor.name) or replaced(tensor.dims, pairs)
        array = draw(rng, tensor.name, dims, DAMPING if tensor.name in small else 1.0)
        tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))


def resize_ports(graph, pairs):
    for info in [*graph.input, *graph.output]:
        for dim in info.type.tensor_type.shape.dim:
            if dim.dim_value > 100:
                dim.dim_value = replaced([dim.dim_value], pairs)[0]
    del graph.value_info[:]


def widen_encoder(model, old, rng):
    graph = model.graph
    have = 1 + max(int(m.group(1)) for n in graph.node if (m := re.match(r"/layers\.(\d+)/", n.name)))
    repeat_layers(graph, have, LAYERS)
    resize_constants(graph, old)
    special = {}
    for tensor in graph.initializer:
        if tensor.name.startswith("pre_encode.conv"):
            special[tensor.name] = [SIZES["channels"] if d == old.channels else d for d in tensor.dims]
        elif tensor.name.endswith(("pos_bias_u", "pos_bias_v")):
            special[tensor.name] = [SIZES["heads"], SIZES["d_k"]]
        elif list(tensor.dims) == [old.channels * 10, old.d_model]:  # 80 mels halved three times, all channels
            special[tensor.name] = [SIZES["channels"] * 10, SIZES["d_model"]]
    resize_weights(graph, [(old.d_model, SIZES["d_model"])], rng, special)
    for node in graph.node:
        if node.op_type == "Conv" and attribute(node, "group").i > 1:
            groups = attribute(node, "group")
            groups.i = SIZES["channels"] if groups.i == old.channels else SIZES["d_model"]
    resize_ports(graph, [(old.d_model, SIZES["d_model"])])
    return model


def widen_fused(model, old, rng):
    """The prediction network and the joint; the embedding row of the blank is zero, as NeMo's padding row."""
    graph = model.graph
    pairs = [(old.hidden, SIZES["hidden"])]
    special = {}
    for tensor in graph.initializer:
        special[tensor.name] = [
            {old.labels: SIZES["labels"], old.d_model: SIZES["d_model"]}.get(d) or replaced([d], pairs)[0]
            for d in tensor.dims]
    resize_weights(graph, pairs, rng, special)
    for tensor in graph.initializer:
        if tensor.name == "decoder.prediction.embed.weight":
            table = numpy_helper.to_array(tensor).copy() * math.sqrt(SIZES["hidden"])
            table[-1] = 0
            tensor.CopyFrom(numpy_helper.from_array(table, tensor.name))
    for node in graph.node:
        if node.op_type == "LSTM":
            attribute(node, "hidden_size").i = SIZES["hidden"]
    resize_ports(graph, [(old.labels, SIZES["labels"]), (old.d_model, SIZES["d_model"]), *pairs])
    return model


def widen_head(model, old, rng):
    special = {t.name: [SIZES["labels"], SIZES["d_model"], 1] if len(t.dims) == 3 else [SIZES["labels"]]
               for t in model.graph.initializer}
    resize_weights(model.graph, [], rng, special)
    resize_ports(model.graph, [(old.labels, SIZES["labels"]), (old.d_model, SIZES["d_model"])])
    return model


def widen(encoder, fused, head):
    """The three graphs of the core, grown; all biases zero, the blanks' too (calibrate.py sets those)."""
    rng = numpy.random.default_rng(SEED)
    old = Shape(encoder, fused)
    return widen_encoder(encoder, old, rng), widen_fused(fused, old, rng), widen_head(head, old, rng)


def vocabulary():
    """1,024 made-up pieces, a third of them opening a word, and the blank."""
    letters = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
    pieces = ["<unk>"]
    pieces += ["▁" + a for a in letters] + list(letters)
    pieces += ["▁" + a + b for a in letters for b in letters][:313]
    pieces += [a + b for a in letters for b in letters]
    return pieces[:SIZES["labels"] - 1] + ["<blk>"]
