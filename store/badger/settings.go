package badger

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// settings are Badger's options: small tables and caches (some 100 MB resident instead of 200 and more), every commit
// synced, every value and every block of a table verified when it is read. Tables are verified as a whole before Badger
// opens them ([examineFolder]), since it ends the process over a damaged one (v4.9.6, Table.VerifyChecksum).
func settings(dir string, opt Options) badgerdb.Options {
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
func openDB(dir string, opt Options) (*badgerdb.DB, damage, error) {
	chosen, lost := settings(dir, opt), damage(nil)
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
func keyOf(opt Options) ([]byte, error) {
	if opt.KeyFile == "" {
		return nil, nil
	}
	return readKey(opt.KeyFile)
}

// logger passes Badger's talk on at debug level, whatever level Badger gives it: what matters comes back as an error.
type logger struct{ to *slog.Logger }

// newLogger is a logger to l; nil is silence.
func newLogger(l *slog.Logger) logger {
	if l == nil {
		l = slog.New(slog.DiscardHandler)
	}
	return logger{l}
}

// Errorf implements badger's Logger.
func (l logger) Errorf(format string, args ...any) { l.say("error", format, args) }

// Warningf implements badger's Logger.
func (l logger) Warningf(format string, args ...any) { l.say("warning", format, args) }

// Infof implements badger's Logger.
func (l logger) Infof(format string, args ...any) { l.say("info", format, args) }

// Debugf implements badger's Logger.
func (l logger) Debugf(format string, args ...any) { l.say("debug", format, args) }

// say writes one line, with Badger's own level as an attribute.
func (l logger) say(level, format string, args []any) {
	if !l.to.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	l.to.Debug(strings.TrimSpace(fmt.Sprintf(format, args...)), "from", "badger", "badger_level", level)
}
