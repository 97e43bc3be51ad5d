"""Weights between PyTorch's names and the ONNX graphs that NeMo's exporter writes.

Matrices of linear layers lose their names there (onnx::MatMul_123, transposed), so they are found by the name of the
node that uses them; BatchNorm is folded into the convolution before it; ONNX orders an LSTM's gates i o f c, PyTorch
i f g o. The same traversal reads and writes, so that both use the same tensors.
"""

import numpy
import onnx
import torch
from onnx import numpy_helper

EPSILON = 1e-5  # BatchNorm's


def gates(x, to_onnx):
    """Reorders the four blocks of rows of an LSTM matrix or bias; the reverse needs another order."""
    i, a, b, c = numpy.split(x, 4)
    return numpy.concatenate([i, c, a, b] if to_onnx else [i, b, c, a])


def name_of(node):
    """PyTorch's module path of a node: /layers.0/self_attn/linear_q/MatMul -> layers.0.self_attn.linear_q."""
    parts = [p for p in node.name.strip("/").split("/")[:-1]]
    clean = []
    for p in parts:
        # A module in a Sequential repeats its parent's name: conv/conv.0 is conv.0.
        if clean and p.startswith(clean[-1] + "."):
            clean[-1] = p
        else:
            clean.append(p)
    return ".".join(clean)


def slots(graph):
    """(kind, PyTorch name, initializer) of every weight: kinds plain, transposed, folded, bias, recurrent."""
    known = {t.name: t for t in graph.initializer}
    for node in graph.node:
        used = [known[i] for i in node.input if i in known]
        if node.op_type == "LSTM":
            for kind, tensor in zip(("weight_ih_l0", "weight_hh_l0", "biases"), used):
                yield kind, name_of(node).replace("dec_rnn", "prediction.dec_rnn"), tensor
        elif node.op_type == "Conv" and node.name.endswith("depthwise_conv/Conv") and "layers" in node.name:
            yield "folded weight", name_of(node).replace(".depthwise_conv", ""), used[0]
            yield "folded bias", name_of(node).replace(".depthwise_conv", ""), used[1]
        elif node.op_type == "MatMul" and used:
            yield "transposed", name_of(node) + ".weight", used[0]
        else:
            for tensor in used:
                if "." in tensor.name and not tensor.name.startswith("onnx::"):
                    yield "plain", tensor.name, tensor


def folded(state, module):
    """Depthwise weight and bias with BatchNorm folded in."""
    get = lambda name: state[f"{module}.{name}"].double()
    scale = get("batch_norm.weight") / torch.sqrt(get("batch_norm.running_var") + EPSILON)
    weight = get("depthwise_conv.weight") * scale[:, None, None]
    bias = (get("depthwise_conv.bias") - get("batch_norm.running_mean")) * scale + get("batch_norm.bias")
    return weight.float().numpy(), bias.float().numpy()


def write(graph, state, prefix=""):
    """Writes a model's weights into the graph; fails if one is missing or has another shape."""
    for kind, name, tensor in slots(graph):
        name = prefix + name
        if kind == "transposed":
            value = state[name].numpy().T
        elif kind.startswith("folded"):
            value = folded(state, name)[kind == "folded bias"]
        elif kind == "biases":
            value = numpy.concatenate([gates(state[f"{name}.bias_{x}_l0"].numpy(), True) for x in ("ih", "hh")])[None]
        elif kind.startswith("weight_"):
            value = gates(state[f"{name}.{kind}"].numpy(), True)[None]
        else:
            value = state[name].numpy()
        if list(value.shape) != list(tensor.dims):
            raise ValueError(f"{name} has shape {value.shape}, the graph's {tensor.name} {list(tensor.dims)}")
        tensor.CopyFrom(numpy_helper.from_array(numpy.ascontiguousarray(value, numpy.float32), tensor.name))


def read(graph, prefix=""):
    """State of the PyTorch model from a graph. BatchNorm becomes the identity; train.py gives it new statistics."""
    state = {}
    for kind, name, tensor in slots(graph):
        value, name = torch.tensor(numpy_helper.to_array(tensor)), prefix + name
        if kind == "transposed":
            state[name] = value.T.contiguous()
        elif kind == "folded weight":
            width = value.shape[0]
            state[f"{name}.depthwise_conv.weight"] = value
            state[f"{name}.batch_norm.weight"] = torch.full((width,), (1 + EPSILON) ** 0.5)
            state[f"{name}.batch_norm.bias"] = torch.zeros(width)
            state[f"{name}.batch_norm.running_mean"] = torch.zeros(width)
            state[f"{name}.batch_norm.running_var"] = torch.ones(width)
            state[f"{name}.batch_norm.num_batches_tracked"] = torch.tensor(0)
        elif kind == "folded bias":
            state[f"{name}.depthwise_conv.bias"] = value
        elif kind == "biases":
            for x, half in zip(("ih", "hh"), value.numpy()[0].reshape(2, -1)):
                state[f"{name}.bias_{x}_l0"] = torch.tensor(gates(half, False))
        elif kind.startswith("weight_"):
            state[f"{name}.{kind}"] = torch.tensor(gates(value.numpy()[0], False))
        else:
            state[name] = value
    return state


def from_folder(folder):
    """State of a model from an exported folder: NeMo's (model.onnx) or the bundle's (ctc-head.onnx)."""
    state = read(onnx.load(folder / "encoder-model.onnx").graph, "encoder.")
    state |= read(onnx.load(folder / "decoder_joint-model.onnx").graph)
    head = folder / "ctc-head.onnx"
    graph = onnx.load(head if head.exists() else folder / "model.onnx").graph
    for tensor in graph.initializer:
        if "decoder_layers.0." in tensor.name:
            state["ctc_decoder.decoder_layers.0." + tensor.name.rsplit(".", 1)[1]] = torch.tensor(numpy_helper.to_array(tensor))
    return state
