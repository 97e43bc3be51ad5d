package nemo

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// Names of the mandatory members of a checkpoint.
const (
	configMember  = "model_config.yaml"
	weightsMember = "model_weights.ckpt"
)

// Limits of an archive.
const (
	maxMembers  = 1000
	maxConfig   = 8 << 20  // bytes of model_config.yaml
	maxArtifact = 16 << 20 // bytes of a tokenizer's file

	// Maximum decompression ratio (zip bomb guard); trained weights hardly compress.
	maxRatio = 20
	minSpool = 64 << 20 // decompressed bytes allowed at any ratio
)

// ErrHostile is returned for a potentially malicious archive: members outside the folder, links, code.
var ErrHostile = errors.New("the archive is refused")

// nemoArchive is an open tar file. Members are found by their base names: old checkpoints lack "./" and the hash
// prefix.
type nemoArchive struct {
	file    *os.File
	spool   string // path of the unpacked copy, empty for a plain tar
	members map[string]*io.SectionReader
}

// openArchive reads the index of the tar file at name. A compressed one is decompressed into a temporary file in
// spoolDir.
func openArchive(name, spoolDir string) (*nemoArchive, error) {
	if st, err := os.Stat(name); err != nil || !st.Mode().IsRegular() { // opening a pipe would block
		return nil, errors.Join(err, fmt.Errorf("%s is not a regular file", name))
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a := &nemoArchive{file: file, members: map[string]*io.SectionReader{}}
	if err := a.unpackGzip(spoolDir); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if err := a.listMembers(); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// Close frees the file and removes the unpacked copy.
func (a *nemoArchive) Close() error {
	err := a.file.Close()
	if a.spool != "" {
		err = errors.Join(err, os.Remove(a.spool))
	}
	return err
}

// unpackGzip replaces a gzip file by a decompressed copy; other files are unchanged.
func (a *nemoArchive) unpackGzip(dir string) error {
	magic := make([]byte, 2)
	if _, err := a.file.ReadAt(magic, 0); err != nil {
		return fmt.Errorf("the file is too short to be a NeMo checkpoint: %w", err)
	}
	if magic[0] != 0x1f || magic[1] != 0x8b {
		return nil
	}
	st, err := a.file.Stat()
	if err != nil {
		return err
	}
	packed, err := gzip.NewReader(a.file)
	if err != nil {
		return fmt.Errorf("read the gzip archive: %w", err)
	}
	spool, err := os.CreateTemp(dir, ".unpacked-*")
	if err != nil {
		return err
	}
	limit := max(st.Size()*maxRatio, minSpool)
	n, err := io.Copy(spool, io.LimitReader(packed, limit+1))
	packedFile := a.file
	a.file, a.spool = spool, spool.Name()
	if err = errors.Join(err, packedFile.Close()); err != nil {
		return fmt.Errorf("unpack the gzip archive: %w", err)
	}
	if n > limit {
		return fmt.Errorf("%w: it unpacks to more than %d times its size", ErrHostile, maxRatio)
	}
	return nil
}

// listMembers reads all headers. After a header the file offset is at the member's data, so that members can be read in
// place later.
func (a *nemoArchive) listMembers() error {
	st, err := a.file.Stat()
	if err != nil {
		return err
	}
	if _, err := a.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	headers := tar.NewReader(a.file)
	for range maxMembers {
		h, err := headers.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("not a NeMo checkpoint, or a truncated one (invalid tar format): %w", err)
		}
		if err := a.addMember(h, st.Size()); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: it has more than %d members", ErrHostile, maxMembers)
}

// addMember adds a member to the list; an error refuses the archive.
func (a *nemoArchive) addMember(h *tar.Header, size int64) error {
	if err := checkMember(h); err != nil {
		return err
	}
	if h.Typeflag != tar.TypeReg {
		return nil
	}
	at, err := a.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	base := path.Base(h.Name)
	if h.Size > size-at {
		return fmt.Errorf("the checkpoint is truncated: %s should have %d bytes, the file has %d more",
			base, h.Size, size-at)
	}
	if a.members[base] != nil {
		return fmt.Errorf("%w: it has two members named %q", ErrHostile, base)
	}
	a.members[base] = io.NewSectionReader(a.file, at, h.Size)
	return nil
}

// checkMember refuses names outside the archive's folder (path traversal), and members other than files and folders.
func checkMember(h *tar.Header) error {
	clean := path.Clean(strings.ReplaceAll(h.Name, `\`, "/"))
	if path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") {
		return fmt.Errorf("%w: member %q is outside the archive's folder", ErrHostile, h.Name)
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return fmt.Errorf("%w: member %q is a sparse file", ErrHostile, h.Name)
		}
	}
	switch h.Typeflag {
	case tar.TypeReg, tar.TypeDir, tar.TypeXGlobalHeader:
		return nil
	case tar.TypeSymlink, tar.TypeLink:
		return fmt.Errorf("%w: member %q is a link", ErrHostile, h.Name)
	}
	return fmt.Errorf("%w: member %q is neither a file nor a folder", ErrHostile, h.Name)
}

// readMember returns a small member's bytes.
func (a *nemoArchive) readMember(name string, limit int64) ([]byte, error) {
	m := a.members[name]
	if m == nil {
		return nil, fmt.Errorf("not a complete NeMo checkpoint: it lacks %s", name)
	}
	if m.Size() > limit {
		return nil, fmt.Errorf("%s has %d bytes; at most %d are accepted", name, m.Size(), limit)
	}
	b := make([]byte, m.Size())
	_, err := io.ReadFull(io.NewSectionReader(m, 0, m.Size()), b)
	return b, err
}
