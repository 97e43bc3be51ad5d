package badger

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"munadi/store"
	"munadi/store/badger/tablefile"
)

// The folder is checked before Badger opens it, because Badger removes all tables when the MANIFEST is missing, exits
// the process on a truncated table, and hides the rest of a table behind a damaged block.

const (
	tableSuffix = ".sst"
)

// folderDamage is what examining a folder found to be lost.
type folderDamage struct {
	ranges damagedRanges
	values []lostValue // some may have been replaced or deleted since
}

// folderState is a database's list of tables and their encryption keys.
type folderState struct {
	manifest badgerdb.Manifest
	registry *badgerdb.KeyRegistry
}

// tableForm returns the encryption key and compression that a table was written with.
func (f folderState) tableForm(keyID uint64, compression options.CompressionType) (tablefile.TableForm, error) {
	key, err := f.registry.DataKey(keyID)
	if err != nil || key == nil {
		return tablefile.TableForm{Compression: compression}, err
	}
	return tablefile.TableForm{Compression: compression, Key: key.Data}, nil
}

// examineFolder checks a database's folder before it is opened (integrity check and repair). Damaged blocks are removed
// from their tables, the original files are kept, and what is lost is returned; a folder that cannot be opened is
// refused with [store.CodeCorrupt] and an explanation. Tables in known, which were verified a moment ago, are not read
// again, and of the value logs only the newest, whose end Badger would cut off.
func examineFolder(dir string, key []byte, known verifiedTables, log *slog.Logger) (found folderDamage, err error) {
	names, err := databaseFiles(dir)
	if err != nil || len(names) == 0 {
		return found, err
	}
	if !slices.Contains(names, badgerdb.ManifestFilename) {
		return found, folderFault(
			dir, "its file MANIFEST is missing, although it holds "+strings.Join(names[:min(3, len(names))], ", "), nil,
		)
	}
	state, err := readManifest(dir, key)
	if err != nil {
		if errors.Is(err, badgerdb.ErrEncryptionKeyMismatch) {
			return found, nil // opening reports the wrong key
		}
		return found, err
	}
	if err := state.moveUnreferenced(dir, names, log); err != nil {
		return found, err
	}
	tables, err := state.verifyTables(dir, known)
	if err != nil {
		return found, err
	}
	for id, t := range tables {
		if !t.damaged {
			continue
		}
		if err := state.repairTable(dir, id, tables, log); err != nil {
			return found, err
		}
	}
	if found.values, err = state.examineValueLogs(dir, names, tables, known != nil); err != nil {
		return found, err
	}
	found.ranges, err = readDamage(dir, state)
	return found, err
}

// databaseFiles lists the database files of a folder; lock files and others are left out.
func databaseFiles(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list the database's folder: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == badgerdb.ManifestFilename, name == badgerdb.KeyRegistryFileName, name == markFile:
		case slices.Contains([]string{tableSuffix, ".mem", ".vlog"}, filepath.Ext(name)):
		default:
			continue
		}
		names = append(names, name)
	}
	return names, nil
}

// folderFault returns the error of a folder that cannot be opened.
func folderFault(dir, what string, cause error) error {
	return &store.Error{
		Code: store.CodeCorrupt,
		Message: fmt.Sprintf("the database in %s is damaged: %s. Check the disk; put "+
			"the file back, or restore a backup (munadi restore FILE --replace)", dir, what),
		Err: cause,
	}
}

// repairTable removes the damaged blocks of a table and keeps the original file.
func (f folderState) repairTable(dir string, id uint64, tables verifiedTables, log *slog.Logger) error {
	name, written := tableName(id), f.manifest.Tables[id]
	t, _, err := f.readTable(dir, id)
	if err != nil {
		return err
	}
	damaged := t.DamagedBlocks()
	if len(damaged) == 0 {
		return nil // this time the disk returned correct data
	}
	whole, err := t.WithoutBlocks(damaged)
	if err != nil {
		return folderFault(dir, "its table "+name+" cannot be read", err)
	}
	log.Error("blocks of a table are damaged: their records cannot be read", "folder", dir, "table", name,
		"blocks", len(damaged), "of", len(t.ListBlocks()))
	note := damagedTable{KeyID: written.KeyID, Compression: written.Compression, After: f.keyAfter(id, tables)}
	return replaceTable(dir, id, note, t.FileContent(), whole)
}

// keyAfter returns the first key of the next table of the same level: nil for level 0, whose tables overlap, and for
// the last table.
func (f folderState) keyAfter(id uint64, tables verifiedTables) (after []byte) {
	level := f.manifest.Tables[id].Level
	if level == 0 {
		return nil
	}
	for other, t := range tables {
		if f.manifest.Tables[other].Level == level && compareKeys(t.head, tables[id].head) > 0 &&
			(after == nil || compareKeys(t.head, after) < 0) {
			after = t.head
		}
	}
	return after
}
