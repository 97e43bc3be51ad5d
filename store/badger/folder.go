package badger

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"munadi/store"
	"munadi/store/badger/tablefile"
)

// The folder is checked before Badger opens it, because Badger removes all tables when the MANIFEST is missing, exits
// the process on a truncated table, and hides the rest of a table behind a damaged block.

const (
	tableSuffix = ".sst"
	// unreferencedFolder keeps tables that the MANIFEST does not name, which Badger would delete. A crash leaves such
	// tables, whose content exists elsewhere too; a truncated MANIFEST leaves tables that exist nowhere else.
	unreferencedFolder = "unreferenced"
)

// folderState is the result of checking a database's folder.
type folderState struct {
	manifest badgerdb.Manifest
	cut      bool // the MANIFEST is truncated
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
// from their tables, the original files are kept, and the lost ranges are returned; a folder that cannot be opened is
// refused with [store.CodeCorrupt] and an explanation. Tables in known, which were verified a moment ago, are not read
// again.
func examineFolder(dir string, key []byte, known verifiedTables, log *slog.Logger) (damagedRanges, error) {
	names, err := databaseFiles(dir)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	if !slices.Contains(names, badgerdb.ManifestFilename) {
		return nil, folderFault(
			dir,
			"its file MANIFEST is missing, although it holds "+strings.Join(names[:min(3, len(names))], ", "),
			nil,
		)
	}
	state, err := readManifest(dir, key)
	if err != nil {
		if errors.Is(err, badgerdb.ErrEncryptionKeyMismatch) {
			return nil, nil // opening reports the wrong key
		}
		return nil, err
	}
	if err := state.moveUnreferenced(dir, names, log); err != nil {
		return nil, err
	}
	damaged, heads, err := state.findDamagedTables(dir, known)
	if err != nil {
		return nil, err
	}
	for _, id := range damaged {
		if err := state.repairTable(dir, id, heads, log); err != nil {
			return nil, err
		}
	}
	return readDamage(dir, state)
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

// moveUnreferenced moves the tables that the MANIFEST does not name into a separate folder.
func (f folderState) moveUnreferenced(dir string, names []string, log *slog.Logger) error {
	for _, name := range names {
		id, err := strconv.ParseUint(strings.TrimSuffix(name, tableSuffix), 10, 64)
		if err != nil || filepath.Ext(name) != tableSuffix {
			continue
		}
		if _, known := f.manifest.Tables[id]; known {
			continue
		}
		if err := moveAside(dir, name, unreferencedFolder); err != nil {
			return err
		}
		said := log.Info
		if f.cut {
			said = log.Error
		}
		said("a table that the database's MANIFEST does not name was moved aside", "folder", dir, "table", name,
			"manifest_cut_off", f.cut)
	}
	return nil
}

// moveAside moves a file of the folder into a subfolder.
func moveAside(dir, name, folder string) error {
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
		return err
	}
	if err := os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Now()); err != nil { // the time of the move
		return err
	}
	return os.Rename(filepath.Join(dir, name), filepath.Join(dir, folder, name))
}

// repairTable removes the damaged blocks of a table and keeps the original file.
func (f folderState) repairTable(dir string, id uint64, heads tableHeads, log *slog.Logger) error {
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
	note := damagedTable{
		KeyID: written.KeyID, Compression: written.Compression, After: f.keyAfter(id, heads),
	}
	return replaceTable(dir, id, note, t.FileContent(), whole)
}

// keyAfter returns the first key of the next table of the same level: nil for level 0, whose tables overlap, and for
// the last table.
func (f folderState) keyAfter(id uint64, heads tableHeads) (after []byte) {
	level := f.manifest.Tables[id].Level
	if level == 0 {
		return nil
	}
	for other, first := range heads {
		if f.manifest.Tables[other].Level == level && compareKeys(first, heads[id]) > 0 &&
			(after == nil || compareKeys(first, after) < 0) {
			after = first
		}
	}
	return after
}
