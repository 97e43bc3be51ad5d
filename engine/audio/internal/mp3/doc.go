// Package mp3 decodes MPEG audio layer III: MPEG-1 (ISO 11172-3), MPEG-2 (ISO 13818-3) and MPEG-2.5, to the mean of its
// channels. It is Go, so a stranger's bytes can at worst make it stop.
//
// Why of our own: the Go libraries refuse MPEG-2.5, which is what 8 kHz telephone recordings are.
//
// The two channels meet before the overlap-add of the inverse MDCT: everything after it is linear, so the mean of the
// channels costs one synthesis filter bank, not two.
//
// Strictness: a frame that is cut, or that lies about its bits, is an error. Tags between and behind frames are
// skipped. The encoder's delay and padding are removed when a LAME tag tells them.
package mp3
