// Package checksum verifies files by their SHA-256: files that the program unpacks, and folders with a list of
// checksums in the format of sha256sum. ONNX Runtime's library, the built-in model, installed models and recordings use
// it.
package checksum

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// SumReader returns the SHA-256 of what r reads, in hex.
func SumReader(r io.Reader) (string, error) {
	sum := sha256.New()
	_, err := io.Copy(sum, r)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// SumFile returns the SHA-256 of a file, in hex.
func SumFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return SumReader(f)
}

// UnpackFile writes what open returns to path, unless a file with the SHA-256 sum is there. It is replaced atomically:
// a process that has the file open or mapped keeps the old one. damaged reports that another content was there.
func UnpackFile(path, sum string, perm fs.FileMode, open func() (io.ReadCloser, error)) (damaged bool, err error) {
	switch had, err := SumFile(path); {
	case err == nil && had == sum:
		return false, nil
	case !errors.Is(err, fs.ErrNotExist):
		damaged = true
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return damaged, err
	}
	in, err := open()
	if err != nil {
		return damaged, err
	}
	defer in.Close()
	out, err := renameio.NewPendingFile(path, renameio.WithPermissions(perm), renameio.WithTempDir(filepath.Dir(path)))
	if err != nil {
		return damaged, err
	}
	defer func() { _ = out.Cleanup() }()
	got, err := SumReader(io.TeeReader(in, out))
	if err != nil {
		return damaged, err
	}
	if got != sum {
		return damaged, fmt.Errorf("%s: the checksum of what this program brings along is %s, want %s: the program's file "+
			"is damaged; install munadi again", filepath.Base(path), got, sum)
	}
	return damaged, out.CloseAtomicallyReplace()
}
