package model

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// fingerprintBytes is the number of bytes at each end of a file that are hashed into its bundle's name.
const fingerprintBytes = 64 << 10

// UnpackBundle writes the bundle in fsys into a folder of dir that is named by a hash of its content, unless it exists,
// and returns that folder. Files on disk can be memory-mapped, so that an embedded model needs no more memory than one
// on disk.
func UnpackBundle(fsys fs.FS, dir string) (ModelFolder, error) {
	names, err := fs.Glob(fsys, "*")
	if err != nil {
		return ModelFolder{}, err
	}
	id, err := fingerprintFiles(fsys, names)
	if err != nil {
		return ModelFolder{}, fmt.Errorf("read the embedded model: %w", err)
	}
	path := filepath.Join(dir, "model-"+id)
	if isComplete(fsys, names, path) {
		return FolderAt(path)
	}
	if err := unpackFiles(fsys, names, path); err != nil {
		return ModelFolder{}, fmt.Errorf("unpack the embedded model: %w", err)
	}
	return FolderAt(path)
}

// fingerprintFiles returns a hash over names, sizes and both ends of the files.
func fingerprintFiles(fsys fs.FS, names []string) (string, error) {
	sum := sha256.New()
	buf := make([]byte, fingerprintBytes)
	for _, name := range names {
		f, err := fsys.Open(name)
		if err != nil {
			return "", err
		}
		st, err := f.Stat()
		if err == nil {
			fmt.Fprintf(sum, "%s %d\n", name, st.Size())
			err = sampleEnds(sum, f, st.Size(), buf)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}

func sampleEnds(sum io.Writer, f fs.File, size int64, buf []byte) error {
	n, err := io.ReadFull(f, buf)
	if _, werr := sum.Write(buf[:n]); werr != nil {
		return werr
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	at, ok := f.(io.ReaderAt)
	if err != nil || !ok {
		return err
	}
	n, err = at.ReadAt(buf, max(size-fingerprintBytes, 0))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	_, werr := sum.Write(buf[:n])
	return errors.Join(err, werr)
}

// isComplete reports whether all files are in the folder, with their sizes.
func isComplete(fsys fs.FS, names []string, path string) bool {
	for _, name := range names {
		want, err := fs.Stat(fsys, name)
		if err != nil {
			return false
		}
		got, err := os.Stat(filepath.Join(path, name))
		if err != nil || got.Size() != want.Size() {
			return false
		}
	}
	return true
}

// unpackFiles writes into a temporary folder next to path and renames it, so that a folder at path is always complete.
// A folder that another process has completed meanwhile is kept: that process may have opened it.
func unpackFiles(fsys fs.FS, names []string, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(path), ".model-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	for _, name := range names {
		if err := copyFile(fsys, name, filepath.Join(temp, name)); err != nil {
			return err
		}
	}
	if os.Rename(temp, path) == nil || isComplete(fsys, names, path) {
		return nil
	}
	if err := os.RemoveAll(path); err != nil { // an incomplete one
		return err
	}
	return os.Rename(temp, path)
}

func copyFile(fsys fs.FS, name, path string) error {
	in, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
