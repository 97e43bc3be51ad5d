package badger

import (
	"errors"
	"log/slog"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"
)

// gcInterval is the default interval of garbage collection.
const gcInterval = 10 * time.Minute

// discardRatio is the fraction of dead data above which a value log file is rewritten.
const discardRatio = 0.5

// valueLogCollector runs Badger's value log garbage collection periodically.
type valueLogCollector struct {
	quit, done chan struct{}
}

// startCollector starts the collector, except for an in-memory database.
func startCollector(db *badgerdb.DB, opt OpenOptions) *valueLogCollector {
	c := &valueLogCollector{quit: make(chan struct{}), done: make(chan struct{})}
	if opt.InMemory {
		close(c.done)
		return c
	}
	interval := opt.GCInterval
	if interval <= 0 {
		interval = gcInterval
	}
	log := newLogger(opt.Logger).to
	go c.runCollector(db, interval, log)
	return c
}

// stopCollector stops the collector and waits for it.
func (c *valueLogCollector) stopCollector() {
	close(c.quit)
	<-c.done
}

// runCollector collects garbage at every tick.
func (c *valueLogCollector) runCollector(db *badgerdb.DB, interval time.Duration, log *slog.Logger) {
	defer close(c.done)
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-c.quit:
			return
		case <-ticker.C:
			c.collectGarbage(db, log)
		}
	}
}

// collectGarbage rewrites one value log file after another until none reaches the discard ratio. Errors are only
// logged.
func (c *valueLogCollector) collectGarbage(db *badgerdb.DB, log *slog.Logger) {
	for {
		select {
		case <-c.quit:
			return
		default:
		}
		err := db.RunValueLogGC(discardRatio)
		if errors.Is(err, badgerdb.ErrNoRewrite) {
			return
		}
		if err != nil {
			log.Warn("value log garbage collection failed", "error", err)
			return
		}
	}
}
