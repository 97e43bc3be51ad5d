// Package audio decodes any accepted recording to the engine's input: 16 kHz mono float32.
//
// It imports no speech recognition, model or HTTP package, and from this module only its own internal packages.
//
// Decoding in order:
//
//	bytes → sniff (container by content, never by name) → source (interleaved PCM at its own rate)
//	      → mean of the channels → Resampler → clamp → SampleStream.Read
//
// Where untrusted bytes are parsed:
//
//   - WAV, FLAC and MP3 by Go code in this process; child.go recovers from a decoder's panic.
//   - Ogg and WebM (Vorbis, Opus) in a sandboxed child process, because their decoders are C: this binary executed
//     again with DecodeOptions.Helper, which runs RunHelper under resource limits and a system call filter (child.go).
//   - Everything else by ffmpeg, if the machine has it, in a child under the same resource limits (ffmpeg.go).
//
// Choices that the contract leaves open:
//
//   - Channels are averaged with equal weight, whatever the layout, unless DecodeOptions.Channel selects one of two.
//   - Opus is decoded at 16 kHz by libopus itself, so it needs no resampling.
//   - A recording that stops in the middle of a frame, page, block or data chunk is truncated, which is an error;
//     the samples before that point are returned first. Recordings of streaming recorders, which leave the length
//     open (0 or 0xFFFFFFFF), are complete at any frame boundary. WAV, FLAC and MP3 that end at most 100 ms before
//     the length stated in their header are complete too.
//   - Concatenated MP3 files are one recording, at the first one's sample rate. The encoder's delay and
//     padding are removed from each. So are FLAC files of one form; tags and padding between them are skipped.
//   - Floats beyond full scale are scaled down by a power of two: some programs write the values of integers as floats.
//     If fewer than one sample in 10,000 is beyond, these are clipped.
//   - A damaged page or frame is an error too: words must not be lost silently.
//   - The duration limit counts decoded samples, not the length stated in a header.
package audio
