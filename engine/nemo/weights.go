package nemo

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
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

// legacyMagic is 0x1950a86a20f9469cfc6c, little-endian, and legacyVersion what follows it.
var legacyMagic = []byte{0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19}

const legacyVersion = 1001

// readLegacy reads torch's format before 1.6: four pickles (magic number, version, system information, the
// state dict), the list of storage keys, and then each storage: a count of 8 bytes and the numbers.
func readLegacy(file *io.SectionReader, storages map[string]*tensorStorage) (any, error) {
	counted := &byteCounter{r: io.NewSectionReader(file, 0, file.Size())}
	in := bufio.NewReaderSize(counted, 1<<16)
	if err := readLegacyHeader(in); err != nil {
		return nil, err
	}
	root, err := unpickleTensors(in, storages)
	if err != nil {
		return nil, err
	}
	keys, err := unpickleTensors(in, map[string]*tensorStorage{})
	if err != nil {
		return nil, err
	}
	l, ok := keys.(*pickleList)
	if !ok {
		return nil, fmt.Errorf("the keys of the storages are a %T, want a list", keys)
	}
	at := counted.n - int64(in.Buffered())
	for _, key := range l.items {
		if at, err = findLegacy(file, storages, key, at); err != nil {
			return nil, err
		}
	}
	for key, s := range storages {
		if s.data == nil {
			return nil, fmt.Errorf("storage %s is missing", shortenText(key))
		}
	}
	return root, nil
}

// readLegacyHeader checks the three pickles before the state dict.
func readLegacyHeader(in *bufio.Reader) error {
	none := map[string]*tensorStorage{}
	magic, err := unpickleTensors(in, none)
	if err != nil {
		return fmt.Errorf("not a file that torch.save wrote: %w", err)
	}
	if b, ok := magic.([]byte); !ok || !bytes.Equal(b, legacyMagic) {
		return errors.New("not a file that torch.save wrote: its magic number differs")
	}
	version, err := unpickleTensors(in, none)
	if err != nil {
		return err
	}
	if version != int64(legacyVersion) {
		return fmt.Errorf("format version %v, want %d", version, legacyVersion)
	}
	facts, err := unpickleTensors(in, none)
	if err != nil {
		return err
	}
	if d, ok := facts.(pickleDict); !ok || d["little_endian"] != true {
		return errors.New("its byte order is not little-endian")
	}
	return nil
}

// findLegacy sets the data of a key's storage, which begins at offset at, and returns the offset of the next one.
func findLegacy(file *io.SectionReader, storages map[string]*tensorStorage, key any, at int64) (int64, error) {
	name, _ := key.(string)
	s := storages[name]
	if s == nil || s.data != nil {
		return 0, fmt.Errorf("the list of storages has %s, which is unused or occurs twice", shortenText(fmt.Sprint(key)))
	}
	count := make([]byte, 8)
	if _, err := file.ReadAt(count, at); err != nil {
		return 0, fmt.Errorf("storage %s is missing: %w", shortenText(name), err)
	}
	size := s.length * elementSizes[s.kind]
	if n := binary.LittleEndian.Uint64(count); n != uint64(s.length) || size > file.Size()-at-8 {
		return 0, fmt.Errorf("storage %s should have %d numbers; the file states %d and has %d bytes left",
			shortenText(name), s.length, n, file.Size()-at-8)
	}
	s.data = io.NewSectionReader(file, at+8, size)
	return at + 8 + size, nil
}

// byteCounter counts the bytes that were read.
type byteCounter struct {
	r io.Reader
	n int64
}

func (c *byteCounter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
