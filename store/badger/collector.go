package badger

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store/badger/logfile"
)

// gcInterval is the default interval of garbage collection.
const gcInterval = 10 * time.Minute

// discardRatio is the fraction of dead data above which a value log file is rewritten.
const discardRatio = 0.5

// valueLogCollector runs Badger's value log garbage collection periodically.
type valueLogCollector struct {
	db         *badgerdb.DB
	dir        string
	opt        OpenOptions
	ratio      float64 // of garbage, at which a file is rewritten
	log        *slog.Logger
	quit, done chan struct{}
}

// startCollector starts the collector, except for an in-memory database.
func (s *BadgerStore) startCollector() *valueLogCollector {
	c := &valueLogCollector{
		db: s.db, dir: s.dir, opt: s.opt, ratio: discardRatio, log: newLogger(s.opt.Logger).to,
		quit: make(chan struct{}), done: make(chan struct{}),
	}
	if s.opt.InMemory {
		close(c.done)
		return c
	}
	go c.runCollector(cmp.Or(max(s.opt.GCInterval, 0), gcInterval))
	return c
}

// stopCollector stops the collector and waits for it.
func (c *valueLogCollector) stopCollector() {
	close(c.quit)
	<-c.done
}

// runCollector collects garbage at every tick.
func (c *valueLogCollector) runCollector(interval time.Duration) {
	defer close(c.done)
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-c.quit:
			return
		case <-ticker.C:
			c.collectGarbage()
		}
	}
}

// collectGarbage rewrites one value log file after another until none reaches the discard ratio. Errors are only
// logged.
func (c *valueLogCollector) collectGarbage() {
	for {
		select {
		case <-c.quit:
			return
		default:
		}
		err := c.collectOne()
		if errors.Is(err, badgerdb.ErrNoRewrite) {
			return
		}
		if err != nil {
			c.log.Warn("value log garbage collection failed", "error", err)
			return
		}
	}
}

// errDamagedLog means that Badger would lose the values behind a damaged entry of a value log, when it moves the log's
// values and removes it.
var errDamagedLog = errors.New("a value log is damaged and is kept")

// collectOne rewrites the value log with the most garbage, after reading to its end all logs that could be chosen.
func (c *valueLogCollector) collectOne() error {
	full, err := c.fullLogs()
	if err != nil || len(full) == 0 {
		return errors.Join(err, badgerdb.ErrNoRewrite)
	}
	state, err := readFolder(c.dir, c.opt)
	if err != nil {
		return err
	}
	for _, path := range full {
		intact := false
		err := state.readLog(path, func(l *logfile.LogFile) {
			info, err := os.Stat(path)
			intact = err == nil && l.IntactEnd() == uint64(info.Size())
		})
		if err != nil || !intact {
			return errors.Join(fmt.Errorf("%w: %s", errDamagedLog, filepath.Base(path)), err)
		}
	}
	return c.db.RunValueLogGC(c.ratio)
}

// discardFile is Badger's count of the bytes of each value log that no record refers to: pairs of a log's number and
// the bytes, 8 bytes each, big-endian, up to a zero.
const discardFile = "DISCARD"

// fullLogs returns the paths of the value logs whose garbage reaches the discard ratio, without that of new values.
func (c *valueLogCollector) fullLogs() (paths []string, err error) {
	counts, err := os.ReadFile(filepath.Join(c.dir, discardFile))
	if err != nil {
		return nil, err
	}
	all, err := filepath.Glob(filepath.Join(c.dir, "*"+valueLogSuffix)) // in the order of their numbers
	if err != nil || len(all) == 0 {
		return nil, err
	}
	for ; len(counts) >= 16 && binary.BigEndian.Uint64(counts) != 0; counts = counts[16:] {
		path := filepath.Join(c.dir, valueLogName(uint32(binary.BigEndian.Uint64(counts))))
		info, err := os.Stat(path)
		if err != nil || path == all[len(all)-1] {
			continue
		}
		if float64(binary.BigEndian.Uint64(counts[8:])) >= c.ratio*float64(info.Size()) {
			paths = append(paths, path)
		}
	}
	return paths, nil
}
