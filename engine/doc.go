// Package engine turns speech into words: sound in, text with times out. It is a library: a host opens a model and
// transcribes; it knows no HTTP, no store and no console.
//
// The pipeline in reading order, each step a room of its own:
//
//	Source → cutter (vad)         16 kHz mono is cut at silence into chunks of speech, block by block
//	chunk  → features             log-mel [F, L+1]
//	       → model.Encode         one ONNX Runtime call: encoder frames in the joint's space and CTC log-probabilities
//	       → decode               RNNT or CTC search, hybrid ranking, word spotting: tokens and frames
//	       → words                pieces to words, frames to seconds
//	       → Segment              given out in order, joined to a Result
//
// One model is in memory for all requests. The queue gives turns by priority, then by fair share among organizations
// and their keys, a piece at a time; a search pauses for those who go first. The chunks of one file are decoded side by
// side. Frames and token ids live inside, seconds only in what is returned.
//
// Production decodes as the model's own munadi.json says (greedy label looping without one). Where the service
// description is silent, we chose as NeMo does; see Debug for what can be changed there.
package engine
