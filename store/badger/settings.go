package badger

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// settings are Badger's options: small tables and caches (some 100 MB resident instead of 200 and more), every commit
// synced, every value verified.
func settings(dir string, opt Options) badgerdb.Options {
	s := badgerdb.DefaultOptions(dir).
		WithSyncWrites(true).
		WithVerifyValueChecksum(true).
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
		WithCompactL0OnClose(true).
		WithMetricsEnabled(false).
		WithLogger(newLogger(opt.Logger))
	if opt.InMemory {
		// Without files there is no value log: a value must fit below the threshold.
		s = s.WithInMemory(true).WithDir("").WithValueDir("").WithMemTableSize(16 << 20).WithValueThreshold(1 << 20)
	}
	return s
}

// openDB opens the database in dir with opt's settings and key.
func openDB(dir string, opt Options) (*badgerdb.DB, error) {
	options := settings(dir, opt)
	if opt.KeyFile != "" && !opt.InMemory {
		key, err := readKey(opt.KeyFile)
		if err != nil {
			return nil, err
		}
		options = options.WithEncryptionKey(key)
	}
	db, err := badgerdb.Open(options)
	if err != nil {
		return nil, explainKey(err, dir, opt.KeyFile != "")
	}
	return db, nil
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
