package badger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// badgerOptions returns Badger's options: small tables and caches (about 100 MB resident instead of 200 and more),
// every commit synced, checksums of values and table blocks verified on reading. Whole tables are verified before
// Badger opens them ([examineFolder]), because Badger exits the process on a damaged one (v4.9.6,
// Table.VerifyChecksum).
func badgerOptions(dir string, opt OpenOptions) badgerdb.Options {
	s := badgerdb.DefaultOptions(dir).
		WithSyncWrites(true).
		WithVerifyValueChecksum(true).
		WithChecksumVerificationMode(options.OnBlockRead).
		WithDetectConflicts(false). // there is only one writer
		WithNumVersionsToKeep(1).
		WithMemTableSize(8 << 20).
		WithNumMemtables(2).
		WithBlockCacheSize(8 << 20).
		WithIndexCacheSize(4 << 20).
		WithValueLogFileSize(32 << 20).
		WithValueThreshold(64 << 10).
		WithNumCompactors(2).
		WithBaseTableSize(2 << 20).
		WithMetricsEnabled(false).
		WithLogger(newLogger(opt.Logger))
	if opt.InMemory {
		// In memory there is no value log: a value must be smaller than the threshold.
		s = s.WithInMemory(true).WithDir("").WithValueDir("").WithMemTableSize(16 << 20).WithValueThreshold(1 << 20)
	}
	return s
}

// openDB checks and opens the database in dir with opt's settings and key, and returns what is lost.
func openDB(dir string, opt OpenOptions, known verifiedTables) (_ *badgerdb.DB, lost folderDamage, err error) {
	chosen := badgerOptions(dir, opt)
	if !opt.InMemory {
		key, err := keyOf(opt)
		if err != nil {
			return nil, lost, err
		}
		chosen = chosen.WithEncryptionKey(key)
		if lost, err = examineFolder(dir, key, known, newLogger(opt.Logger).to); err != nil {
			return nil, lost, err
		}
	}
	db, err := openUnlocked(chosen.WithCompactL0OnClose(opt.compactOnClose && len(lost.ranges) == 0))
	if err != nil {
		return nil, lost, explainKey(err, dir, opt.KeyFile != "")
	}
	if lost.values, err = keepCurrent(db, lost.values); err == nil {
		err = refuseMissing(dir, lost.values)
	}
	if err != nil {
		return nil, lost, errors.Join(err, db.Close())
	}
	return db, lost, nil
}

const (
	lockTries = 500
	lockPause = 10 * time.Millisecond
)

// openUnlocked opens a database whose folder this process has locked. A child process between fork and exec has a copy
// of the descriptor with Badger's own lock, so that it may outlast its database for a moment. Badger's error has no
// value.
func openUnlocked(o badgerdb.Options) (*badgerdb.DB, error) {
	for try := 1; ; try++ {
		db, err := badgerdb.Open(o)
		if err == nil || try == lockTries || !strings.Contains(err.Error(), "Cannot acquire directory lock") {
			return db, err
		}
		<-time.After(lockPause)
	}
}

// keyOf returns the key of the options; nil for none.
func keyOf(opt OpenOptions) ([]byte, error) {
	if opt.KeyFile == "" {
		return nil, nil
	}
	return readKey(opt.KeyFile)
}

// badgerLogger forwards Badger's messages at debug level, regardless of their own level: important failures are
// returned as errors.
type badgerLogger struct{ to *slog.Logger }

// newLogger returns a logger that writes to l; nil discards.
func newLogger(l *slog.Logger) badgerLogger {
	if l == nil {
		l = slog.New(slog.DiscardHandler)
	}
	return badgerLogger{l}
}

// Errorf implements badger's Logger.
func (l badgerLogger) Errorf(format string, args ...any) { l.logLine("error", format, args) }

// Warningf implements badger's Logger.
func (l badgerLogger) Warningf(format string, args ...any) { l.logLine("warning", format, args) }

// Infof implements badger's Logger.
func (l badgerLogger) Infof(format string, args ...any) { l.logLine("info", format, args) }

// Debugf implements badger's Logger.
func (l badgerLogger) Debugf(format string, args ...any) { l.logLine("debug", format, args) }

// logLine writes one line, with Badger's own level as an attribute.
func (l badgerLogger) logLine(level, format string, args []any) {
	if !l.to.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	l.to.Debug(strings.TrimSpace(fmt.Sprintf(format, args...)), "from", "badger", "badger_level", level)
}
