package model

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ModelFolder is where a model's files are. Files of a folder on disk are mapped, others are read.
type ModelFolder struct {
	fsys fs.FS
	dir  string // empty: not on disk
}

// FolderAt returns a model folder on disk.
func FolderAt(path string) (ModelFolder, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return ModelFolder{}, err
	}
	st, err := os.Stat(abs)
	if err != nil {
		return ModelFolder{}, fmt.Errorf("model folder: %w", err)
	}
	switch {
	case st.IsDir():
	case filepath.Ext(path) == ".nemo":
		return ModelFolder{}, fmt.Errorf("model folder: %s is a NeMo checkpoint; install it with munadi model import", path)
	default:
		return ModelFolder{}, fmt.Errorf("model folder: %s is a file; give the folder with the ONNX files", path)
	}
	return ModelFolder{fsys: os.DirFS(abs), dir: abs}, nil
}

// defaultName returns the name of a model whose configuration has none.
func (f ModelFolder) defaultName() string {
	if f.dir == "" {
		return "unnamed"
	}
	return filepath.Base(f.dir)
}

// fileBytes is a file's bytes; close unmaps them, after which nothing may point into them.
type fileBytes struct {
	bytes []byte
	path  string // of the file on disk, links resolved (hub caches are made of links); empty: not on disk
	close func()
}

// dropPages releases the memory of pages read so far; later reads load them again.
func (b fileBytes) dropPages() {
	if b.path != "" {
		_ = unix.Madvise(b.bytes, unix.MADV_DONTNEED) // only a hint
	}
}

// openFile returns the whole file. Weights that are kept must be copied before close.
func (f ModelFolder) openFile(name string) (fileBytes, error) {
	b, err := f.readFile(name)
	if err == nil && bytes.HasPrefix(b.bytes, []byte(lfsPointerPrefix)) {
		b.close()
		return fileBytes{}, fmt.Errorf("%s is a Git LFS pointer, not the file itself; fetch it with git lfs pull", name)
	}
	return b, err
}

// lfsPointerPrefix is the beginning of a Git LFS pointer file, whose content was not fetched.
const lfsPointerPrefix = "version https://git-lfs"

func (f ModelFolder) readFile(name string) (fileBytes, error) {
	if f.dir != "" {
		return mapFile(filepath.Join(f.dir, name))
	}
	b, err := fs.ReadFile(f.fsys, name)
	return fileBytes{bytes: b, close: func() {}}, err
}

func mapFile(path string) (fileBytes, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fileBytes{}, err
	}
	file, err := os.Open(path)
	if err != nil {
		return fileBytes{}, err
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil {
		return fileBytes{}, err
	}
	if st.Size() == 0 {
		return fileBytes{}, fmt.Errorf("%s is empty", filepath.Base(path))
	}
	b, err := unix.Mmap(int(file.Fd()), 0, int(st.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return fileBytes{}, fmt.Errorf("map %s: %w", filepath.Base(path), err)
	}
	return fileBytes{bytes: b, path: path, close: func() { _ = unix.Munmap(b) }}, nil
}

// firstExisting returns the first of the names that exists, or empty.
func (f ModelFolder) firstExisting(names ...string) string {
	for _, name := range names {
		if st, err := fs.Stat(f.fsys, name); err == nil && !st.IsDir() {
			return name
		}
	}
	return ""
}

// maxSmallFile is the largest size of a vocabulary, a tokenizer or a configuration, in bytes.
const maxSmallFile = 64 << 20

// readSmallFile reads a small file; missing is nil, nil. A pipe or a device, which could block forever, is an error.
func (f ModelFolder) readSmallFile(name string) ([]byte, error) {
	st, err := fs.Stat(f.fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxSmallFile {
		return nil, fmt.Errorf("%s: want a regular file of at most %d MiB", name, maxSmallFile>>20)
	}
	return fs.ReadFile(f.fsys, name)
}
