package asset

import (
	"bytes"
	"compress/gzip"
	"sync"
)

// GzipCompressor compresses at one level. It keeps its writers, of which one takes 1.2 MB. It is safe for concurrent
// use.
type GzipCompressor struct{ writers sync.Pool }

// NewCompressor returns a compressor of a level of package gzip.
func NewCompressor(level int) *GzipCompressor {
	return &GzipCompressor{sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(nil, level) // a valid level is no error
		return w
	}}}
}

// Compress returns a compressed body.
func (c *GzipCompressor) Compress(body []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, _ := c.writers.Get().(*gzip.Writer)
	defer c.writers.Put(w)
	w.Reset(&packed)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
