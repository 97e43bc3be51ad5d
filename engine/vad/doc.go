// Package vad is voice activity detection: it finds the speech segments of a recording.
//
// It has two halves. A [ProbabilityStream] cuts the audio into the windows of Silero's network and carries the
// network's LSTM state from call to call, reset after long silence; the network itself is an injected [NetworkRunner].
// A [StreamSegmenter] turns the probabilities, one per 512 samples, into segments by the rules of Silero's
// get_speech_timestamps (silero-vad 6.2.3); [FindSegments] does the same for a whole recording at once.
//
// It is independent of ONNX Runtime and files. Everything is counted in samples at 16 kHz.
//
// Fixed here although Silero leaves it to callers: the exit threshold (0.15 below the entry threshold), the 98 ms of
// silence at which a too long segment may be cut, and that the longest such silence is taken.
package vad
