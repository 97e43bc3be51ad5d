"""Makes the faulty networks: pip install onnx, then python make_faulty.py."""

from onnx import TensorProto as T
from onnx import helper as h
from onnx import save

INPUTS = [
    h.make_tensor_value_info("input", T.INT64, ["b", "p"]), h.make_tensor_value_info("input_lengths", T.INT64, ["b"]),
    h.make_tensor_value_info("scales", T.FLOAT, [3]),
]


def make(name, nodes, inputs=INPUTS, shape=None):
    graph = h.make_graph(nodes, name, inputs, [h.make_tensor_value_info("output", T.FLOAT, shape)])
    save(h.make_model(graph, opset_imports=[h.make_opsetid("", 13)], ir_version=8), name + ".onnx")


to_float = h.make_node("Cast", ["input"], ["x"], to=T.FLOAT)
last = h.make_node("Constant", [], ["axes"], value_ints=[2])
make("shape", [to_float, last, h.make_node("Unsqueeze", ["x", "axes"], ["output"])])
make("nan", [to_float, h.make_node("Neg", ["x"], ["y"]), h.make_node("Log", ["y"], ["output"])])
make("silent", [to_float, h.make_node("Sub", ["x", "x"], ["output"])])
make("inputs", [to_float, h.make_node("Neg", ["x"], ["output"])], INPUTS[:1])
