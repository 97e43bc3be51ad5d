package modelhub

import (
	"crypto/sha1" //nolint:gosec // git names small files by it; weights have SHA-256
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"time"
)

// partialFile is a file that is being downloaded.
type partialFile struct {
	file     File
	out      *os.File
	at       int64 // bytes that are there
	sum      hash.Hash
	git      hash.Hash
	progress func(int64)
}

// resumePartial resumes an interrupted download: the bytes on disk are added to the checksums. Surplus bytes are
// truncated.
func (p *partialFile) resumePartial() error {
	p.restartPartial()
	n, err := io.Copy(p.checksumWriter(), io.LimitReader(p.out, p.file.Size))
	p.at = n
	return errors.Join(err, p.out.Truncate(n))
}

func (p *partialFile) restartPartial() {
	p.at, p.sum = 0, sha256.New()
	p.git = sha1.New() //nolint:gosec // see the import
	fmt.Fprintf(p.git, "blob %d\x00", p.file.Size)
}

// discardPartial begins the download anew.
func (p *partialFile) discardPartial() error {
	p.restartPartial()
	return p.out.Truncate(0)
}

func (p *partialFile) checksumWriter() io.Writer { return io.MultiWriter(p.sum, p.git) }

// verifyChecksum compares the file's SHA-256, or its git blob id, with the hub's.
func (p *partialFile) verifyChecksum() error {
	switch {
	case p.file.SHA256 != "" && p.file.SHA256 != hex.EncodeToString(p.sum.Sum(nil)):
		return newFault(BadChecksum, "its SHA-256 differs from the hub's; the file was removed, download it again")
	case p.file.SHA256 == "" && p.file.gitID != "" && p.file.gitID != hex.EncodeToString(p.git.Sum(nil)):
		return newFault(BadChecksum, "its checksum differs from the hub's; the file was removed, download it again")
	}
	return nil
}

// stallReader counts the bytes of a download, and resets the stall timer at each read.
type stallReader struct {
	in    io.Reader
	part  *partialFile
	timer *time.Timer
	err   error // of the connection
}

func (w *stallReader) Read(b []byte) (int, error) {
	n, err := w.in.Read(b)
	w.timer.Reset(stallAfter)
	w.part.at += int64(n)
	w.part.progress(w.part.at)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}
