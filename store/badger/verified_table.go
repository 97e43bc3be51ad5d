package badger

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"munadi/store/badger/tablefile"
)

// tableHeads are the first keys of tables, by their numbers.
type tableHeads map[uint64][]byte

// findDamagedTables reads each table that is not known once and returns the tables with damaged blocks and the first
// keys of all.
func (f folderState) findDamagedTables(
	dir string, known verifiedTables,
) (damaged []uint64, heads tableHeads, err error) {
	heads = tableHeads{}
	for id := range f.manifest.Tables {
		t, isKnown := known[id]
		if !isKnown || !t.isCurrent(dir, id) {
			if t, err = f.verifyTable(dir, id); err != nil {
				return nil, nil, err
			}
		}
		heads[id] = t.head
		if t.damaged {
			damaged = append(damaged, id)
		}
	}
	return damaged, heads, nil
}

// verifiedTable is the result of verifying a table. Tables are immutable: a changed modification time means that the
// table was repaired.
type verifiedTable struct {
	head    []byte // its first key
	damaged bool   // a block is
	size    int64  // bytes
	written time.Time
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
	head := bytes.Clone(t.ListBlocks()[0].FirstKey)
	return verifiedTable{head, len(t.DamagedBlocks()) > 0, int64(size), written}, nil
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
