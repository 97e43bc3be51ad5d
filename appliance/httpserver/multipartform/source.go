package multipartform

import (
	"errors"
	"fmt"
	"io"
)

// bodyReader enforces the size limit of a body and records why reading ended.
type bodyReader struct {
	r       io.Reader
	limited bool
	left    int64 // bytes still allowed, when limited
	err     error // ErrTooLarge or ErrBroken
}

func (s *bodyReader) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	s.left -= int64(n)
	if s.limited && s.left < 0 {
		s.err = ErrTooLarge
		return 0, s.err
	}
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = fmt.Errorf("%w: %w", ErrBroken, err)
		return n, s.err
	}
	return n, err
}

// drainBody reads the epilogue after the closing boundary: only when a body has been read to its end can net/http
// notice a client that disconnects later. Its error stays in s.err.
func (s *bodyReader) drainBody() {
	_, _ = io.CopyBuffer(io.Discard, onlyReader{s}, make([]byte, copySize))
}

// onlyReader hides WriterTo and similar methods, which would choose their own buffers.
type onlyReader struct{ io.Reader }
