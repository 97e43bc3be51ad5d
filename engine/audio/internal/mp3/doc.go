// Package mp3 decodes MPEG audio layer III: MPEG-1 (ISO 11172-3), MPEG-2 (ISO 13818-3) and MPEG-2.5, to the mean of its
// channels. It is memory-safe Go, so malicious input can at worst cause an error.
//
// The Go libraries do not support MPEG-2.5, the format of 8 kHz telephone recordings.
//
// The channels are averaged before the overlap-add of the inverse MDCT: all steps after it are linear, so the mean
// needs one synthesis filter bank instead of two.
//
// A truncated frame, or one with inconsistent bit counts, is an error. Tags between and after frames are skipped. The
// encoder's delay and padding are removed when a LAME tag states them.
package mp3
