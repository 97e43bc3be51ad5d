// Package badger implements the store contract on an embedded Badger database (key-value, LSM tree): the default store,
// a folder of files without a server. It is the only importer of badger and does not import the appliance.
//
// # Writing
//
// Group commit: one goroutine, the committer, makes every change. Callers queue commands; it takes all queued ones,
// lets each decide its changes on top of those before it, and writes them as one synced transaction (Badger itself
// syncs once per transaction and never merges two). A command decides first and writes afterwards, so that a failed one
// has written nothing and does not affect the others of its group. All are answered when the transaction is on disk.
// With a single writer, Badger's own conflict detection is off.
//
// # Keys
//
//	format                              number of the layout, see format.go
//	commits                             number of the last transaction
//	bootstrap                           time of the first start
//	installation                        store.InstallationRecord
//	probe                               empty; written to test whether the database is writable
//	org/ORG                             account.Organization
//	key/ORG/KEY                         account.APIKey
//	key-id/KEY                          ORG
//	key-hash/HASH                       ORG/KEY; HASH in hex
//	session/ORG/SESSION                 restaurant.RestaurantSession, while it is in restaurant mode
//	phrases/ORG                         restaurant.PhraseSet
//	job/ORG/JOB                         job.Job without its result
//	job-result/ORG/JOB                  the result of a done job
//	job-queue/TIME/ORG/JOB              a queued job, by creation
//	job-running/ORG/JOB                 a running job
//	job-ended/TIME/ORG/JOB              an ended job, by its end
//	job-served/ORG                      when an organization's last job was started (a time)
//	job-made/ORG/TIME/JOB               every job, by creation
//	jobs-listed                         job-made is complete
//	job-callback/TIME/ORG/JOB           an ended job with a pending callback, by the time of the next attempt
//
//	call/ORG/CALL                       callRecord: call.Call without its messages
//	call-words/ORG/CALL                 its messages
//	call-line/ORG/CALL/RANK             call.TimelineEntry, a line of its timeline
//	call-due/ORG/TIME/MADE/CALL         a scheduled call of no campaign, by dial time
//	call-running/ORG/CALL               a call that holds a line
//	call-made/ORG/MADE/CALL             callFacts of every call, by creation; without them the same by
//	call-status/ORG/STATUS/MADE/CALL    status,
//	call-scenario/ORG/SCENARIO/MADE/CALL  scenario
//	call-stopped/ORG/MADE/CALL          that a user ended it,
//	call-need/ORG/MADE/CALL             that a person must follow it up,
//	call-tail/ORG/TAIL/MADE/CALL        and number, with DUE, until the person is erased; TAIL is the number reversed, so
//	                                    that calls are found by the end of the number
//	call-campaign/ORG/CAMPAIGN/MADE/CALL  and campaign
//	call-person/ORG/CAMPAIGN/GROUP/MADE/CALL  and the campaign's person for whom it decides, see store.PeopleGroup
//	call-when/ORG/DUE/MADE/CALL         callFacts of every call, by dial time; without them the same by
//	call-status-when/ORG/STATUS/DUE/MADE/CALL  status
//	call-campaign-when/ORG/CAMPAIGN/DUE/MADE/CALL  campaign,
//	call-person-when/ORG/CAMPAIGN/GROUP/DUE/MADE/CALL  the campaign's person,
//	call-scenario-when/ORG/SCENARIO/DUE/MADE/CALL  scenario,
//	call-stopped-when/ORG/DUE/MADE/CALL  that a user ended it,
//	call-need-when/ORG/DUE/MADE/CALL    that a person must follow it up,
//	call-answer-when/ORG/SLOT/VALUE/DUE/MADE/CALL  and answer in its report; VALUE in base64
//	call-tally/ORG/TIME/SCENARIO        call.CallTally of the calls due in the quarter of an hour from TIME; of all time
//	                                    under call-tally/ORG/total/SCENARIO
//	call-dial/ORG/NUMBER/TIME/CALL      a release, for the limits of a number
//	call-sound/ORG/TIME/CALL            an ended call with a recording, by its end
//	call-worded/ORG/TIME/CALL           an ended call with text, by its end
//	sound-gone/ORG/CALL                 name of a recording to remove, detached from its call
//	receipt/ORG/HASH                    store.IdempotencyReceipt; HASH of the client's key in hex
//	receipt-made/TIME/ORG/HASH          the same by time
//
//	campaign/ORG/CAMPAIGN               campaign.Campaign without counts and skipped rows
//	campaign-made/ORG/TIME/CAMPAIGN     every campaign, by creation
//	campaign-tally/ORG/CAMPAIGN         campaign.CampaignTally
//	campaign-skipped/ORG/CAMPAIGN       its skipped rows
//	campaign-due/ORG/CAMPAIGN/TIME/MADE/CALL  a scheduled call of a campaign, by dial time
//
//	scenario/ORG/SCENARIO               scenario.StoredScenario
//	scenario-version/ORG/SCENARIO/RANK  scenario.ScenarioVersion, RANK is its number
//	rules/ORG                           callrules.CallRules
//	suppression/ORG/NUMBER              callrules.SuppressionEntry
//	alerts/ORG                          alert.AlertBoard
//	bulk/ORG                            bulk.BulkBoard
//	webhook/ORG                         delivery.WebhookSetting
//	delivery/ORG/DELIVERY               deliveryRecord
//	delivery-of/ORG/CALL                the delivery of a call's end
//	delivery-made/ORG/RANK/DELIVERY     every delivery, by creation
//	delivery-state/ORG/STATE/RANK/DELIVERY  by state
//	delivery-owed/ORG/LANE/RANK/DELIVERY  a pending one, with the time of its next attempt: lane 0 in order of creation,
//	                                    lane 1 for tests and redeliveries
//	delivery-rank/ORG                   rank of the organization's last delivery
//	audit/ORG/RANK                      store.AuditEntry
//	audit-rank/ORG                      rank of the organization's last change
//
//	user/USER                           account.User
//	user-name/NAME                      USER; NAME in lower case
//	user-of/ORG/USER                    a user of an organization
//	web-session/HASH                    account.UserSession; HASH in hex
//	web-session-of/USER/HASH            a session of a user
//
//	live/ORG/SESSION                    live.LiveSession without its segments; ids sort by time
//	live-running/ORG/SESSION            one that has not ended
//	live-words/ORG/SESSION/RANK         live.LiveSegment
//	live-rank/ORG/SESSION               rank of the session's last segment
//
// Values are JSON, so that a record may gain fields without a new layout; index entries are empty unless said. TIME
// is the Unix time in nanoseconds, 16 hex digits, so that keys sort by it; MADE is the TIME of a call's creation,
// DUE of its dial time; RANK counts up from 1 within its owner. Ids hold no '/'. All index entries of a call or
// delivery follow from its record.
//
// Queue indexes begin with the organization, so that one organization's backlog is skipped with one seek whatever its
// length: polling costs one seek per organization with entries, and none for later calls and removed entries (low
// watermarks, watermarks.go).
//
// # A full disk
//
// Free space is checked before each transaction. With less than a reserve free, or a read-only disk, commands that
// start something new are refused with [store.CodeNoRoom]; reading continues, and commands that end running work or
// free space (outcomes, attempts, expiry, erasure) may use most of the reserve: see disk_reserve.go. A refused command
// has written nothing, so nothing needs repair: the next command is checked again.
//
// # Durability
//
// Every write is synced and every value's checksum verified when it is read, so that acknowledged changes survive a
// crash of the process and loss of power. Badger silently drops a damaged end of its log on opening; to detect that,
// transactions are numbered, the last number is also kept in a file beside the log (commit_marker.go), and
// [BadgerStore.LostTransactions] returns how many are missing.
//
// Badger hides a damaged block of a table together with the rest of the table, and answers as if the records did not
// exist; it removes the tables of a folder without a MANIFEST, and exits the process on a truncated table. So each
// opening verifies all tables first (folder.go), as [BadgerStore.VerifyTables] does later. A folder with a missing file
// is refused. Damaged blocks are removed from their tables, whose original files are kept in the folder "damaged"
// (damage.go). Reading what may have been in such a block returns [store.CodeCorrupt], never "not found" and never an
// older version; lists skip it and say so. A record that is written again can be read again. Deliveries and audit
// entries are numbered too, so that a gap shows. A backup carries its own checksum and count (dump.go).
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
	// BeforeUpgrade is called before a database of an older format is migrated, with a function to back it up
	// unchanged; an error aborts the opening and leaves the database as it was. Nil skips the call.
	BeforeUpgrade func(u FormatUpgrade) error
	// Disk returns the free space of the database's disk, before each write; nil reads it from the file system.
	Disk func(dir string) (disk.DiskState, error)
	// GCInterval is the interval of value log garbage collection; 0 is ten minutes.
	GCInterval time.Duration
	// compactOnClose compacts level 0 when the database is closed, unless blocks of it are damaged.
	compactOnClose bool
}

