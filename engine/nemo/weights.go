package nemo

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// maxDirectory is the maximum size of a zip file's central directory in bytes; 2,000 tensors need 200 kB.
const maxDirectory = 16 << 20

// readWeights finds the tensors of a state dict that torch.save wrote.
func readWeights(file *io.SectionReader) (map[string]StoredTensor, error) {
	magic := make([]byte, 4)
	if _, err := file.ReadAt(magic, 0); err != nil {
		return nil, fmt.Errorf("%s is too short: %w", weightsMember, err)
	}
	storages := map[string]*tensorStorage{}
	var root any
	var err error
	if string(magic) == "PK\x03\x04" {
		root, err = readZip(file, storages)
	} else {
		root, err = readLegacy(file, storages)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", weightsMember, err)
	}
	var bytes int64
	for _, s := range storages {
		bytes += s.length * elementSizes[s.kind]
	}
	if bytes > file.Size() {
		return nil, fmt.Errorf("%w: the storages of %s overlap", ErrHostile, weightsMember)
	}
	return stateDict(root, storages)
}

// stateDict returns the tensors of an unpickled state dict. Tensors may share storages (tied weights), if they have at
// most about twice as many elements as the storages.
func stateDict(root any, storages map[string]*tensorStorage) (map[string]StoredTensor, error) {
	d, ok := root.(pickleDict)
	if !ok {
		return nil, fmt.Errorf("%s is a %T, want a state dict", weightsMember, root)
	}
	tensors := make(map[string]StoredTensor, len(d))
	var stored, viewed int64
	for _, s := range storages {
		stored += s.length
	}
	for name, v := range d {
		t, ok := v.(StoredTensor)
		if !ok {
			return nil, fmt.Errorf("%s: %s is a %T, want a tensor; it is not a NeMo model's state dict",
				weightsMember, shortenText(name), v)
		}
		tensors[name] = t
		viewed += t.Len()
	}
	if viewed/2 > stored {
		return nil, fmt.Errorf("%w: its tensors share storages and are %d times as large as these",
			ErrHostile, viewed/max(stored, 1))
	}
	return tensors, nil
}

// readZip reads torch's format since 1.6: stored members STEM/data.pkl and STEM/data/KEY.
func readZip(file *io.SectionReader, storages map[string]*tensorStorage) (any, error) {
	limited := &limitedFile{ReaderAt: file, left: maxDirectory}
	z, err := zip.NewReader(limited, file.Size())
	if err != nil {
		return nil, fmt.Errorf("not a zip file, or a truncated one: %w", err)
	}
	limited.left = -1
	members := make(map[string]*zip.File, len(z.File))
	stem := ""
	for _, f := range z.File {
		members[f.Name] = f
		if path.Base(f.Name) == "data.pkl" {
			stem = strings.TrimSuffix(f.Name, "data.pkl")
		}
	}
	pickle := members[stem+"data.pkl"]
	if pickle == nil {
		return nil, errors.New("the zip file has no data.pkl: torch.save did not write it")
	}
	if err := checkByteOrder(members[stem+"byteorder"]); err != nil {
		return nil, err
	}
	in, err := pickle.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	root, err := unpickleTensors(bufio.NewReader(in), storages)
	if err != nil {
		return nil, err
	}
	for _, s := range storages {
		if err := s.findInZip(file, members[stem+"data/"+s.key]); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// checkByteOrder refuses weights that were written on a big-endian machine; older files lack the member.
func checkByteOrder(f *zip.File) error {
	if f == nil {
		return nil
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	order, err := io.ReadAll(io.LimitReader(in, 16))
	if err == nil && string(order) != "little" {
		err = fmt.Errorf("its byte order is %s, want little", shortenText(string(order)))
	}
	return err
}

// findInZip sets the storage's data to its member's bytes, and verifies their checksum.
func (s *tensorStorage) findInZip(file *io.SectionReader, f *zip.File) error {
	if f == nil {
		return fmt.Errorf("storage %s is missing", shortenText(s.key))
	}
	at, err := f.DataOffset()
	if err != nil {
		return err
	}
	size := s.length * elementSizes[s.kind]
	if f.Method != zip.Store || f.UncompressedSize64 < uint64(size) || at > file.Size()-size {
		return fmt.Errorf("storage %s should have %d bytes, its member has %d (compression method %d, want 0)",
			shortenText(s.key), size, f.UncompressedSize64, f.Method)
	}
	s.data = io.NewSectionReader(file, at, size)
	in, err := f.Open()
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	if err := errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("storage %s is damaged: %w", shortenText(s.key), err)
	}
	return nil
}

// limitedFile is a file with a read limit in bytes; negative: unlimited.
type limitedFile struct {
	io.ReaderAt
	left int64
}

func (b *limitedFile) ReadAt(p []byte, at int64) (int, error) {
	if b.left >= 0 {
		if int64(len(p)) > b.left {
			return 0, fmt.Errorf("its directory is larger than %d MiB", maxDirectory>>20)
		}
		b.left -= int64(len(p))
	}
	return b.ReaderAt.ReadAt(p, at)
}
