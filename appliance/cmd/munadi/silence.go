package main

import "io"

// silenceReader yields silent samples.
type silenceReader struct{ left int }

func (s *silenceReader) Read(p []float32) (int, error) {
	n := min(len(p), s.left)
	clear(p[:n])
	s.left -= n
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
