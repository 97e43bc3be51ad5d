"""The model's parts as ONNX graphs, split and joined into the layout that each program loads.

A core is a folder with encoder-model.onnx, decoder_joint-model.onnx and ctc-head.onnx (the CTC head alone). onnx-asr
needs the CTC model with its own encoder, sherpa-onnx the prediction network and the joint as two files. Both are
made here from the core, so that all programs compute with the same weights.
"""

import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT32 = TensorProto.FLOAT, TensorProto.INT32


def weights_of(nodes, graph):
    """Returns the initializers that the nodes read."""
    wanted = {name for node in nodes for name in node.input}
    return [t for t in graph.initializer if t.name in wanted]


def model_of(source, nodes, inputs, outputs, name):
    """A model of nodes of the source, with its operator set and those of its weights that are used."""
    graph = helper.make_graph(nodes, name, inputs, outputs, weights_of(nodes, source.graph))
    made = helper.make_model(graph, opset_imports=source.opset_import, ir_version=source.ir_version)
    onnx.checker.check_model(made)
    return made


def value(name, kind, shape):
    return helper.make_tensor_value_info(name, kind, shape)


def width(graph, name, axis):
    """The fixed size of one axis of an input or output."""
    info = next(v for v in [*graph.input, *graph.output] if v.name == name)
    return info.type.tensor_type.shape.dim[axis].dim_value


def copies(nodes):
    """Copies, since the nodes are changed and their graph is used again."""
    out = []
    for node in nodes:
        out.append(onnx.NodeProto())
        out[-1].CopyFrom(node)
    return out


def prediction_network(fused):
    """decoder.onnx of sherpa-onnx: targets [B, U], states [1, B, H] -> outputs [B, H, U]."""
    graph = fused.graph
    hidden = width(graph, "input_states_1", 2)
    layers = graph.input[3].type.tensor_type.shape.dim[0].dim_value
    nodes = copies(n for n in graph.node if n.name.startswith("/decoder/"))
    last = nodes[-1].output[0]  # [U, B, H]
    nodes.append(helper.make_node("Transpose", [last], ["outputs"], perm=[1, 2, 0]))
    nodes.append(helper.make_node("Identity", ["target_length"], ["prednet_lengths"]))
    state = [layers, "batch", hidden]
    return model_of(
        fused, nodes,
        [value("targets", INT32, ["batch", "labels"]), value("target_length", INT32, ["batch"]),
         value("input_states_1", FLOAT, state), value("input_states_2", FLOAT, state)],
        [value("outputs", FLOAT, ["batch", hidden, "labels"]), value("prednet_lengths", INT32, ["batch"]),
         value("output_states_1", FLOAT, state), value("output_states_2", FLOAT, state)],
        "decoder")


def joint(fused):
    """joiner.onnx of sherpa-onnx: encoder_outputs [B, D, T], decoder_outputs [B, H, U] -> outputs [B, T, U, V+1]."""
    graph = fused.graph
    nodes = copies(n for n in graph.node if n.name.startswith("/joint/"))
    turned = next(n for n in nodes if n.op_type == "Transpose" and n.input[0] != "encoder_outputs")
    turned.input[0] = "decoder_outputs"
    turned.attribute[0].CopyFrom(helper.make_attribute("perm", [0, 2, 1]))
    hidden, labels = width(graph, "input_states_1", 2), width(graph, "outputs", 3)
    return model_of(
        fused, nodes,
        [value("encoder_outputs", FLOAT, ["batch", width(graph, "encoder_outputs", 1), "frames"]),
         value("decoder_outputs", FLOAT, ["batch", hidden, "labels"])],
        [value("outputs", FLOAT, ["batch", "frames", "labels", labels])], "joiner")


def ctc_model(encoder, head):
    """model.onnx of onnx-asr: the encoder with the CTC head on top; audio_signal, length -> logprobs [B, T, V+1]."""
    made = onnx.ModelProto()
    made.CopyFrom(encoder)
    graph = made.graph
    for node in copies(head.graph.node):
        for i, name in enumerate(node.input):
            if name == "encoder_outputs":
                node.input[i] = "outputs"
        graph.node.append(node)
    graph.initializer.extend(head.graph.initializer)
    del graph.output[:]
    graph.output.extend(head.graph.output)
    onnx.checker.check_model(made)
    return made


def parameters(*models):
    """Counts the weights, without position tables and folded constants (Constant nodes)."""
    return sum(numpy_helper.to_array(t).size for m in models for t in m.graph.initializer)


def describe(model, vocabulary, fused):
    """Writes the metadata that sherpa-onnx requires into the model."""
    del model.metadata_props[:]
    helper.set_model_props(model, {
        "vocab_size": str(vocabulary), "normalize_type": "per_feature", "subsampling_factor": "8",
        "pred_rnn_layers": str(fused.graph.input[3].type.tensor_type.shape.dim[0].dim_value),
        "pred_hidden": str(width(fused.graph, "input_states_1", 2)), "feat_dim": "80",
        "model_type": "EncDecHybridRNNTCTCBPEModel", "version": "1", "model_author": "NeMo"})
