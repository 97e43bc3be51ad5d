package badger

import (
	"errors"
	"fmt"
	"io/fs"
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

// Badger opens a folder as it finds it: without its MANIFEST it removes all tables, a table that is cut off ends the
// process, and a damaged block hides the rest of its table. So the folder is examined before it is opened.

const (
	tableSuffix = ".sst"
	// unreferencedFolder takes tables that the MANIFEST does not name, which Badger would remove. A crash leaves such
	// tables, whose content is elsewhere too; a MANIFEST whose end was lost leaves tables that are nowhere else.
	unreferencedFolder = "unreferenced"
)

// folderState is what was found in a database's folder.
type folderState struct {
	manifest badgerdb.Manifest
	cut      bool // the end of the MANIFEST is cut off
	registry *badgerdb.KeyRegistry
}

// tableForm is how a table was written.
func (f folderState) tableForm(keyID uint64, compression options.CompressionType) (tablefile.TableForm, error) {
	key, err := f.registry.DataKey(keyID)
	if err != nil || key == nil {
		return tablefile.TableForm{Compression: compression}, err
	}
	return tablefile.TableForm{Compression: compression, Key: key.Data}, nil
}

// examineFolder looks at a database's folder before it is opened. Damaged blocks are left out of their tables, whose
// files as they were are kept, and become part of the damage; what cannot be opened is refused with
// [store.CodeCorrupt] and a sentence.
func examineFolder(dir string, key []byte, log *slog.Logger) (damagedRanges, error) {
	names, err := databaseFiles(dir)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	if !slices.Contains(names, badgerdb.ManifestFilename) {
		return nil, folderFault(dir, "its file MANIFEST is missing, beside "+strings.Join(names[:min(3, len(names))], ", "), nil)
	}
	state, err := readManifest(dir, key)
	if err != nil {
		if errors.Is(err, badgerdb.ErrEncryptionKeyMismatch) {
			return nil, nil // opening says which key is wrong
		}
		return nil, err
	}
	if err := state.moveUnreferenced(dir, names, log); err != nil {
		return nil, err
	}
	for id := range state.manifest.Tables {
		if err := state.repairTable(dir, id, log); err != nil {
			return nil, err
		}
	}
	return readDamage(dir, state)
}

// databaseFiles lists the files of a folder that hold a database, but for locks.
func databaseFiles(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("look into the database's folder: %w", err)
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

// folderFault is the error of a folder that cannot be opened.
func folderFault(dir, what string, cause error) error {
	return &store.Error{Code: store.CodeCorrupt, Message: fmt.Sprintf("the database in %s is damaged: %s. Look at the disk; put "+
		"the file back, or restore a backup (munadi restore FILE --replace)", dir, what), Err: cause}
}

// readManifest reads which tables there are and the keys that they are encrypted with.
func readManifest(dir string, key []byte) (state folderState, err error) {
	file, err := os.Open(filepath.Join(dir, badgerdb.ManifestFilename))
	if err != nil {
		return state, fmt.Errorf("read the database's MANIFEST: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return state, err
	}
	manifest, end, err := badgerdb.ReplayManifestFile(file, 0, badgerdb.DefaultOptions(dir).WithLogger(nil))
	if err != nil {
		return state, folderFault(dir, "its file MANIFEST cannot be read", err)
	}
	state.manifest, state.cut = manifest, end < info.Size()
	state.registry, err = badgerdb.OpenKeyRegistry(badgerdb.KeyRegistryOptions{Dir: dir, ReadOnly: true, EncryptionKey: key})
	if err != nil {
		return state, err
	}
	defer state.registry.Close()
	for id, t := range manifest.Tables {
		if _, err := state.registry.DataKey(t.KeyID); err != nil {
			return state, folderFault(dir, fmt.Sprintf("the key of table %s is missing from its file %s", tableName(id),
				badgerdb.KeyRegistryFileName), err)
		}
	}
	return state, nil
}

// tableName is the file of a table.
func tableName(id uint64) string { return fmt.Sprintf("%06d%s", id, tableSuffix) }

// moveUnreferenced moves the tables that the MANIFEST does not name into a folder of their own.
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

// moveAside renames a file of the folder into a folder below it.
func moveAside(dir, name, folder string) error {
	if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
		return err
	}
	if err := os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Now()); err != nil { // when it was moved
		return err
	}
	return os.Rename(filepath.Join(dir, name), filepath.Join(dir, folder, name))
}

// repairTable verifies a table and leaves its damaged blocks out.
func (f folderState) repairTable(dir string, id uint64, log *slog.Logger) error {
	name, written := tableName(id), f.manifest.Tables[id]
	content, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return folderFault(dir, "its table "+name+" is missing", err)
	}
	if err != nil {
		return fmt.Errorf("read the database's table %s: %w", name, err)
	}
	form, err := f.tableForm(written.KeyID, written.Compression)
	if err != nil {
		return err
	}
	t, err := tablefile.ParseTable(content, form)
	if err != nil {
		return folderFault(dir, "its table "+name+" cannot be read", err)
	}
	damaged := t.DamagedBlocks()
	if len(damaged) == 0 {
		return nil
	}
	whole, err := t.WithoutBlocks(damaged)
	if err != nil {
		return folderFault(dir, "its table "+name+" cannot be read", err)
	}
	log.Error("blocks of a table are damaged: what they held cannot be read", "folder", dir, "table", name,
		"blocks", len(damaged), "of", len(t.ListBlocks()))
	note := damagedTable{
		KeyID: written.KeyID, Compression: written.Compression, After: f.keyAfter(dir, id, written.Level),
	}
	return replaceTable(dir, id, note, content, whole)
}

// keyAfter is the first key of the next table of the same level: nil for level 0, whose tables overlap, and for the
// last table.
func (f folderState) keyAfter(dir string, id uint64, level uint8) (after []byte) {
	if level == 0 {
		return nil
	}
	own := f.firstKey(dir, id)
	for other, form := range f.manifest.Tables {
		if form.Level != level || other == id {
			continue
		}
		if first := f.firstKey(dir, other); first != nil && compareKeys(first, own) > 0 &&
			(after == nil || compareKeys(first, after) < 0) {
			after = first
		}
	}
	return after
}

// firstKey is the first key of a table; nil for one that cannot be read.
func (f folderState) firstKey(dir string, id uint64) []byte {
	content, err := os.ReadFile(filepath.Join(dir, tableName(id)))
	if err != nil {
		return nil
	}
	form, err := f.tableForm(f.manifest.Tables[id].KeyID, f.manifest.Tables[id].Compression)
	if err != nil {
		return nil
	}
	t, err := tablefile.ParseTable(content, form)
	if err != nil {
		return nil
	}
	return t.ListBlocks()[0].FirstKey
}
