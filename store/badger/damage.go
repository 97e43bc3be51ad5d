package badger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/y"
	"github.com/google/renameio/v2"

	"munadi/store/badger/tablefile"
)

// damagedFolder holds the original files of tables with damaged blocks, each with a JSON file of metadata. At every
// opening the lost key ranges are computed from these files; if they are removed, the lost records are reported as not
// found.
const damagedFolder = "damaged"

// damagedTable is the metadata stored with a damaged table's file, as JSON.
type damagedTable struct {
	KeyID       uint64                  `json:"key_id"`
	Compression options.CompressionType `json:"compression"`
	After       []byte                  `json:"after,omitempty"` // the first internal key after the table
}

// lostRange is the key range of a damaged block: internal keys in [from, to), with versions up to that of its table.
type lostRange struct {
	table    string
	from, to []byte // to is nil for an open end
	version  uint64
}

// damagedRanges are the key ranges of all damaged blocks; nil means no damage.
type damagedRanges []lostRange

// compareKeys orders internal keys: by key, then newer versions first.
func compareKeys(a, b []byte) int { return y.CompareKeys(a, b) }

// mayHide reports whether a version of key newer than found (0: none found) may have been lost. Keys written again
// after the damage are readable again.
func (d damagedRanges) mayHide(key []byte, found uint64) bool {
	for _, r := range d {
		if found < r.version && r.mayHold(key, found+1) {
			return true
		}
	}
	return false
}

// mayHold reports whether the block may have held a version of key of at least least.
func (r lostRange) mayHold(key []byte, least uint64) bool {
	newest, oldest := y.KeyWithTs(key, r.version), y.KeyWithTs(key, least)
	return compareKeys(oldest, r.from) >= 0 && (r.to == nil || compareKeys(newest, r.to) < 0)
}

// touchesPrefix reports whether keys under a prefix may have been lost.
func (d damagedRanges) touchesPrefix(prefix []byte) bool {
	end := append([]byte(prefix), 0xff)
	for _, r := range d {
		if string(end) >= string(y.ParseKey(r.from)) && (r.to == nil || string(prefix) <= string(y.ParseKey(r.to))) {
			return true
		}
	}
	return false
}

// replaceTable replaces a table by a copy without its damaged blocks and keeps the original. A crash in between leaves
// the original in place, and the next opening starts over.
func replaceTable(dir string, id uint64, note damagedTable, old, whole []byte) error {
	folder := filepath.Join(dir, damagedFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("keep the original file of a damaged table: %w", err)
	}
	text, err := json.Marshal(note)
	if err != nil {
		return err
	}
	kept := freeName(folder, id)
	if err := errors.Join(
		renameio.WriteFile(kept+".json", text, 0o600), renameio.WriteFile(kept+tableSuffix, old, 0o600),
	); err != nil {
		return fmt.Errorf("keep the original file of a damaged table: %w", err)
	}
	if err := renameio.WriteFile(filepath.Join(dir, tableName(id)), whole, 0o600); err != nil {
		return fmt.Errorf("write a table without its damaged blocks: %w", err)
	}
	return nil
}

// freeName returns an unused path in the folder of damaged tables, without suffix: a table may be damaged twice.
func freeName(folder string, id uint64) string {
	for n := 1; ; n++ {
		path := filepath.Join(folder, fmt.Sprintf("%06d-%d", id, n))
		if _, err := os.Lstat(path + tableSuffix); errors.Is(err, fs.ErrNotExist) {
			return path
		}
	}
}

// readDamage computes the key ranges lost to the kept damaged tables.
func readDamage(dir string, state folderState) (all damagedRanges, err error) {
	files, err := filepath.Glob(filepath.Join(dir, damagedFolder, "*"+tableSuffix))
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		some, err := state.damageOf(path)
		if err != nil {
			return nil, fmt.Errorf("read the damaged table %s, which shows what was lost: %w", path, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// damageOf returns the lost key ranges of one kept table.
func (f folderState) damageOf(path string) (damagedRanges, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var note damagedTable
	text, err := os.ReadFile(strings.TrimSuffix(path, tableSuffix) + ".json")
	if err == nil {
		err = json.Unmarshal(text, &note)
	}
	if err != nil {
		return nil, err
	}
	form, err := f.tableForm(note.KeyID, note.Compression)
	if err != nil {
		return nil, err
	}
	t, err := tablefile.ParseTable(content, form)
	if err != nil {
		return nil, err
	}
	var all damagedRanges
	for _, i := range t.DamagedBlocks() {
		r := lostRange{
			table: filepath.Base(path), from: t.ListBlocks()[i].FirstKey, to: note.After, version: t.MaxVersion(),
		}
		if i+1 < len(t.ListBlocks()) {
			r.to = t.ListBlocks()[i+1].FirstKey
		}
		all = append(all, r)
	}
	return all, nil
}
