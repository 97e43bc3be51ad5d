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
	"reflect"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"munadi/store/badger"
)

const (
	maxManifest = 1 << 20
	// maxWindow limits the memory of decoding an untrusted zstd stream.
	maxWindow = 16 << 20
)

// partSink receives the parts of a backup; each is read to its end or to an error.
type partSink interface {
	readDatabase(dump io.Reader) (badger.RecordCounts, error)
	readFile(name string, content io.Reader) error
}

// readBackup reads a backup to its end, passes its parts to a sink and verifies all of it.
func readBackup(r io.Reader, lock BackupLock, to partSink) (BackupManifest, error) {
	plain, err := lock.newDecrypter(r)
	if err != nil {
		return BackupManifest{}, err
	}
	start := make([]byte, len(magic))
	if _, err := io.ReadFull(plain, start); err != nil {
		return BackupManifest{}, newDamagedError("its beginning cannot be read: %v", err)
	}
	if string(start) != magic {
		return BackupManifest{}, newDamagedError("it does not begin with %q", strings.TrimSpace(magic))
	}
	unpacked, err := zstd.NewReader(plain, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow),
		zstd.WithDecoderMaxMemory(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return BackupManifest{}, newDamagedError("%v", err)
	}
	defer unpacked.Close()
	return readParts(newPartReader(unpacked), to)
}

// readParts reads the parts in any order, each name once, and the manifest at the end.
func readParts(p *partReader, to partSink) (BackupManifest, error) {
	var said *BackupManifest
	var seen BackupManifest
	names := map[string]bool{}
	for {
		name, err := p.nextPart()
		if err != nil {
			return seen, err
		}
		switch {
		case name == "":
			if err := checkManifest(said, seen, p); err != nil {
				return seen, err
			}
			return *said, nil
		case said != nil || names[name]:
			return seen, newDamagedError("the part %q comes twice or after the manifest", name)
		case name == partManifest:
			said, err = readManifest(p)
		case name == partDatabase:
			seen.Database, err = to.readDatabase(p)
			err = seen.takeMissing(err)
		case name == partSecret || folderFile(name):
			if err = to.readFile(name, p); name != partSecret {
				seen.Files++
			}
		default:
			err = newDamagedError("the part %q belongs to no backup of this version", name)
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

// folderFile reports whether name is a valid path in one of [BackupFolders] (no path traversal).
func folderFile(name string) bool {
	folder, rest, ok := strings.Cut(name, "/")
	return ok && rest != "" && slices.Contains(BackupFolders(), folder) &&
		fs.ValidPath(name) && !strings.ContainsAny(name, "\\\x00")
}

// readManifest parses the manifest.
func readManifest(p *partReader) (*BackupManifest, error) {
	text, err := io.ReadAll(io.LimitReader(p, maxManifest+1))
	if err != nil {
		return nil, err
	}
	var m BackupManifest
	if err := json.Unmarshal(text, &m); err != nil || len(text) > maxManifest {
		return nil, newDamagedError("its manifest cannot be read: %v", err)
	}
	return &m, nil
}

// checkManifest compares the parts read with the manifest.
func checkManifest(said *BackupManifest, seen BackupManifest, p *partReader) error {
	switch {
	case said == nil:
		return newDamagedError("it has no manifest")
	case seen.Database == nil:
		return newDamagedError("it has no database")
	case said.Parts != p.totals.Parts, said.Bytes != p.totals.Bytes, said.Digest != p.totals.Digest,
		said.Files != seen.Files, !maps.Equal(said.Database, seen.Database), !reflect.DeepEqual(said.Missing, seen.Missing):
		return newDamagedError("it does not hold what its manifest says")
	default:
		return nil
	}
}

// verifySink is a sink that discards all parts.
type verifySink struct{}

func (verifySink) readDatabase(dump io.Reader) (badger.RecordCounts, error) {
	return badger.CheckDump(dump, func([]byte, []byte) {})
}

func (verifySink) readFile(string, io.Reader) error { return nil }

// readBack verifies a file that was just written: by decrypting it, or by comparing its checksum.
func readBack(path string, m BackupManifest, sum [sha256.Size]byte, lock BackupLock) (opened bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	if !lock.canOpen() {
		same := newSummed(io.Discard)
		if _, err := io.Copy(same, file); err != nil {
			return false, err
		}
		if same.checksum() != sum {
			return false, errors.New("the disk returned other bytes than were written")
		}
		return false, nil
	}
	seen, err := readBackup(file, lock, verifySink{})
	if err == nil && !maps.Equal(seen.Database, m.Database) {
		err = fmt.Errorf("it holds %v, not %v", seen.Database, m.Database)
	}
	return true, err
}
