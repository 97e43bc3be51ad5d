package model

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"munadi/engine/checksum"
)

// UnpackBundle writes the bundle in fsys into a folder of dir that is named by a hash of its content, and returns that
// folder. Files that are there are verified by their SHA-256; the names of damaged ones, which it replaces, are
// returned. Files on disk can be memory-mapped, so that an embedded model needs no more memory than one on disk.
func UnpackBundle(fsys fs.FS, dir string) (folder ModelFolder, damaged []string, err error) {
	sums, err := bundleSums(fsys)
	if err != nil {
		return ModelFolder{}, nil, fmt.Errorf("read the embedded model: %w", err)
	}
	names := slices.Sorted(maps.Keys(sums))
	id := sha256.New()
	for _, name := range names {
		fmt.Fprintf(id, "%s  %s\n", sums[name], name)
	}
	path := filepath.Join(dir, "model-"+hex.EncodeToString(id.Sum(nil))[:16])
	for _, name := range names {
		open := func() (io.ReadCloser, error) { return fsys.Open(name) }
		replaced, err := checksum.UnpackFile(filepath.Join(path, name), sums[name], 0o600, open)
		if err != nil {
			return ModelFolder{}, nil, fmt.Errorf("unpack the embedded model: %w", err)
		}
		if replaced {
			damaged = append(damaged, filepath.Join(path, name))
		}
	}
	folder, err = FolderAt(path)
	return folder, damaged, err
}

// bundleSums returns the SHA-256 of a bundle's files: those that munadi.json names, so that an embedded file need not
// be read, and those of the others.
func bundleSums(fsys fs.FS) (map[string]string, error) {
	var described struct {
		Files map[string]string `json:"files"`
	}
	if err := readJSON(ModelFolder{fsys: fsys}, "munadi.json", &described); err != nil {
		return nil, err
	}
	names, err := fs.Glob(fsys, "*")
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for _, name := range names {
		if sums[name] = described.Files[name]; sums[name] == "" {
			if sums[name], err = sumEmbedded(fsys, name); err != nil {
				return nil, err
			}
		}
	}
	return sums, nil
}

func sumEmbedded(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	return checksum.SumReader(f)
}
