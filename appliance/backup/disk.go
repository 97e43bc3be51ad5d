package backup

import (
	"crypto/sha256"
	"hash"
	"io"
	"os"
)

// checksumWriter is a writer that computes the checksum of the bytes written.
type checksumWriter struct {
	io.Writer
	h hash.Hash
}

func newSummed(w io.Writer) *checksumWriter {
	h := sha256.New()
	return &checksumWriter{io.MultiWriter(w, h), h}
}

func (s *checksumWriter) checksum() [sha256.Size]byte { return [sha256.Size]byte(s.h.Sum(nil)) }

// syncFolder syncs a folder, which makes renames in it durable.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
