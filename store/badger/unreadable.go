package badger

import (
	"errors"
	"log/slog"
	"sync"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/y"

	"munadi/store/record"
)

// unreadableRecords holds the key ranges and values lost to damage, and the names of records that were requested and
// could not be read. It is safe for concurrent use; nil means no damage.
type unreadableRecords struct {
	log   *slog.Logger
	names *record.UnreadableLog

	mu     sync.RWMutex
	lost   damagedRanges
	values map[string]lostValue // by the record's key
}

func newUnreadable(lost folderDamage, log *slog.Logger) *unreadableRecords {
	u := &unreadableRecords{log: log, names: record.NewUnreadableLog(log)}
	u.setDamage(lost.ranges)
	u.setValues(lost.values)
	return u
}

// setDamage replaces the lost key ranges.
func (u *unreadableRecords) setDamage(lost damagedRanges) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.lost = lost
}

// setValues replaces the lost values, and logs the records of new ones.
func (u *unreadableRecords) setValues(lost []lostValue) {
	u.mu.Lock()
	defer u.mu.Unlock()
	before := u.values
	u.values = map[string]lostValue{}
	for _, l := range lost {
		key := string(l.recordKey())
		u.values[key] = l
		if _, known := before[key]; !known {
			u.log.Error("a value in a value log is damaged or missing: its record cannot be read",
				"record", record.MaskKey(key), "file", valueLogName(l.File))
		}
	}
}

// hasLost reports whether the value of a record's version is known to be damaged. Reading it again could end the
// process: a disk that fails to read a mapped page raises SIGBUS.
func (u *unreadableRecords) hasLost(key []byte, version uint64) bool {
	if u == nil {
		return false
	}
	u.mu.RLock()
	defer u.mu.RUnlock()
	l, known := u.values[string(key)]
	return known && !l.missing && y.ParseTs(l.Key) == version
}

// countValues returns the number of lost values.
func (u *unreadableRecords) countValues() int {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return len(u.values)
}

// mayHide reports whether a version of key newer than found (0: none found) may have been lost.
func (u *unreadableRecords) mayHide(key []byte, found uint64) bool {
	if u == nil {
		return false
	}
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.lost.mayHide(key, found)
}

// touchesPrefix reports whether keys under a prefix may have been lost.
func (u *unreadableRecords) touchesPrefix(prefix []byte) bool {
	if u == nil {
		return false
	}
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.lost.touchesPrefix(prefix)
}

// damageRanges returns the lost key ranges.
func (u *unreadableRecords) damageRanges() damagedRanges {
	if u == nil {
		return nil
	}
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.lost
}

// newUnreadableError returns the error of an unreadable record, and adds the record to the report and the log.
func (v snapshotView) newUnreadableError(key []byte, cause error) error {
	var names *record.UnreadableLog
	if v.lost != nil {
		names = v.lost.names
	}
	return names.NewError(v.report, string(key), cause)
}

// reportLostKeys adds to the report that keys under a prefix may have been lost.
func (v snapshotView) reportLostKeys(prefix []byte) {
	if v.report != nil && v.lost.touchesPrefix(prefix) {
		v.report.AddLostPart()
	}
}

// Causes of an unreadable record.
var (
	errLostBlock = errors.New("it, or a newer version of it, was in a damaged block of the database's tables")
	errLostValue = errors.New("its value in the value log is damaged or missing")
	errNoEntry   = errors.New("it is no index entry")
)

// valueOf returns the value of an item. Badger returns neither a value nor an error where its value log is damaged;
// that is detected by the value's size.
func (v snapshotView) valueOf(item *badgerdb.Item) ([]byte, error) {
	if v.lost.mayHide(item.Key(), item.Version()) {
		return nil, v.newUnreadableError(item.Key(), errLostBlock)
	}
	if v.lost.hasLost(item.Key(), item.Version()) {
		return nil, v.newUnreadableError(item.Key(), errLostValue)
	}
	value, err := item.ValueCopy(nil)
	if err == nil && len(value) == 0 && item.ValueSize() > 0 {
		err = errLostValue
	}
	if err != nil {
		return nil, v.newUnreadableError(item.Key(), err)
	}
	return value, nil
}
