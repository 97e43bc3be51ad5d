package badger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/y"
	"github.com/google/renameio/v2"

	"munadi/store/badger/logfile"
)

// Values above the threshold of badgerOptions are in value logs. Badger verifies one when it is read, but cuts the
// newest log off at the first damaged entry when it is opened, and reuses the number of a missing one.

const (
	valueLogSuffix = ".vlog"
	memorySuffix   = ".mem" // write-ahead log of a memory table
)

// lostValue is a value that a table or write-ahead log refers to and that cannot be read.
type lostValue struct {
	logfile.ValuePointer
	missing bool // the whole file is
}

// recordKey returns the record's key.
func (l lostValue) recordKey() []byte { return y.ParseKey(l.Key) }

// valueLogName returns the file name of a value log.
func valueLogName(number uint32) string { return fmt.Sprintf("%06d%s", number, valueLogSuffix) }

// newestPointers returns the newest value pointer of each record, by its key, in the tables and the write-ahead logs of
// a folder. A record's newest version may have its value in a table, or be deleted. An older level has older versions,
// and copies of the same version that value log garbage collection has moved since.
func (f folderState) newestPointers(dir string, tables verifiedTables) (map[string]logfile.ValuePointer, error) {
	newest := map[string]logfile.ValuePointer{}
	note := func(some []logfile.ValuePointer) {
		for _, p := range some {
			key := string(y.ParseKey(p.Key))
			if before, found := newest[key]; !found || y.ParseTs(p.Key) >= y.ParseTs(before.Key) {
				newest[key] = p
			}
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(tables), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(tables[b].level, tables[a].level), cmp.Compare(a, b))
	}) {
		note(tables[id].pointers)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "*"+memorySuffix)) // in the order of their numbers
	if err != nil {
		return nil, err
	}
	for _, path := range logs {
		err := f.readLog(path, func(l *logfile.LogFile) { note(l.ReadPointers()) })
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNoLog) {
			return nil, fmt.Errorf("read the database's log %s: %w", filepath.Base(path), err)
		}
	}
	return newest, nil
}

// errNoLog means that a file is too short for a log.
var errNoLog = errors.New("the file is empty")

// readLog opens a log file and passes it to read.
func (f folderState) readLog(path string, read func(*logfile.LogFile)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() < logfile.HeaderSize {
		return errors.Join(errNoLog, err)
	}
	l, err := logfile.OpenLog(file, func(number uint64) ([]byte, error) {
		key, err := f.registry.DataKey(number)
		if err != nil || key == nil {
			return nil, err
		}
		return key.Data, nil
	})
	if err == nil {
		read(l)
	}
	return err
}

// verifyValues reads the values of pointers, log by log, and returns those that cannot be read. ctx cancels it.
func (f folderState) verifyValues(
	ctx context.Context, dir string, pointers map[string]logfile.ValuePointer,
) (lost []lostValue, err error) {
	logs := map[uint32][]logfile.ValuePointer{}
	for _, p := range pointers {
		logs[p.File] = append(logs[p.File], p)
	}
	for _, number := range slices.Sorted(maps.Keys(logs)) {
		all := logs[number]
		slices.SortFunc(all, func(a, b logfile.ValuePointer) int { return cmp.Compare(a.Offset, b.Offset) })
		err := f.readLog(filepath.Join(dir, valueLogName(number)), func(l *logfile.LogFile) {
			for _, p := range all {
				if ctx.Err() == nil && l.VerifyValue(p) != nil {
					lost = append(lost, lostValue{ValuePointer: p})
				}
				runtime.Gosched()
			}
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err == nil {
			continue
		}
		for _, p := range all {
			missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNoLog)
			lost = append(lost, lostValue{p, missing})
		}
	}
	return lost, nil
}

// examineValueLogs verifies the values in the value logs before Badger opens a folder, or only those in the newest.
// When some are lost, an empty log with the next number is added, so that the damaged log is not the newest, and new
// values do not get the number of a missing one.
func (f folderState) examineValueLogs(
	dir string, names []string, tables verifiedTables, onlyNewest bool,
) ([]lostValue, error) {
	pointers, err := f.newestPointers(dir, tables)
	if err != nil {
		return nil, err
	}
	var last uint32
	for _, p := range pointers {
		last = max(last, p.File)
	}
	for _, name := range names {
		if number, err := strconv.ParseUint(strings.TrimSuffix(name, valueLogSuffix), 10, 32); err == nil {
			last = max(last, uint32(number))
		}
	}
	maps.DeleteFunc(pointers, func(_ string, p logfile.ValuePointer) bool { return onlyNewest && p.File < last })
	lost, err := f.verifyValues(context.Background(), dir, pointers)
	if err == nil && len(lost) > 0 {
		path := filepath.Join(dir, valueLogName(last+1))
		err = renameio.WriteFile(path, make([]byte, logfile.HeaderSize), 0o600) // without key: it gets no entries
	}
	if err != nil {
		return nil, fmt.Errorf("verify the database's value logs: %w", err)
	}
	return lost, removeEmptyLogs(dir, names)
}

// removeEmptyLogs removes log files of zero bytes, which a full disk or a crash leaves: Badger refuses to open them.
func removeEmptyLogs(dir string, names []string) error {
	for _, name := range names {
		if ext := filepath.Ext(name); ext != valueLogSuffix && ext != memorySuffix {
			continue
		}
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Size() == 0 {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepCurrent returns those of the lost values that are the current ones of their records.
func keepCurrent(db *badgerdb.DB, lost []lostValue) (current []lostValue, err error) {
	err = db.View(func(txn *badgerdb.Txn) error {
		for _, l := range lost {
			item, err := txn.Get(l.recordKey())
			if err != nil && !errors.Is(err, badgerdb.ErrKeyNotFound) {
				return err
			}
			if err == nil && item.Version() == y.ParseTs(l.Key) {
				current = append(current, l)
			}
		}
		return nil
	})
	return current, err
}

// refuseMissing returns the error of a folder that lacks a value log with current values.
func refuseMissing(dir string, lost []lostValue) error {
	records := map[uint32]int{}
	for _, l := range lost {
		if l.missing {
			records[l.File]++
		}
	}
	if len(records) == 0 {
		return nil
	}
	var said []string
	for _, number := range slices.Sorted(maps.Keys(records)) {
		said = append(said, fmt.Sprintf("%s with %d values", valueLogName(number), records[number]))
	}
	return folderFault(dir, "its value log "+strings.Join(said, ", ")+" is missing or empty", fs.ErrNotExist)
}
