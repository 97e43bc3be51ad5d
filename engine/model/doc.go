// Package model opens a NeMo FastConformer hybrid (RNNT and CTC on one encoder) from a folder and runs it: mel in,
// projected encoder frames and CTC log-probabilities out. It handles file layouts and tensors; audio, decoding and
// times belong to its caller.
//
// # Layouts
//
// Recognized by file names (fp32 is preferred to int8 if both exist):
//
//	onnx-asr      encoder-model.onnx  decoder_joint-model.onnx  model.onnx (CTC)  vocab.txt  config.json
//	sherpa-onnx   encoder.onnx  decoder.onnx  joiner.onnx  ctc.onnx or model.onnx  tokens.txt
//	munadi        onnx-asr's, with only the CTC head in ctc-head.onnx, and munadi.json
//
// or NAME.int8.onnx for NAME.onnx.
//
// Either head may be missing, not both. Of a CTC file with its own copy of the encoder only the head is used: one
// encoder serves both (the copies are compared first).
//
// # One graph, three outputs
//
// A serialized protobuf message followed by a second one parses as their merger, and a graph's nodes, initializers and
// outputs are repeated fields. So the joint's encoder projection and the CTC head are appended to the encoder's bytes
// as nodes and become outputs of the same Run: ONNX Runtime multiplies, fuses and threads them with the rest.
//
// # The rewritten encoder
//
// NeMo's exporter traces Python: its graph builds padding masks for every convolution and every layer, moves
// activations between [B, T, D] and [B, D, T], and computes shapes with hundreds of small operators. One utterance
// without padding needs none of that. So the encoder is recognized as a FastConformer (Rekesh et al. 2023,
// arXiv:2305.05084) and rewritten (rewrite*.go): the same weights and arithmetic in a third of the operators, all of
// them plain ONNX, such that ONNX Runtime's own fusions apply. Weights are not moved, including dynamically quantized
// ones.
//
// Matching is strict: every operator between result and input must be the expected one. A graph that differs anywhere
// (another architecture, limited attention context, quantized convolutions) runs unchanged.
//
// The new core takes valid frames only. The old one sets frames after them to zero before every convolution and masks
// them in attention, which is equivalent to the end of the input.
//
// # The voice activity network
//
// [PrepareSilero] writes Silero's network anew with the same means: matrix products over all windows of a call instead
// of convolutions within each. [ReadSilero] reads its weights for package silero, which computes single windows.
//
// # Streams
//
// The encoder of a checkpoint whose attention is limited (chunked_limited, or without look-ahead) and whose
// convolutions are causal is written with caches (rewrite_cache.go): inputs and outputs as in NeMo's export with
// cache_support, and the attention context as another input. [EncoderStream] runs it over new frames only; with
// an empty cache the same graph encodes whole utterances. NeMo's own exports with caches run unchanged.
//
// # Memory
//
// Large initializers are rewritten to external data that references the original file. ONNX Runtime maps and packs them
// one by one, so loading peaks at little more than the model's size instead of twice that.
//
// # The prediction network and the joint in Go
//
// They are a lookup, an LSTM step and two small matrix products per symbol, less than the overhead of an ONNX Runtime
// call. Their weights are found by walking the exported graph, not by NeMo's names, and int8 ones are dequantized.
package model
