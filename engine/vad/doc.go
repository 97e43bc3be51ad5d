// Package vad finds speech: the stretches of a recording worth recognising.
//
// It has two halves. A Stream cuts the sound into the windows that Silero's network wants and carries the network's
// memory from call to call, made again where nobody speaks for long; the network itself is a Runner, given from
// outside. A Segmenter turns the network's probabilities, one for each 512 samples, into segments by the rules of
// Silero's get_speech_timestamps (silero-vad 6.2.3), for which Segments is the same over a whole recording at once.
//
// It knows nothing of ONNX Runtime, of files, or of what becomes of the segments. Everything is counted in samples at
// 16 kHz.
//
// What Silero leaves open to callers and we don't: the threshold for leaving speech (0.15 under the one for entering
// it), the 98 ms of silence at which a segment that became too long may be cut, and that the longest such silence is
// taken.
package vad
