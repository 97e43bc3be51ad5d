package backup

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"munadi/store/call"
)

const (
	maxName  = 1 << 10 // longest name of a part, in bytes
	maxChunk = 1 << 20
)

// partWriter writes the parts of a backup one after another.
type partWriter struct {
	to     *bufio.Writer
	sum    hash.Hash // of the part
	all    hash.Hash // of the parts so far
	name   string
	size   int64
	totals BackupManifest // Parts, Bytes and Digest so far

	recordings recordingSums // of the database
	damaged    []string      // recordings that are not as they were written
}

func newPartWriter(w io.Writer) *partWriter {
	return &partWriter{to: bufio.NewWriterSize(w, 64<<10), all: sha256.New(), recordings: recordingSums{}}
}

// beginPart starts a part.
func (p *partWriter) beginPart(name string) error {
	p.name, p.size, p.sum = name, 0, sha256.New()
	p.writeVarint(uint64(len(name)))
	_, err := p.to.WriteString(name)
	return err
}

// Write appends to the part.
func (p *partWriter) Write(b []byte) (int, error) {
	written := 0
	for chunk := range splitChunks(b) {
		p.writeVarint(uint64(len(chunk)))
		n, err := p.to.Write(chunk)
		if written += n; err != nil {
			return written, err
		}
	}
	p.sum.Write(b)
	p.size += int64(len(b))
	return written, nil
}

// endPart finishes the part.
func (p *partWriter) endPart() error {
	sum := p.sum.Sum(nil)
	countPart(&p.totals, p.all, p.name, p.size, sum)
	got := call.RecordingSum{Size: p.size, SHA256: hex.EncodeToString(sum)}
	if want, known := p.recordings[p.name]; known && want != got {
		p.damaged = append(p.damaged, p.name)
	}
	p.writeVarint(0)
	_, err := p.to.Write(sum)
	return err
}

// closeFile writes the end of the file.
func (p *partWriter) closeFile() error {
	p.writeVarint(0)
	return p.to.Flush()
}

// writeVarint writes a varint; an error is reported by the next flush.
func (p *partWriter) writeVarint(n uint64) { _, _ = p.to.Write(binary.AppendUvarint(nil, n)) }

// splitChunks splits b into chunks of at most maxChunk bytes.
func splitChunks(b []byte) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(b) > 0 {
			n := min(len(b), maxChunk)
			if !yield(b[:n]) {
				return
			}
			b = b[n:]
		}
	}
}

// countPart adds a part to the totals.
func countPart(totals *BackupManifest, all hash.Hash, name string, size int64, sum []byte) {
	fmt.Fprintf(all, "%q %d %x\n", name, size, sum)
	totals.Parts++
	totals.Bytes += size
	totals.Digest = hex.EncodeToString(all.Sum(nil))
}

// ErrDamaged means that a file is not a backup, is truncated or was modified.
var ErrDamaged = errors.New("the file is not a backup, or it is damaged")

// newDamagedError returns an ErrDamaged with details.
func newDamagedError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// partReader reads the parts of a backup one after another, and provides the bytes of one part until its checksum is
// verified. It allocates no more memory than bytes have been read.
type partReader struct {
	from   *bufio.Reader
	sum    hash.Hash
	all    hash.Hash
	name   string
	size   int64
	left   uint64 // bytes left in the chunk
	done   bool   // the part's end has been read
	totals BackupManifest
}

func newPartReader(r io.Reader) *partReader {
	return &partReader{from: bufio.NewReaderSize(r, 64<<10), all: sha256.New(), done: true}
}

// nextPart starts the next part and returns its name; empty at the end of the file.
func (p *partReader) nextPart() (string, error) {
	if !p.done {
		return "", newDamagedError("the part %q was not read to its end", p.name)
	}
	length, err := binary.ReadUvarint(p.from)
	if err != nil {
		return "", newDamagedError("it breaks off: %v", err)
	}
	if length == 0 {
		if _, err := p.from.ReadByte(); !errors.Is(err, io.EOF) {
			return "", newDamagedError("something follows its end: %v", err)
		}
		return "", nil
	}
	if length > maxName {
		return "", newDamagedError("a name of %d bytes", length)
	}
	name := make([]byte, length)
	if _, err := io.ReadFull(p.from, name); err != nil {
		return "", newDamagedError("it breaks off: %v", err)
	}
	p.name, p.size, p.sum, p.left, p.done = string(name), 0, sha256.New(), 0, false
	return p.name, nil
}

// Read implements io.Reader for the part; io.EOF means that its checksum is correct.
func (p *partReader) Read(b []byte) (int, error) {
	if p.done {
		return 0, io.EOF
	}
	if p.left == 0 {
		size, err := binary.ReadUvarint(p.from)
		switch {
		case err != nil:
			return 0, newDamagedError("it breaks off in %q: %v", p.name, err)
		case size > maxChunk:
			return 0, newDamagedError("a chunk of %d bytes", size)
		case size == 0:
			return 0, p.verifyPart()
		}
		p.left = size
	}
	n, err := p.from.Read(b[:min(uint64(len(b)), p.left)])
	p.sum.Write(b[:n])
	p.left -= uint64(n)
	p.size += int64(n)
	if err != nil {
		return n, newDamagedError("it breaks off in %q: %v", p.name, err)
	}
	return n, nil
}

// verifyPart compares the part with its checksum.
func (p *partReader) verifyPart() error {
	var want [sha256.Size]byte
	if _, err := io.ReadFull(p.from, want[:]); err != nil {
		return newDamagedError("it breaks off in %q: %v", p.name, err)
	}
	sum := p.sum.Sum(nil)
	if !bytes.Equal(sum, want[:]) {
		return newDamagedError("the part %q was changed", p.name)
	}
	p.done = true
	if p.name != partManifest {
		countPart(&p.totals, p.all, p.name, p.size, sum)
	}
	return io.EOF
}
