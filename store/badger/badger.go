package badger

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/disk"
	"munadi/store/record"
	"munadi/store/records"
)

// OpenOptions configures a store; the zero value is the production configuration.
type OpenOptions struct {
	// InMemory keeps everything in memory, for tests; dir is then unused and a value is limited to 1 MiB.
	InMemory bool
	// Logger receives Badger's messages at debug level and background errors; nil discards them.
	Logger *slog.Logger
	// KeyFile is the file of the encryption key: 32 bytes, or 64 hex digits; empty for no encryption. It must be set
	// from the first opening on.
	KeyFile string
	// BeforeUpgrade is called before a database of an older format is migrated, with a function to back it up unchanged;
	// an error aborts the opening and leaves the database unchanged. Nil skips the call.
	BeforeUpgrade func(u FormatUpgrade) error
	// Disk returns the free space of the database's disk, before each write; nil reads it from the file system.
	Disk func(dir string) (disk.DiskState, error)
	// Ballast holds disk space with which the process survives that another one fills the disk, see package ballast.
	Ballast bool
	// GCInterval is the interval of value log garbage collection; 0 is ten minutes.
	GCInterval time.Duration
	// compactOnClose compacts level 0 when the database is closed, unless blocks of it are damaged.
	compactOnClose bool
}

// FormatUpgrade is a pending migration of a database to this version's format.
type FormatUpgrade struct {
	From, To int
	// State identifies what the database holds: it is another one when a transaction was committed since.
	State string
	// Backup writes a dump of the database before the migration.
	Backup func(ctx context.Context, w io.Writer) error
}

// BadgerStore is an open database; it implements [store.Store].
type BadgerStore struct {
	*records.Records
	record.AuditSecret
	db         *badgerdb.DB
	lock       *dirLock // nil in memory
	watermarks *lowWatermarks
	committer  *groupCommitter
	reserve    diskReserve
	collector  *valueLogCollector
	lost       uint64
	// unreadable holds the key ranges lost to damaged blocks.
	unreadable *unreadableRecords
	suspicion  tableSuspicion
	dir        string
	opt        OpenOptions
	eraser     *diskEraser

	background sync.WaitGroup // started while mu is held, ended by closed

	mu     sync.RWMutex // held for reading during every call, for writing by Close
	closed bool
}

var _ store.Store = (*BadgerStore)(nil)

// OpenStore opens the database in dir, creating the folder (0700) and an empty database if needed. The error is
// [store.CodeInUse] when another process has it open, [store.CodeFormat] when a newer version wrote it, [store.CodeKey]
// when the key file does not match and [store.CodeNoRoom] when the disk is full or read-only.
func OpenStore(dir string, opt OpenOptions) (*BadgerStore, error) {
	lock, err := openDir(dir, opt)
	if err != nil {
		return nil, err
	}
	s, err := openLocked(dir, opt)
	if err != nil {
		lock.releaseLock()
		return nil, err
	}
	s.lock = lock
	return s, nil
}

// openLocked opens the database in a folder whose lock this process holds.
func openLocked(dir string, opt OpenOptions) (*BadgerStore, error) {
	log, room := newLogger(opt.Logger).to, newDiskReserve(dir, opt)
	if opt.Ballast && !opt.InMemory {
		var err error
		if room.ballast, err = room.holdBallast(); err != nil {
			log.Warn("no disk space can be held back: if another process fills the disk, this one may end", "err", err)
		}
	}
	s, err := openReserved(dir, opt, room)
	if err != nil {
		room.ballast.ReleaseSpace()
	}
	return s, err
}

// openReserved opens the database in a folder whose disk space is reserved.
func openReserved(dir string, opt OpenOptions, room diskReserve) (*BadgerStore, error) {
	db, lost, err := openDB(dir, opt, nil)
	if err != nil {
		return nil, err
	}
	s := &BadgerStore{
		db: db, dir: dir, opt: opt, eraser: newDiskEraser(dir, opt), reserve: room,
		unreadable: newUnreadable(lost, newLogger(opt.Logger).to),
	}
	s.Records = records.NewRecords(storeDriver{s})
	marker, err := s.prepareDatabase(dir, opt)
	if err != nil {
		_ = db.Close() // the first error is the one to report
		return nil, err
	}
	err = db.View(func(txn *badgerdb.Txn) error {
		s.watermarks = newWatermarks(snapshotView{txn: txn, lost: s.unreadable})
		return nil
	})
	if err != nil {
		marker.closeFile()
		_ = db.Close() // the first error is the one to report
		return nil, err
	}
	s.committer = startCommitter(db, marker, s.watermarks, room, s.unreadable)
	s.collector = s.startCollector()
	s.startReindex()
	return s, nil
}

// prepareDatabase migrates the database and detects lost transactions.
func (s *BadgerStore) prepareDatabase(dir string, opt OpenOptions) (*commitMarker, error) {
	err := ensureFormat(s.db, opt.BeforeUpgrade, s.unreadable)
	if err == nil {
		err = s.listOldJobs()
	}
	if err == nil {
		err = countPeople(s.db, s.unreadable)
	}
	if err != nil || opt.InMemory {
		return nil, err
	}
	marker, marked, err := openMarker(dir)
	if err != nil {
		return nil, err
	}
	if s.lost, err = countLostTransactions(s.db, marked); err != nil {
		marker.closeFile()
		return nil, err
	}
	if s.lost > 0 {
		newLogger(opt.Logger).to.Error("the end of the database's log is damaged: its last transactions are lost",
			"folder", dir, "transactions", s.lost)
	}
	return marker, nil
}

// LostTransactions returns the number of transactions acknowledged before this opening that are missing: 0 unless the
// end of the database's log was damaged.
func (s *BadgerStore) LostTransactions() uint64 { return s.lost }

// openDir creates and locks the folder; in memory there is none.
func openDir(dir string, opt OpenOptions) (*dirLock, error) {
	if opt.InMemory {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the database's folder: %w", err)
	}
	if err := newDiskReserve(dir, opt).checkReserve().urgent; err != nil {
		return nil, fmt.Errorf("the database in %s cannot be opened: %w", dir, err)
	}
	return lockDir(dir)
}

// Close waits for the calls in progress, then closes the database (graceful shutdown). A second Close does nothing.
func (s *BadgerStore) Close() error {
	defer s.background.Wait() // after mu is released
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.committer.stopCommitter()
	s.collector.stopCollector()
	s.committer.marker.closeFile()
	tables, values := s.db.Size()
	compact := tables+values <= maxCompactedAtClose && s.eraser.isPending(s.db)
	err := s.db.Close()
	if err == nil && compact {
		s.eraser.compactClosed()
	}
	s.reserve.ballast.ReleaseSpace()
	s.lock.releaseLock()
	if err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}
