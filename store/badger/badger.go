// Package badger keeps what the appliance remembers in an embedded Badger database: the default store, a folder of
// files and no server. It is the only importer of badger, and knows nothing of the appliance.
//
// # Writing
//
// One goroutine, the committer, makes every change. Callers hand it commands; it takes all that wait, lets each
// decide what to change on top of those before it, and makes one synced transaction of them (Badger itself syncs
// once per transaction and never merges two). A command decides first and writes afterwards, so one that fails has
// written nothing and its neighbours never notice. All are answered when the transaction is on disk. Since nobody
// else writes, Badger's own conflict detection is off.
//
// # Keys
//
//	format                        number of the layout, see format.go
//	bootstrap                     time of the first start
//	org/ORG                       org.Organization
//	key/ORG/KEY                   org.Key
//	key-id/KEY                    ORG
//	key-hash/HASH                 ORG/KEY; HASH in hex
//	session/ORG/SESSION           restaurant.Session, as long as it is in restaurant mode
//	phrases/ORG                   restaurant.Phrases
//	job/ORG/JOB                   job.Job without its result
//	job-result/ORG/JOB            the result of a done job
//	job-queue/TIME/ORG/JOB        a queued job, by creation
//	job-running/ORG/JOB           a running job
//	job-ended/TIME/ORG/JOB        an ended job, by its end
//
// Values are JSON, so that a record may gain fields without a new layout; index entries are empty. TIME is the Unix
// time in nanoseconds, 16 hex digits, so that keys sort by it. Ids hold no '/'.
//
// # Durability
//
// Every write is synced and every value's checksum verified when it is read. Badger drops a damaged last record of
// its log on opening, without a word: what must be noticed as missing needs a counter of its own; nothing here does.
package badger

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// Options are the choices that a store is opened with; the zero value is the production one.
type Options struct {
	// InMemory keeps everything in memory, for tests; dir is then unused and a value has 1 MiB at most.
	InMemory bool
	// Logger hears what the database says, at debug level, and what goes wrong in the background; nil is silence.
	Logger *slog.Logger
	// GCInterval is the time between two collections of the value log; 0 is ten minutes.
	GCInterval time.Duration
}

// Store is an open database; it implements [store.Store].
type Store struct {
	db        *badgerdb.DB
	lock      *dirLock // nil in memory
	committer *committer
	collector *collector

	mu     sync.RWMutex // held for reading during every call, for writing by Close
	closed bool
}

var _ store.Store = (*Store)(nil)

// Open opens the database in dir, making the folder (0700) and an empty database where there is none. The error is
// [store.CodeInUse] when another process has it open and [store.CodeFormat] when a newer version wrote it.
func Open(dir string, opt Options) (*Store, error) {
	lock, err := openDir(dir, opt)
	if err != nil {
		return nil, err
	}
	db, err := badgerdb.Open(settings(dir, opt))
	if err != nil {
		lock.release()
		return nil, fmt.Errorf("open the database in %s: %w", dir, err)
	}
	if err := ensureFormat(db); err != nil {
		_ = db.Close() // the first error is the one to report
		lock.release()
		return nil, err
	}
	return &Store{
		db: db, lock: lock,
		committer: startCommitter(db),
		collector: startCollector(db, opt),
	}, nil
}

// openDir makes and locks the folder; in memory there is none.
func openDir(dir string, opt Options) (*dirLock, error) {
	if opt.InMemory {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the database's folder: %w", err)
	}
	return lockDir(dir)
}

// Close waits for the calls in progress, then closes the database. A second Close does nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.committer.stop()
	s.collector.stop()
	err := s.db.Close()
	s.lock.release()
	if err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}
