package badger

import (
	"errors"
	"sync/atomic"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/record"
)

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
			settled, number := commitGroup(c.db, c.watermarks, c.reserve.checkReserve(), c.lost, waiting)
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
