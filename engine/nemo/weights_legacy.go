package nemo

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

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
