package badger

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"munadi/store/badger/logfile"
	"munadi/store/badger/tablefile"
)

// verifyTables reads each table that is not known once and verifies it.
func (f folderState) verifyTables(dir string, known verifiedTables) (all verifiedTables, err error) {
	all = verifiedTables{}
	for id := range f.manifest.Tables {
		t, isKnown := known[id]
		if !isKnown || !t.isCurrent(dir, id) {
			if t, err = f.verifyTable(dir, id); err != nil {
				return nil, err
			}
		}
		all[id] = t
	}
	return all, nil
}

// verifiedTable is the result of verifying a table. Tables are immutable: a changed modification time means that the
// table was repaired.
type verifiedTable struct {
	head     []byte // its first key
	damaged  bool   // a block is
	size     int64  // bytes
	written  time.Time
	level    uint8
	pointers []logfile.ValuePointer // to values in the value logs
}

// verifiedTables are tables by their numbers.
type verifiedTables map[uint64]verifiedTable

// verifyTable reads a table and verifies its checksums.
func (f folderState) verifyTable(dir string, id uint64) (verifiedTable, error) {
	var written time.Time
	if info, err := os.Stat(filepath.Join(dir, tableName(id))); err == nil {
		written = info.ModTime()
	}
	t, size, err := f.readTable(dir, id)
	if err != nil {
		return verifiedTable{}, err
	}
	damaged, pointers := t.VerifyBlocks()
	return verifiedTable{
		head: bytes.Clone(t.ListBlocks()[0].FirstKey), damaged: len(damaged) > 0, size: int64(size), written: written,
		level: f.manifest.Tables[id].Level, pointers: pointers,
	}, nil
}

// isCurrent reports whether the file is the one that was verified.
func (v verifiedTable) isCurrent(dir string, id uint64) bool {
	info, err := os.Stat(filepath.Join(dir, tableName(id)))
	return err == nil && info.ModTime().Equal(v.written) && info.Size() == v.size
}

// readTable reads and parses a table that the MANIFEST names, and returns its size in bytes.
func (f folderState) readTable(dir string, id uint64) (t *tablefile.TableFile, size int, err error) {
	name, written := tableName(id), f.manifest.Tables[id]
	content, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, folderFault(dir, "its table "+name+" is missing", err)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read the database's table %s: %w", name, err)
	}
	form, err := f.tableForm(written.KeyID, written.Compression)
	if err != nil {
		return nil, 0, err
	}
	if t, err = tablefile.ParseTable(content, form); err != nil {
		return nil, 0, folderFault(dir, "its table "+name+" cannot be read", err)
	}
	return t, len(content), nil
}
