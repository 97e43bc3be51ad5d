// Package audio decodes any accepted recording to the engine's input: 16 kHz mono float32.
//
// It is a leaf: it imports no speech recognition, model or HTTP, and from this module only its own internal packages.
//
// Decoding in order:
//
//	bytes → sniff (container by content, never by name) → source (interleaved PCM at its own rate)
//	      → mean of the channels → Resampler → clamp → Stream.Read
//
// Where untrusted bytes are parsed:
//
//   - WAV, FLAC and MP3 by Go code in this process; guard.go recovers from a decoder's panic.
//   - Ogg and WebM (Vorbis, Opus) in a sandboxed child process, because their decoders are C: this binary executed
//     again with Options.Helper, which runs RunHelper under resource limits and a system call filter (helper.go).
//   - Everything else by ffmpeg, if the machine has it, in a child under the same resource limits (ffmpeg.go).
//
// Choices that the contract leaves open:
//
//   - Channels are averaged with equal weight, whatever the layout says, unless Options.Channel takes one of two.
//   - Opus is decoded at 16 kHz by libopus itself, so it needs no resampling.
//   - A recording that stops in the middle of a frame, page, block or data chunk "breaks off" and is an error;
//     the samples before the break come first. Streaming recorders that leave the length open (0 or 0xFFFFFFFF)
//     are whole at any frame boundary. WAV, FLAC and MP3 that end at most 100 ms before the length that their header
//     promises are whole too.
//   - MP3 files joined end to end are one recording, at the first one's sample rate. Each loses its own encoder's delay
//     and padding.
//   - Floats beyond full scale are scaled down by a power of two: some programs write the values of integers as floats.
//     Where fewer than one sample in 10,000 lies beyond, these are clipped.
//   - A damaged page or frame is an error too: words must not go missing silently.
//   - The cap on the duration counts decoded samples, not what a header claims.
package audio
