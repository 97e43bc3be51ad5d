package backup

import (
	"crypto/sha256"
	"hash"
	"io"
	"os"
)

// summed is a writer that sums what it writes.
type summed struct {
	io.Writer
	h hash.Hash
}

func newSummed(w io.Writer) *summed {
	h := sha256.New()
	return &summed{io.MultiWriter(w, h), h}
}

func (s *summed) sum() [sha256.Size]byte { return [sha256.Size]byte(s.h.Sum(nil)) }

// syncFolder makes the names in a folder last.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
