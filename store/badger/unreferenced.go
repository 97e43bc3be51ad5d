package badger

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/y"

	"munadi/store/badger/logfile"
	"munadi/store/badger/tablefile"
)

// unreferencedFolder keeps tables that the MANIFEST does not name, which Badger would delete. A crash leaves such
// tables, whose content exists elsewhere too.
const unreferencedFolder = "unreferenced"

// moveUnreferenced moves the tables that the MANIFEST does not name into a separate folder. A folder in which one has
// records that exist nowhere else, because the MANIFEST was truncated, is refused.
func (f folderState) moveUnreferenced(dir string, names []string, log *slog.Logger) error {
	var unnamed []uint64
	for _, name := range names {
		id, err := strconv.ParseUint(strings.TrimSuffix(name, tableSuffix), 10, 64)
		if err != nil || filepath.Ext(name) != tableSuffix {
			continue
		}
		if _, known := f.manifest.Tables[id]; !known {
			unnamed = append(unnamed, id)
		}
	}
	for _, id := range unnamed {
		if lost, err := f.isOnlyCopy(dir, id); err != nil || lost {
			if lost {
				err = folderFault(dir, fmt.Sprintf("its file %s is truncated: it does not name the table %s, whose records "+
					"are nowhere else", badgerdb.ManifestFilename, tableName(id)), nil)
			}
			return err
		}
	}
	for _, id := range unnamed {
		if err := moveAside(dir, tableName(id), unreferencedFolder); err != nil {
			return err
		}
		log.Info("a table that the database's MANIFEST does not name was moved aside", "folder", dir,
			"table", tableName(id))
	}
	return nil
}

// isOnlyCopy reports whether a table that the MANIFEST does not name has records that are in no other file. A crash
// leaves three kinds of such tables: one that is written from a log (*.mem), which is then still there and begins with
// a version of the table or an older one; one that is written by a compaction, whose versions are those of named
// tables; and the source of a compaction, whose number is lower than that of the result. Versions increase from table
// to table, as logs become tables in their order.
func (f folderState) isOnlyCopy(dir string, id uint64) (bool, error) {
	newest, complete, err := f.newestVersion(dir, id)
	if err != nil || !complete {
		return false, err // the crash came while it was written
	}
	for named := range f.manifest.Tables {
		if named > id {
			return false, nil
		}
		t, _, err := f.readTable(dir, named)
		if err != nil {
			return false, err
		}
		if t.MaxVersion() >= newest {
			return false, nil
		}
	}
	logs, err := filepath.Glob(filepath.Join(dir, "*"+memorySuffix))
	if err != nil {
		return false, err
	}
	inLog := false
	for _, path := range logs {
		_ = f.readLog(path, func(l *logfile.LogFile) { // one that cannot be read has no copy
			first := l.FirstKey()
			inLog = inLog || first != nil && y.ParseTs(first) <= newest
		})
	}
	return !inLog, nil
}

// newestVersion returns the newest version in a table that the MANIFEST does not name, nor its encryption key; false
// for one that is not complete.
func (f folderState) newestVersion(dir string, id uint64) (version uint64, complete bool, err error) {
	content, err := os.ReadFile(filepath.Join(dir, tableName(id)))
	if err != nil {
		return 0, false, fmt.Errorf("read the database's table %s: %w", tableName(id), err)
	}
	for keyID := uint64(0); ; keyID++ { // 0: not encrypted
		key, unknown := f.registry.DataKey(keyID)
		if unknown != nil { // all keys were tried
			return 0, false, nil //nolint:nilerr // not complete
		}
		var form tablefile.TableForm
		if key != nil {
			form.Key = key.Data
		}
		if t, err := tablefile.ParseTable(content, form); err == nil {
			return t.MaxVersion(), true, nil
		}
	}
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
