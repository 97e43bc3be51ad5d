package backup

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"munadi/store/badger"
)

const (
	maxManifest = 1 << 20
	// maxWindow bounds the memory that a foreign zstd stream may ask for.
	maxWindow = 16 << 20
)

// sink takes the parts of a backup, each to its end or its own error.
type sink interface {
	database(dump io.Reader) (badger.Counts, error)
	file(name string, content io.Reader) error
}

// read reads a backup to its end, gives its parts to a sink and checks all of it.
func read(r io.Reader, lock Lock, to sink) (Manifest, error) {
	plain, err := lock.open(r)
	if err != nil {
		return Manifest{}, err
	}
	start := make([]byte, len(magic))
	if _, err := io.ReadFull(plain, start); err != nil || string(start) != magic {
		return Manifest{}, damaged("it does not begin as one")
	}
	unpacked, err := zstd.NewReader(plain, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow),
		zstd.WithDecoderMaxMemory(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return Manifest{}, damaged("%v", err)
	}
	defer unpacked.Close()
	return readParts(newPartReader(unpacked), to)
}

// readParts reads the parts in whatever order, each name once, and the manifest at the end.
func readParts(p *partReader, to sink) (Manifest, error) {
	var said *Manifest
	var seen Manifest
	names := map[string]bool{}
	for {
		name, err := p.next()
		if err != nil {
			return seen, err
		}
		switch {
		case name == "":
			if err := judge(said, seen, p); err != nil {
				return seen, err
			}
			return *said, nil
		case said != nil || names[name]:
			return seen, damaged("the part %q comes twice or after the manifest", name)
		case name == partManifest:
			said, err = readManifest(p)
		case name == partDatabase:
			seen.Database, err = to.database(p)
		case name == partSecret || folderFile(name):
			if err = to.file(name, p); name != partSecret {
				seen.Files++
			}
		default:
			err = damaged("the part %q belongs to no backup of this version", name)
		}
		if err != nil {
			return seen, err
		}
		if _, err := io.Copy(io.Discard, p); err != nil {
			return seen, err
		}
		names[name] = true
	}
}

// folderFile says whether name is that of a file in one of [Folders], and leads nowhere else.
func folderFile(name string) bool {
	folder, rest, ok := strings.Cut(name, "/")
	return ok && rest != "" && slices.Contains(Folders(), folder) &&
		fs.ValidPath(name) && !strings.ContainsAny(name, "\\\x00")
}

// readManifest reads it.
func readManifest(p *partReader) (*Manifest, error) {
	text, err := io.ReadAll(io.LimitReader(p, maxManifest+1))
	if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil || len(text) > maxManifest {
		return nil, damaged("its manifest cannot be read: %v", err)
	}
	return &m, nil
}

// judge compares what was read with what the manifest says.
func judge(said *Manifest, seen Manifest, p *partReader) error {
	switch {
	case said == nil:
		return damaged("it has no manifest")
	case seen.Database == nil:
		return damaged("it has no database")
	case said.Parts != p.totals.Parts, said.Bytes != p.totals.Bytes, said.Digest != p.totals.Digest,
		said.Files != seen.Files, !maps.Equal(said.Database, seen.Database):
		return damaged("it does not hold what its manifest says")
	default:
		return nil
	}
}

// checker is a sink that keeps nothing.
type checker struct{}

func (checker) database(dump io.Reader) (badger.Counts, error) { return badger.CheckDump(dump) }

func (checker) file(string, io.Reader) error { return nil }

// readBack reads a file that was just written: opened, or compared with the sum of what was written.
func readBack(path string, m Manifest, sum [sha256.Size]byte, lock Lock) (opened bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	if !lock.opens() {
		same := newSummed(io.Discard)
		if _, err := io.Copy(same, file); err != nil {
			return false, err
		}
		if same.sum() != sum {
			return false, errors.New("the disk gives back other bytes than were written")
		}
		return false, nil
	}
	seen, err := read(file, lock, checker{})
	if err == nil && !maps.Equal(seen.Database, m.Database) {
		err = fmt.Errorf("it holds %v, not %v", seen.Database, m.Database)
	}
	return true, err
}
