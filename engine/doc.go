// Package engine is the speech recognition engine: audio in, text with timestamps out. It is a library: a host opens a
// model and transcribes. It imports no HTTP, store or console.
//
// The pipeline in reading order, each step a package or file:
//
//	SampleSource → speechCutter   16 kHz mono is segmented at silence (vad) into chunks of speech, block by block
//	chunk  → features             log-mel spectrogram [F, L+1]
//	       → model.EncodeMel      one ONNX Runtime call: encoder frames in the joint's space and CTC log-probabilities
//	       → decode               RNNT or CTC search, hybrid rescoring, word spotting: tokens and frames
//	       → words                pieces to words, frames to seconds
//	       → Segment              delivered in order, joined to a Result
//
// One model serves all requests. Package queue grants permits by priority, then by fair queuing among organizations and
// their keys, one piece of work at a time; a search yields to higher-ranked work. The chunks of one file are decoded in
// parallel. Frames and token ids are internal, results are in seconds.
//
// Production decodes as the model's own munadi.json says (greedy label looping without one). Defaults that the
// service description does not state are NeMo's; [Engine.DebugDecode] can change them.
package engine
