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

// damagedFolder keeps the files of tables with damaged blocks as they were, each with a note beside it. What records
// the blocks held follows from these files at every opening; without them nothing is remembered of the damage.
const damagedFolder = "damaged"

// damagedTable is the note beside a damaged table's file.
type damagedTable struct {
	KeyID       uint64                  `json:"key_id"`
	Compression options.CompressionType `json:"compression"`
	After       []byte                  `json:"after,omitempty"` // an internal key that lies behind the table
}

// lostRange is what a damaged block held: internal keys from its first one up to the one behind it, of versions up to
// that of its table.
type lostRange struct {
	table    string
	from, to []byte // to is nil where nothing lies behind
	version  uint64
}

// damagedRanges is all that damaged blocks held; nil is none.
type damagedRanges []lostRange

// compareKeys orders internal keys: by key, then the newer version first.
func compareKeys(a, b []byte) int { return y.CompareKeys(a, b) }

// mayHide says whether the newest version of a key that is found (0: none) may be older than one that was lost. Keys that
// are written again after the damage can be read again.
func (d damagedRanges) mayHide(key []byte, found uint64) bool {
	for _, r := range d {
		if found < r.version && r.mayHold(key, found+1) {
			return true
		}
	}
	return false
}

// mayHold says whether the block may have held a version of the key from least on.
func (r lostRange) mayHold(key []byte, least uint64) bool {
	newest, oldest := y.KeyWithTs(key, r.version), y.KeyWithTs(key, least)
	return compareKeys(oldest, r.from) >= 0 && (r.to == nil || compareKeys(newest, r.to) < 0)
}

// touchesPrefix says whether keys under a prefix may have been lost.
func (d damagedRanges) touchesPrefix(prefix []byte) bool {
	end := append([]byte(prefix), 0xff)
	for _, r := range d {
		if string(end) >= string(y.ParseKey(r.from)) && (r.to == nil || string(prefix) <= string(y.ParseKey(r.to))) {
			return true
		}
	}
	return false
}

// replaceTable puts a table without its damaged blocks in the place of one, which is kept as it was. A crash in between
// leaves the old one in place, and the next opening begins again.
func replaceTable(dir string, id uint64, note damagedTable, old, whole []byte) error {
	folder := filepath.Join(dir, damagedFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("keep a damaged table: %w", err)
	}
	text, err := json.Marshal(note)
	if err != nil {
		return err
	}
	kept := freeName(folder, id)
	if err := errors.Join(
		renameio.WriteFile(kept+".json", text, 0o600),
		renameio.WriteFile(kept+tableSuffix, old, 0o600),
	); err != nil {
		return fmt.Errorf("keep a damaged table: %w", err)
	}
	if err := renameio.WriteFile(filepath.Join(dir, tableName(id)), whole, 0o600); err != nil {
		return fmt.Errorf("leave the damaged blocks out of a table: %w", err)
	}
	return nil
}

// freeName is the path of a table in the folder of damaged ones, without its suffix: a table may be damaged twice.
func freeName(folder string, id uint64) string {
	for n := 1; ; n++ {
		path := filepath.Join(folder, fmt.Sprintf("%06d-%d", id, n))
		if _, err := os.Lstat(path + tableSuffix); errors.Is(err, fs.ErrNotExist) {
			return path
		}
	}
}

// readDamage finds out what the damaged tables that are kept have lost.
func readDamage(dir string, state folderState) (all damagedRanges, err error) {
	files, err := filepath.Glob(filepath.Join(dir, damagedFolder, "*"+tableSuffix))
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		some, err := state.damageOf(path)
		if err != nil {
			return nil, fmt.Errorf("the damaged table %s, which is kept to know what it held: %w", path, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// damageOf is the damage of one kept table.
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
