package stt

import (
	"io"
	"os"
	"sync/atomic"
)

// readMeter measures how much of a file has been read: an estimate of the progress for audio of unknown length.
type readMeter struct {
	file *os.File
	size int64
	at   atomic.Int64
}

func newMeter(f *os.File) *readMeter {
	m := &readMeter{file: f}
	if info, err := f.Stat(); err == nil {
		m.size = info.Size()
	}
	return m
}

// readShare returns the share of the file that has been read, 0..1.
func (m *readMeter) readShare() float64 {
	if m.size <= 0 {
		return 0
	}
	return min(float64(m.at.Load())/float64(m.size), 1)
}

// Read implements io.Reader.
func (m *readMeter) Read(p []byte) (int, error) {
	n, err := m.file.Read(p)
	m.at.Add(int64(n))
	return n, err
}

// Seek implements io.Seeker.
func (m *readMeter) Seek(offset int64, whence int) (int64, error) {
	at, err := m.file.Seek(offset, whence)
	if err == nil && whence != io.SeekEnd {
		m.at.Store(at)
	}
	return at, err
}