// FormatUpgrade is a pending migration of a database to this version's format.
type FormatUpgrade struct {
	From, To int
	// Backup writes a dump of the database before the migration.
	Backup func(ctx context.Context, w io.Writer) error
}

// BadgerStore is an open database; it implements [store.Store].
type BadgerStore struct {
	db         *badgerdb.DB
	lock       *dirLock // nil in memory
	watermarks *lowWatermarks
	committer  *groupCommitter
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
	db, lost, err := openDB(dir, opt, nil)
	if err != nil {
		return nil, err
	}
	s := &BadgerStore{
		db: db, dir: dir, opt: opt, unreadable: newUnreadable(lost, newLogger(opt.Logger).to), eraser: newDiskEraser(dir, opt),
	}
	marker, err := s.prepareDatabase(dir, opt)
	if err != nil {
		_ = db.Close() // the first error is the one to report
		return nil, err
	}
	err = db.View(func(txn *badgerdb.Txn) error {
		s.watermarks = newWatermarks(snapshotView{txn, s.unreadable})
		return nil
	})
	if err != nil {
		marker.closeFile()
		_ = db.Close() // the first error is the one to report
		return nil, err
	}
	s.committer = startCommitter(db, marker, s.watermarks, newDiskReserve(dir, opt), s.unreadable)
	s.collector = startCollector(db, opt)
	s.startReindex()
	return s, nil
}

// prepareDatabase migrates the database and detects lost transactions.
func (s *BadgerStore) prepareDatabase(dir string, opt OpenOptions) (*commitMarker, error) {
	err := ensureFormat(s.db, opt.BeforeUpgrade, s.unreadable)
	if err == nil {
		err = listOldJobs(s.db, s.unreadable)
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
		newLogger(opt.Logger).to.Error("the end of the database's log was damaged and what it held is lost",
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
		return nil, fmt.Errorf("make the database's folder: %w", err)
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
	err := s.db.Close()
	if err == nil {
		s.eraser.compactClosed(tables + values)
	}
	s.lock.releaseLock()
	if err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}
