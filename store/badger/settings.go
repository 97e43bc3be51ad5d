package badger

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// badgerOptions are Badger's options: small tables and caches (some 100 MB resident instead of 200 and more), every commit
// synced, every value and every block of a table verified when it is read. Tables are verified as a whole before Badger
// opens them ([examineFolder]), since it ends the process over a damaged one (v4.9.6, Table.VerifyChecksum).
func badgerOptions(dir string, opt OpenOptions) badgerdb.Options {
	s := badgerdb.DefaultOptions(dir).
		WithSyncWrites(true).
		WithVerifyValueChecksum(true).
		WithChecksumVerificationMode(options.OnBlockRead).
		WithDetectConflicts(false). // the committer is the only writer
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
		// Without files there is no value log: a value must fit below the threshold.
		s = s.WithInMemory(true).WithDir("").WithValueDir("").WithMemTableSize(16 << 20).WithValueThreshold(1 << 20)
	}
	return s
}

// openDB examines and opens the database in dir with opt's settings and key, and says what of it is lost.
func openDB(dir string, opt OpenOptions) (*badgerdb.DB, damagedRanges, error) {
	chosen, lost := badgerOptions(dir, opt), damagedRanges(nil)
	if !opt.InMemory {
		key, err := keyOf(opt)
		if err != nil {
			return nil, nil, err
		}
		chosen = chosen.WithEncryptionKey(key)
		if lost, err = examineFolder(dir, key, newLogger(opt.Logger).to); err != nil {
			return nil, nil, err
		}
	}
	db, err := badgerdb.Open(chosen)
	if err != nil {
		return nil, nil, explainKey(err, dir, opt.KeyFile != "")
	}
	return db, lost, nil
}

// keyOf is the key that the options name; nil for none.
func keyOf(opt OpenOptions) ([]byte, error) {
	if opt.KeyFile == "" {
		return nil, nil
	}
	return readKey(opt.KeyFile)
}

// badgerLogger passes Badger's talk on at debug level, whatever level Badger gives it: what matters comes back as an error.
type badgerLogger struct{ to *slog.Logger }

// newLogger is a logger to l; nil is silence.
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
