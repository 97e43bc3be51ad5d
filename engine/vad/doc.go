// Package vad implements voice activity detection: it finds the speech segments of a recording.
//
// It has two halves. A [ProbabilityStream] divides the audio into the windows of Silero's network and keeps the
// network's LSTM state between calls, reset after long silence; the network itself is an injected [NetworkRunner].
// A [StreamSegmenter] converts the probabilities, one per 512 samples, to segments by the rules of Silero's
// get_speech_timestamps (silero-vad 6.2.3).
//
// It is independent of ONNX Runtime and files. Everything is counted in samples at 16 kHz.
//
// Constants here that are parameters in Silero: the exit threshold (0.15 below the entry threshold), the 98 ms of
// silence at which a too long segment may be cut, and the choice of the longest such silence.
package vad
