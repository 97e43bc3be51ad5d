package badger

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/record"
)

// markFile is the name of the marker file in the database's folder.
const markFile = "munadi.mark"

// commitMarker is a small file, separate from the log, with the number of the last acknowledged transaction, to detect
// a truncated log. Badger silently drops a damaged end of its log on opening, together with any counter in the
// database. The file is written after every commit and not synced: it is exact after the process was killed, and may
// lag behind after a power loss, but is never ahead, so it causes no false alarm.
type commitMarker struct{ file *os.File }

// markLayout is the file's one line: the number and its CRC-32C.
const markLayout = "%016x %08x\n"

// openMarker opens or creates the marker file of a folder and returns its number: 0 for a new or torn file.
func openMarker(dir string) (*commitMarker, uint64, error) {
	path := filepath.Join(dir, markFile)
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("read the database's marker file munadi.mark: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("open the database's marker file munadi.mark: %w", err)
	}
	return &commitMarker{file}, parseMarker(content), nil
}

// parseMarker parses the line; 0 when it is malformed.
func parseMarker(content []byte) uint64 {
	var number uint64
	var sum uint32
	if _, err := fmt.Sscanf(string(content), markLayout, &number, &sum); err != nil || sum != markerSum(number) {
		return 0
	}
	return number
}

// markerSum returns the checksum of a number.
func markerSum(number uint64) uint32 {
	return crc32.Checksum([]byte(encodeRank(number)), crc32.MakeTable(crc32.Castagnoli))
}

// writeNumber records the number of an acknowledged transaction; 0 is ignored. Errors are ignored, since the marker
// then only lags behind.
func (m *commitMarker) writeNumber(number uint64) {
	if m != nil && number > 0 {
		_, _ = m.file.WriteAt(fmt.Appendf(nil, markLayout, number, markerSum(number)), 0)
	}
}

// closeFile closes the file.
func (m *commitMarker) closeFile() {
	if m != nil {
		_ = m.file.Close() // the next commit rewrites it
	}
}

// commitsKey stores the number of the last transaction.
var commitsKey = []byte("commits")

// lastCommit returns the number of the last transaction in the database.
func lastCommit(txn *badgerdb.Txn) (uint64, error) {
	value, found, err := snapshotView{txn: txn}.rawValue(commitsKey) // unchecked: the marker reports losses
	if err != nil || !found {
		return 0, err
	}
	return decodeCounter(commitsKey, value)
}

// countLostTransactions returns the number of acknowledged transactions that the database no longer has, by its marker.
func countLostTransactions(db *badgerdb.DB, marked uint64) (uint64, error) {
	var last uint64
	err := db.View(func(txn *badgerdb.Txn) (err error) {
		last, err = lastCommit(txn)
		return err
	})
	if err != nil || last >= marked {
		return 0, err
	}
	return marked - last, nil
}

// groupLimit is the maximum number of commands per transaction; more would only delay the first one's answer.
const groupLimit = 512

// writeCommand is one queued change.
type writeCommand struct {
	// decide reads the view and lists the changes; its error fails this command alone. It may be called again on a
	// fresh view when the transaction was full, so it must assign its results, never append to them.
	decide func(snapshotView, *changeSet) error
	report *store.DamageReport // of the caller's context
	// err is the outcome, valid once done is closed.
	err error
	// kinds are the changes to announce to watchers.
	kinds []store.ChangeKind
	done  chan struct{}
}

// groupCommitter is the single writer. It implements group commit: the changes of all callers, many in one synced
// transaction.
type groupCommitter struct {
	db         *badgerdb.DB
	reserve    diskReserve
	marker     *commitMarker // nil in memory
	watermarks *lowWatermarks
	lost       *unreadableRecords
	watchers   record.WatcherSet
	commands   chan *writeCommand
	done       chan struct{}
	failed     atomic.Pointer[error] // error of the last transaction; nil when it succeeded
}

// startCommitter starts the goroutine that executes commands.
func startCommitter(
	db *badgerdb.DB, marker *commitMarker, watermarks *lowWatermarks, reserve diskReserve, lost *unreadableRecords,
) *groupCommitter {
	c := &groupCommitter{
		db: db, reserve: reserve, marker: marker, watermarks: watermarks, lost: lost,
		commands: make(chan *writeCommand, groupLimit), done: make(chan struct{}),
	}
	go c.runCommitter()
	return c
}

// stopCommitter executes the queued commands and stops; no command may follow.
func (c *groupCommitter) stopCommitter() {
	close(c.commands)
	<-c.done
}

// runCommitter executes commands in groups until the queue is closed.
func (c *groupCommitter) runCommitter() {
	defer close(c.done)
	for first := range c.commands {
		for waiting := c.gatherCommands(first); len(waiting) > 0; {
			settled, number := commitGroup(c.db, c.watermarks, c.checkDisk(), c.lost, waiting)
			c.noteOutcome(number, waiting[:settled])
			c.marker.writeNumber(number)
			for _, cmd := range waiting[:settled] {
				if cmd.err == nil {
					c.watchers.WakeWatchers(cmd.kinds)
				}
				close(cmd.done)
			}
			waiting = waiting[settled:]
		}
	}
}

// checkDisk is [diskReserve.checkReserve]; after a failed transaction a file is written first, because Badger keeps
// what it could not sync: each further command would be refused, and yet be read, and be on disk once writing works.
func (c *groupCommitter) checkDisk() reserveVerdict {
	if c.failed.Load() != nil {
		if err := c.reserve.tryFile(); err != nil {
			return reserveVerdict{err, err}
		}
	}
	return c.reserve.checkReserve()
}

// lastFailure returns the error of the last transaction, nil if it succeeded.
func (c *groupCommitter) lastFailure() error {
	if failed := c.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// noteOutcome records whether the group could be written. A group without writes changes nothing.
func (c *groupCommitter) noteOutcome(number uint64, settled []*writeCommand) {
	if number > 0 {
		c.failed.Store(nil)
		return
	}
	for _, cmd := range settled {
		if errors.Is(cmd.err, errNotWritten) {
			c.failed.Store(&cmd.err)
			return
		}
	}
}

// gatherCommands adds to first the commands that are already queued, without waiting for more: while one transaction is
// being synced, the next group accumulates.
func (c *groupCommitter) gatherCommands(first *writeCommand) []*writeCommand {
	group := []*writeCommand{first}
	for len(group) < groupLimit {
		select {
		case next, open := <-c.commands:
			if !open {
				return group
			}
			group = append(group, next)
		default:
			return group
		}
	}
	return group
}
