// Package model opens a NeMo FastConformer hybrid (RNNT and CTC on one encoder) from a folder and runs it: mel in,
// projected encoder frames and CTC log-probabilities out. It handles file layouts and tensors; audio, decoding
// and times are its caller's.
//
// # Layouts
//
// Those that users already have on disk, found by the files' names (fp32 is taken before int8 where both are there):
//
//	onnx-asr      encoder-model.onnx  decoder_joint-model.onnx  model.onnx (CTC)  vocab.txt  config.json
//	sherpa-onnx   encoder.onnx  decoder.onnx  joiner.onnx  ctc.onnx or model.onnx  tokens.txt
//	munadi        onnx-asr's, with the CTC head alone in ctc-head.onnx and munadi.json beside it
//
// or NAME.int8.onnx for NAME.onnx.
//
// Either head may be missing, not both. A CTC file that carries its own copy of the encoder lends only its head: one
// encoder serves both (the copies are compared first).
//
// # One graph, three outputs
//
// A serialised protobuf message followed by a second one parses as their merger, and a graph's nodes, initialisers and
// outputs are repeated fields. So the joint's encoder projection and the CTC head are appended to the encoder's bytes
// as nodes and become outputs of the same Run: ONNX Runtime multiplies, fuses and threads them with the rest.
//
// # The rewritten encoder
//
// NeMo's exporter traces Python: its graph builds padding masks for every convolution and every layer, moves
// activations between [B, T, D] and [B, D, T], and computes shapes with hundreds of small operators. One utterance
// without padding needs none of that. So the encoder is read back into what it is, a FastConformer (Rekesh et al. 2023,
// arXiv:2305.05084), and rewritten (rewrite*.go): the same weights and arithmetic in a third of the operators, all
// of them plain ONNX, such that ONNX Runtime's own fusions find them. Weights stay where they are, dynamically
// quantised ones too.
//
// Reading is strict: every operator between result and input must be the expected one. A graph that differs anywhere
// (another architecture, limited attention context, quantised convolutions) runs as its file has it.
//
// The new core takes valid frames only. To the old one, frames behind them are zeros before every convolution and
// nothing to attention, and so is what lies beyond the end of the input.
//
// # Streams
//
// The encoder of a checkpoint whose attention is limited (chunked_limited, or without a look ahead) and whose
// convolutions are causal is written with caches (rewrite_cache.go): inputs and outputs as in NeMo's export with
// cache_support, and the attention context as another input. [EncoderStream] runs it over new frames only; an empty
// cache makes the same graph one for whole utterances. NeMo's own exports with caches run as their files have them.
//
// # Memory
//
// Large initialisers are rewritten to external data that points back into the very file they came from. ONNX Runtime
// maps and packs them one by one, so loading peaks at little more than the model's own size, not at twice of it.
//
// # The prediction network and the joint in Go
//
// They are a lookup, an LSTM step and two small matrix products a symbol; an ONNX Runtime call costs more than they do.
// Their weights are found by walking the exported graph, not by NeMo's names, and int8 ones are dequantised.
package model
